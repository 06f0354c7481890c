/** Keeps MCP servers, and apart from them what only their servers may be told. */
import { liveQuery } from 'dexie';
import { McpSecrets, McpServer, type McpServerList } from '../contracts/mcp-server';
import type { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import type { McpServerStore } from '../contracts/store';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import { isBinned, shownOf } from './tree';

/** A row as it comes from the disk: only its key is certain. */
type Row = Pick<McpServer, 'id'>;

export class McpServers implements McpServerStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<McpServerList> {
    const rows: Row[] = shownOf(await attempt(() => this.#database.mcpServers.toArray()));
    const list = readServers(rows);
    await this.#quarantine(rows, list);
    return list;
  }

  watch(onList: (list: McpServerList) => void, onError: (error: Error) => void): () => void {
    const { mcpServers } = this.#database;
    const subscription = liveQuery(async (): Promise<Row[]> => shownOf(await mcpServers.toArray())).subscribe(
      {
        next: (rows) => {
          const list = readServers(rows);
          onList(list);
          this.#quarantine(rows, list).catch((error: unknown) => onError(toAppError(error)));
        },
        error: (error: unknown) => onError(toAppError(error)),
      },
    );
    return () => subscription.unsubscribe();
  }

  async add(server: McpServer, secrets: McpSecrets): Promise<void> {
    const { mcpServers, mcpSecrets } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', mcpServers, mcpSecrets, async () => {
        await mcpServers.put(server);
        await mcpSecrets.put(secrets);
      }),
    );
  }

  async change(id: string, change: (server: McpServer) => McpServer): Promise<McpServer | undefined> {
    const { mcpServers } = this.#database;
    return attempt(() =>
      this.#database.transaction('rw', mcpServers, async () => {
        const server = read(McpServer, await mcpServers.get(id));
        // Removed in another tab: it does not come back.
        if (!server.ok || isBinned(server.value)) return undefined;
        const changed = change(server.value);
        await mcpServers.put(changed);
        return changed;
      }),
    );
  }

  async remove(id: string): Promise<void> {
    const { mcpServers, mcpSecrets, grants } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', mcpServers, mcpSecrets, grants, async () => {
        await mcpServers.delete(id);
        await mcpSecrets.delete(id);
        await grants.filter((grant) => isGrantOf(id, grant)).delete();
      }),
    );
  }

  async secretsOf(id: string): Promise<McpSecrets> {
    const row: unknown = await attempt(() => this.#database.mcpSecrets.get(id));
    return readSecrets(id, row);
  }

  async changeSecrets(id: string, change: (secrets: McpSecrets) => McpSecrets): Promise<void> {
    const { mcpServers, mcpSecrets } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', mcpServers, mcpSecrets, async () => {
        if (!(await mcpServers.get(id))) return;
        await mcpSecrets.put(change(readSecrets(id, await mcpSecrets.get(id))));
      }),
    );
  }

  /** The rows themselves stay in their table. */
  async #quarantine(rows: readonly Row[], { damaged }: McpServerList): Promise<void> {
    const records = damaged.map(({ id, reason }) => ({
      ...{ id: `mcpServers/${id}`, chatId: '', reason },
      row: rows.find((row) => row.id === id),
    }));
    if (records.length > 0) await attempt(() => this.#database.quarantine.bulkPut(records));
  }
}

/** What was allowed to a tool of a server is bound to the server, by the beginning of its revision. */
export function isGrantOf(serverId: string, { revision }: Partial<Grant>): boolean {
  // A damaged row of another permission may have none.
  return typeof revision === 'string' && revision.startsWith(`${serverId}/`);
}

/** Secrets that cannot be read count as missing: the person is asked for them again. */
export function readSecrets(serverId: string, row: unknown): McpSecrets {
  const secrets = read(McpSecrets, row);
  return secrets.ok ? secrets.value : { serverId, key: '', clientSecret: '' };
}

function readServers(rows: readonly Row[]): McpServerList {
  const servers: McpServer[] = [];
  const damaged: McpServerList['damaged'][number][] = [];
  for (const row of rows) {
    const server = read(McpServer, row);
    if (server.ok) servers.push(server.value);
    else damaged.push({ id: row.id, name: nameOf(row), reason: server.reason });
  }
  return { servers: servers.sort((a, b) => a.createdAt - b.createdAt), damaged };
}

function nameOf(row: object): string {
  return 'name' in row && typeof row.name === 'string' ? row.name.slice(0, 64) : '';
}

/** Keeps MCP servers, and apart from them their keys and logins. */
import { McpSecrets, McpServer } from '../contracts/mcp-server';
import type { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import type { McpServerStore } from '../contracts/store';
import { createCollection } from './collection';
import { attempt } from './storage-error';
import type { Tables } from './tables';
import { isBinned } from './tree';

export function createMcpServers(tables: Tables): McpServerStore {
  return {
    ...createCollection(tables, {
      name: 'mcpServers',
      schema: McpServer,
      order: (one, other) => one.createdAt - other.createdAt,
      nameOf: (row) => ('name' in row && typeof row.name === 'string' ? row.name.slice(0, 64) : ''),
      toList: (servers, damaged) => ({ servers, damaged }),
    }),

    add(server: McpServer, secrets: McpSecrets): Promise<void> {
      return tables.write(['mcpServers', 'mcpSecrets'], async ({ mcpServers, mcpSecrets }) => {
        await mcpServers.put(server);
        await mcpSecrets.put(secrets);
      });
    },

    change(id: string, change: (server: McpServer) => McpServer): Promise<McpServer | undefined> {
      return tables.write(['mcpServers'], async ({ mcpServers }) => {
        const server = read(McpServer, await mcpServers.get(id));
        // A server that was removed in another tab stays removed.
        if (!server.ok || isBinned(server.value)) return undefined;
        const changed = change(server.value);
        await mcpServers.put(changed);
        return changed;
      });
    },

    remove(id: string): Promise<void> {
      return tables.write(['mcpServers', 'mcpSecrets', 'grants'], (within) => removeServer(within, id));
    },

    async secretsOf(id: string): Promise<McpSecrets> {
      return readSecrets(id, await attempt(() => tables.mcpSecrets.get(id)));
    },

    changeSecrets(id: string, change: (secrets: McpSecrets) => McpSecrets): Promise<void> {
      return tables.write(['mcpServers', 'mcpSecrets'], async ({ mcpServers, mcpSecrets }) => {
        if (!(await mcpServers.get(id))) return;
        await mcpSecrets.put(change(readSecrets(id, await mcpSecrets.get(id))));
      });
    },
  };
}

/** With its secrets and the permissions for its tools. Within a transaction. */
export async function removeServer(tables: Tables, id: string): Promise<void> {
  await tables.mcpServers.delete(id);
  await tables.mcpSecrets.delete(id);
  await tables.grants.filter((grant) => isGrantOf(id, grant)).delete();
}

/** Whether a permission is for a tool of this server: its revision begins with the id of the server. */
export function isGrantOf(serverId: string, { revision }: Partial<Grant>): boolean {
  // A damaged row may have no revision.
  return typeof revision === 'string' && revision.startsWith(`${serverId}/`);
}

/** Secrets that cannot be read count as missing: the person is asked for them again. */
function readSecrets(serverId: string, row: unknown): McpSecrets {
  const secrets = read(McpSecrets, row);
  return secrets.ok ? secrets.value : { serverId, key: '', clientSecret: '' };
}

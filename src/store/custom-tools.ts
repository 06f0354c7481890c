/** Keeps custom tools, their drafts, and the values of their secrets. */
import { liveQuery } from 'dexie';
import {
  CustomTool,
  CustomToolDraft,
  type CustomToolList,
  type DamagedTool,
  type KeptSecret,
  SecretRecord,
} from '../contracts/custom-tool';
import type { Grant } from '../contracts/permission';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { attempt, toAppError } from './storage-error';
import { shownOf } from './tree';
import type { CustomToolStore } from '../contracts/store';

/** A row as it comes from the disk: only its key is certain. */
type Row = Pick<CustomTool, 'id'>;

export class CustomTools implements CustomToolStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async list(): Promise<CustomToolList> {
    const rows: Row[] = shownOf(await attempt(() => this.#database.customTools.toArray()));
    const list = readTools(rows);
    await this.#quarantine(rows, list.damaged);
    return list;
  }

  watch(onList: (list: CustomToolList) => void, onError: (error: Error) => void): () => void {
    const { customTools } = this.#database;
    const subscription = liveQuery(async (): Promise<Row[]> =>
      shownOf(await customTools.toArray()),
    ).subscribe({
      next: (rows) => {
        const list = readTools(rows);
        onList(list);
        this.#quarantine(rows, list.damaged).catch((error: unknown) => onError(toAppError(error)));
      },
      error: (error: unknown) => onError(toAppError(error)),
    });
    return () => subscription.unsubscribe();
  }

  async save(tool: CustomTool): Promise<void> {
    await attempt(() => this.#database.customTools.put(tool));
  }

  async remove(id: string): Promise<void> {
    const { customTools, toolDrafts, toolSecrets, grants } = this.#database;
    await attempt(() =>
      this.#database.transaction('rw', customTools, toolDrafts, toolSecrets, grants, async () => {
        const name = nameOfTool((await customTools.get(id)) ?? {});
        await customTools.delete(id);
        // Another that is called so by now has permissions of its own.
        const isTaken = (await customTools.toArray()).some((other) => nameOfTool(other) === name);
        if (!isTaken) await grants.filter((grant) => isGrantOfTool(name, grant)).delete();
        await toolDrafts.where({ toolId: id }).delete();
        await toolSecrets.where({ toolId: id }).delete();
      }),
    );
  }

  async loadDraft(id: string): Promise<CustomToolDraft | undefined> {
    const { toolDrafts, quarantine } = this.#database;
    const row = await attempt(() => toolDrafts.get(id));
    if (!row) return undefined;
    const draft = read(CustomToolDraft, row);
    if (draft.ok) return draft.value;
    // The next letter typed writes over it.
    await attempt(() => quarantine.put({ id: `toolDrafts/${id}`, chatId: '', row, reason: draft.reason }));
    return undefined;
  }

  async saveDraft(draft: CustomToolDraft): Promise<void> {
    await attempt(() => this.#database.toolDrafts.put(draft));
  }

  async removeDraft(id: string): Promise<void> {
    await attempt(() => this.#database.toolDrafts.delete(id));
  }

  async setSecret(toolId: string, { name, host }: KeptSecret, value: string): Promise<void> {
    const { toolSecrets } = this.#database;
    const id = secretId(toolId, { name, host });
    await attempt<unknown>(() =>
      value === '' ? toolSecrets.delete(id) : toolSecrets.put({ id, toolId, name, host, value }),
    );
  }

  async keptSecrets(toolId: string): Promise<KeptSecret[]> {
    const rows: unknown[] = await attempt(() => this.#database.toolSecrets.where({ toolId }).toArray());
    // Without the values: a screen only has to say that there is one.
    return rows.flatMap(readSecret).map(({ name, host }) => ({ name, host }));
  }

  async secretOf(toolId: string, secret: KeptSecret): Promise<string | undefined> {
    const row: unknown = await attempt(() => this.#database.toolSecrets.get(secretId(toolId, secret)));
    return readSecret(row)[0]?.value;
  }

  /** The rows themselves stay in their table. */
  async #quarantine(rows: readonly Row[], damaged: readonly DamagedTool[]): Promise<void> {
    const records = damaged.map(({ id, reason }) => ({
      ...{ id: `customTools/${id}`, chatId: '', reason },
      row: rows.find((row) => row.id === id),
    }));
    if (records.length > 0) await attempt(() => this.#database.quarantine.bulkPut(records));
  }
}

/** What was allowed to code of this name: of a built-in tool, a permission has no revision. */
export function isGrantOfTool(name: string, { tool, revision }: Partial<Grant>): boolean {
  return name !== '' && tool === name && revision !== undefined && revision !== '';
}

/** A secret that is bound to another host, or belongs to another tool, has another id. */
export function secretId(toolId: string, { name, host }: KeptSecret): string {
  return JSON.stringify([toolId, name, host]);
}

function readTools(rows: readonly Row[]): CustomToolList {
  const tools: CustomTool[] = [];
  const damaged: DamagedTool[] = [];
  for (const row of rows) {
    const tool = read(CustomTool, row);
    if (tool.ok) tools.push(tool.value);
    else damaged.push({ id: row.id, name: nameOfTool(row), reason: tool.reason });
  }
  return { tools: tools.sort((a, b) => a.createdAt - b.createdAt), damaged };
}

/** '' where it cannot be read. */
export function nameOfTool(row: object): string {
  const content: unknown = 'content' in row ? row.content : undefined;
  const name = typeof content === 'object' && content !== null && 'name' in content ? content.name : '';
  return typeof name === 'string' ? name.slice(0, 64) : '';
}

/** A secret that cannot be read counts as missing: the person is asked for it again. */
function readSecret(row: unknown): SecretRecord[] {
  const secret = read(SecretRecord, row);
  return secret.ok ? [secret.value] : [];
}

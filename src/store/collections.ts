/** Stores items that the user creates: notes, prompts, personas, custom tools and MCP servers. All of them use `createCollection`. */
import { AppError } from '../contracts/app-error';
import { CustomTool, CustomToolDraft, type SecretName, SecretRecord } from '../contracts/custom-tool';
import type { ErrorCode } from '../contracts/error-code';
import { McpSecrets, McpServer } from '../contracts/mcp-server';
import { maxNotes, Note } from '../contracts/note';
import { maxPrompts, OwnPrompt } from '../contracts/own-prompt';
import type { Grant } from '../contracts/permission';
import { Persona, PersonaDraft } from '../contracts/persona';
import { read, type z } from '../contracts/schema';
import type {
  CustomToolStore,
  McpServerStore,
  NoteStore,
  OwnPromptStore,
  PersonaStore,
} from '../contracts/store';
import { runQuery, runWrite, toAppError } from './storage-error';
import type { RowTypes, Table, Tables } from './tables';
import { isBinned, parseReadableRows, withoutBinned, textAtPath } from './read-rows';

export type CollectionName = 'notes' | 'prompts' | 'personas' | 'customTools' | 'mcpServers';
type Item<Name extends CollectionName> = RowTypes[Name][0];

interface CollectionOptions<Name extends CollectionName, List> {
  name: Name;
  schema: z.ZodMiniType<Item<Name>>;
  order?: (one: Item<Name>, other: Item<Name>) => number;
  nameOf?: (row: object) => string;
  toList: (items: Item<Name>[], damaged: { id: string; name: string; reason: string }[]) => List;
}

function createCollection<Name extends CollectionName, List>(
  tables: Tables,
  { name, schema, order = compareByCreation, nameOf = () => '', toList }: CollectionOptions<Name, List>,
) {
  async function readRows(within: Tables): Promise<{ id: string }[]> {
    const table: { toArray: () => PromiseLike<{ id: string }[]> } = within[name];
    return withoutBinned(await table.toArray());
  }

  function parse(rows: readonly { id: string }[]) {
    const items: Item<Name>[] = [];
    const damaged: { row: { id: string }; reason: string }[] = [];
    for (const row of rows) {
      const item = read(schema, row);
      if (item.ok) items.push(item.value);
      else damaged.push({ row, reason: item.reason });
    }
    const named = damaged.map(({ row, reason }) => ({ id: row.id, name: nameOf(row), reason }));
    return { list: toList(items.sort(order), named), damaged };
  }

  async function quarantine({ damaged }: ReturnType<typeof parse>): Promise<void> {
    const records = damaged.map(({ row, reason }) => ({ id: `${name}/${row.id}`, chatId: '', row, reason }));
    if (records.length > 0) await runQuery(() => tables.quarantine.bulkPut(records));
  }

  return {
    async list() {
      const parsed = parse(await runQuery(() => readRows(tables)));
      await quarantine(parsed);
      return parsed.list;
    },
    watch: (onList: (list: List) => void, onError: (error: Error) => void) =>
      tables.watch(
        readRows,
        (rows) => {
          const parsed = parse(rows);
          onList(parsed.list);
          quarantine(parsed).catch((error: unknown) => onError(toAppError(error)));
        },
        onError,
      ),
  };
}

const compareByCreation = (one: { createdAt: number }, other: { createdAt: number }) =>
  one.createdAt - other.createdAt;

/** Reads a draft. Undefined if it is missing or damaged. Quarantines a damaged draft, because the user's next input overwrites it. */
export async function readDraft<Name extends 'toolDrafts' | 'personaDrafts' | 'drafts'>(
  tables: Tables,
  name: Name,
  id: string,
  schema: z.ZodMiniType<RowTypes[Name][0]>,
): Promise<RowTypes[Name][0] | undefined> {
  const table: { get: (key: string) => PromiseLike<object | undefined> } = tables[name];
  const row = await runQuery(() => table.get(id));
  if (!row) return undefined;
  const draft = read(schema, row);
  if (draft.ok) return draft.value;
  const chatId = name === 'drafts' ? id : '';
  await runQuery(() => tables.quarantine.put({ id: `${name}/${id}`, chatId, row, reason: draft.reason }));
  return undefined;
}

function createDraftMethods<Name extends 'toolDrafts' | 'personaDrafts'>(
  tables: Tables,
  name: Name,
  schema: z.ZodMiniType<RowTypes[Name][0]>,
) {
  const table = tables[name] as unknown as Table<RowTypes[Name][0], string>;
  return {
    loadDraft: (id: string) => readDraft(tables, name, id, schema),
    saveDraft: (draft: RowTypes[Name][0]) => runWrite(() => table.put(draft)),
    removeDraft: (id: string) => runQuery(() => table.delete(id)),
  };
}

function updateUnlessBinned(
  tables: Tables,
  name: 'notes' | 'prompts',
  id: string,
  changes: object,
  code: ErrorCode,
) {
  return tables.write([name], async (within) => {
    const row = await within[name].get(id);
    if (!row || isBinned(row)) throw new AppError(code, `${id} is not in ${name}.`);
    await within[name].update(id, changes);
  });
}

export function createPersonas(tables: Tables): PersonaStore {
  return {
    ...createCollection(tables, {
      name: 'personas',
      schema: Persona,
      nameOf: nameInContent,
      toList: (personas, damaged) => ({ personas, damaged }),
    }),
    ...createDraftMethods(tables, 'personaDrafts', PersonaDraft),
    save: (persona) => runWrite(() => tables.personas.put(persona)),
  };
}

export async function removePersona({ personas, personaDrafts }: Tables, id: string): Promise<void> {
  await personas.delete(id);
  await personaDrafts.where('personaId').equals(id).delete();
}

export function nameInContent(row: object): string {
  return textAtPath(row, ['content', 'name']).slice(0, 64);
}

export function createMcpServers(tables: Tables): McpServerStore {
  return {
    ...createCollection(tables, {
      name: 'mcpServers',
      schema: McpServer,
      nameOf: (row) => textAtPath(row, ['name']).slice(0, 64),
      toList: (servers, damaged) => ({ servers, damaged }),
    }),
    add: (server, secrets) =>
      tables.write(['mcpServers', 'mcpSecrets'], async ({ mcpServers, mcpSecrets }) => {
        await mcpServers.put(server);
        await mcpSecrets.put(secrets);
      }),
    change: (id, change) =>
      tables.write(['mcpServers'], async ({ mcpServers }) => {
        const server = read(McpServer, await mcpServers.get(id));
        // If another tab has deleted the server, do not restore it.
        if (!server.ok || isBinned(server.value)) return undefined;
        const changed = change(server.value);
        await mcpServers.put(changed);
        return changed;
      }),
    secretsOf: async (id) => readSecrets(id, await runQuery(() => tables.mcpSecrets.get(id))),
    changeSecrets: (id, change) =>
      tables.write(['mcpServers', 'mcpSecrets'], async ({ mcpServers, mcpSecrets }) => {
        if (!(await mcpServers.get(id))) return;
        await mcpSecrets.put(change(readSecrets(id, await mcpSecrets.get(id))));
      }),
  };
}

/** Deletes a server, its secrets and its permissions. Call it within a transaction. */
export async function removeServer(tables: Tables, id: string): Promise<void> {
  await tables.mcpServers.delete(id);
  await tables.mcpSecrets.delete(id);
  await tables.grants
    .toCollection()
    .filter((grant) => isGrantOfServer(id, grant))
    .delete();
}

/** Whether a permission belongs to a tool of this server. Its revision then starts with the server's id. */
export function isGrantOfServer(serverId: string, { revision }: Partial<Grant>): boolean {
  return typeof revision === 'string' && revision.startsWith(`${serverId}/`);
}

function readSecrets(serverId: string, row: unknown): McpSecrets {
  return parseReadableRows(McpSecrets, [row])[0] ?? { serverId, key: '', clientSecret: '' };
}

export function createCustomTools(tables: Tables): CustomToolStore {
  return {
    ...createCollection(tables, {
      name: 'customTools',
      schema: CustomTool,
      nameOf: nameInContent,
      toList: (tools, damaged) => ({ tools, damaged }),
    }),
    ...createDraftMethods(tables, 'toolDrafts', CustomToolDraft),
    save: (tool) => runWrite(() => tables.customTools.put(tool)),
    setSecret(toolId, { name, host }, value) {
      const { toolSecrets } = tables;
      const id = secretIdOf(toolId, { name, host });
      if (value === '') return runQuery(() => toolSecrets.delete(id));
      return runWrite(() => toolSecrets.put({ id, toolId, name, host, value }));
    },
    async keptSecrets(toolId) {
      const rows = await runQuery(() => tables.toolSecrets.where('toolId').equals(toolId).toArray());
      // Leave out the values, because screens only show which secrets exist.
      return parseReadableRows(SecretRecord, rows).map(({ name, host }) => ({ name, host }));
    },
    async secretOf(toolId, secret) {
      const row = await runQuery(() => tables.toolSecrets.get(secretIdOf(toolId, secret)));
      return parseReadableRows(SecretRecord, [row])[0]?.value;
    },
  };
}

/** Deletes a tool, its drafts, secrets and permissions. Call it within a transaction. */
export async function removeTool(tables: Tables, id: string): Promise<void> {
  const { customTools, toolDrafts, toolSecrets, grants } = tables;
  const name = nameInContent((await customTools.get(id)) ?? {});
  await customTools.delete(id);
  // Permissions refer to a tool by its name. If another tool now has this name, they belong to that tool.
  const isTaken = (await customTools.toArray()).some((other) => nameInContent(other) === name);
  if (!isTaken)
    await grants
      .toCollection()
      .filter((grant) => isGrantOfTool(name, grant))
      .delete();
  await toolDrafts.where('toolId').equals(id).delete();
  await toolSecrets.where('toolId').equals(id).delete();
}

/** Whether a permission belongs to the custom tool with this name. A permission for a built-in tool has no revision. */
export function isGrantOfTool(name: string, { tool, revision }: Partial<Grant>): boolean {
  return name !== '' && tool === name && revision !== undefined && revision !== '';
}

/** Derives the id from tool, name and host, so a different host or tool needs a different secret. */
function secretIdOf(toolId: string, { name, host }: SecretName): string {
  return JSON.stringify([toolId, name, host]);
}

export function createNotes(tables: Tables): NoteStore {
  return {
    ...createCollection(tables, {
      name: 'notes',
      schema: Note,
      order: (one, other) => other.updatedAt - one.updatedAt,
      toList: (notes, damaged) => ({ notes, damaged }),
    }),
    add: (note) =>
      tables.write(['notes'], async ({ notes }) => {
        const binned = await notes.where('deletedAt').above(0).count();
        if ((await notes.count()) - binned >= maxNotes) {
          throw new AppError('notes-full', `${maxNotes} notes are kept already.`);
        }
        await notes.add(note);
      }),
    edit: (id, changed) => updateUnlessBinned(tables, 'notes', id, changed, 'note-deleted'),
  };
}

export function createOwnPrompts(tables: Tables): OwnPromptStore {
  return {
    ...createCollection(tables, {
      name: 'prompts',
      schema: OwnPrompt,
      // Two prompts may have the same place, because of two tabs or an import. The older prompt then comes first.
      order: (one, other) => one.place - other.place || one.createdAt - other.createdAt,
      toList: (prompts, damaged) => ({ prompts, damaged }),
    }),
    add: (prompt) =>
      tables.write(['prompts'], async ({ prompts }) => {
        const shown: Partial<OwnPrompt>[] = withoutBinned(await prompts.toArray());
        if (shown.length >= maxPrompts) {
          throw new AppError('prompts-full', `${maxPrompts} prompts are kept already.`);
        }
        const places = shown.flatMap(({ place }) => (typeof place === 'number' ? [place] : []));
        await prompts.add({ ...prompt, place: Math.max(-1, ...places) + 1 });
      }),
    edit: (id, changed) => updateUnlessBinned(tables, 'prompts', id, changed, 'prompt-deleted'),
    order: (ids) =>
      tables.write(['prompts'], async ({ prompts }) => {
        // Use `update` rather than `put`, so a prompt deleted by another tab is not restored.
        for (const [place, id] of ids.entries()) await prompts.update(id, { place });
      }),
  };
}

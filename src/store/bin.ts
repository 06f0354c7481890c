/** The bin. Deleted rows stay in their tables. Permanent deletion checks `deletedAt` again, in case another tab has restored the item. */
import type { BinEntry, BinKind, BinItemKey, BinStore } from '../contracts/store';
import type { MessageNode } from '../contracts/chat';
import { ExamRecord } from '../contracts/exam';
import { read } from '../contracts/schema';
import { textOf } from '../contracts/message-parts';
import { type CollectionName, removePersona, removeServer, removeTool } from './collections';
import { isBinned, readChat, readNodes, withoutBinned, textAtPath } from './read-rows';
import {
  binChat,
  binMessages,
  deleteChat,
  deleteMessages,
  restoreChat,
  restoreMessages,
} from './remove-chats';
import { loadSettings, saveSettings } from './single-tables';
import { runQuery } from './storage-error';
import { type Table, tableNames, type Tables } from './tables';
import type { Tally } from './tally';

/** How the bin handles one kind of item. Call all functions within a transaction on all tables. */
interface BinHandler {
  /** Moves an item to the bin. Does nothing if the item is gone or already in the bin. */
  put: (tables: Tables, id: string, deletedAt: number) => Promise<unknown>;
  restore: (tables: Tables, id: string) => Promise<unknown>;
  deletedAt: (tables: Tables, id: string) => Promise<number | undefined>;
  remove: (tables: Tables, id: string) => PromiseLike<unknown>;
}

export function createBin(tables: Tables, tally: Tally, now: () => number): BinStore {
  const kinds: Readonly<Record<BinKind, BinHandler>> = {
    chat: {
      put: binChat,
      restore: restoreChat,
      deletedAt: ({ chats }, id) => readDeletedAt(chats, id),
      remove: (tables, id) => deleteChat(tables, tally, id),
    },
    messages: {
      put: binMessages,
      restore: restoreMessages,
      deletedAt: ({ messages }, id) => readDeletedAt(messages, id),
      remove: (tables, id) => deleteMessages(tables, tally, id),
    },
    persona: { ...createRowHandler('persona'), remove: removePersona },
    tool: { ...createRowHandler('tool'), remove: removeTool },
    note: { ...createRowHandler('note'), remove: ({ notes }, id) => notes.delete(id) },
    prompt: { ...createRowHandler('prompt'), remove: ({ prompts }, id) => prompts.delete(id) },
    server: { ...createRowHandler('server'), remove: removeServer },
    model: modelHandler,
  };

  async function purge(within: Tables, { kind, id }: BinItemKey, before: number): Promise<void> {
    const { deletedAt, remove } = kinds[kind];
    if (((await deletedAt(within, id)) ?? Infinity) < before) await remove(within, id);
  }

  const writeAll = (
    places: readonly BinItemKey[],
    task: (within: Tables, place: BinItemKey) => Promise<unknown>,
  ) =>
    tables.write(tableNames, async (within) => {
      for (const place of places) await task(within, place);
    });

  return {
    put(places) {
      const deletedAt = now();
      return writeAll(places, (within, { kind, id }) => kinds[kind].put(within, id, deletedAt));
    },
    watch: (onList, onError) => tables.watch(listBinEntries, onList, onError),
    restoreAll: (places) => writeAll(places, (within, { kind, id }) => kinds[kind].restore(within, id)),
    purge: (places) => writeAll(places, (within, place) => purge(within, place, Infinity)),
    async purgeBefore(time) {
      for (const entry of await runQuery(() => listBinEntries(tables))) {
        if (entry.deletedAt < time) await tables.write(tableNames, (within) => purge(within, entry, time));
      }
    },
  };
}

interface BinnableRow {
  id: string;
  deletedAt?: number | undefined;
}

type BinnableTable = Pick<Table<BinnableRow, string>, 'get' | 'toArray' | 'update' | 'where'>;

/** Kinds of items that are single rows. `shown`: path to the item's name within the row. */
const rowKindsByName = {
  persona: { table: 'personas', shown: ['content', 'name'] },
  // A tool needs a unique name because models call it by name. A server needs one because permissions contain it.
  tool: {
    table: 'customTools',
    shown: ['content', 'title'],
    unique: { path: ['content', 'name'], separator: '_' },
  },
  note: { table: 'notes', shown: ['text'] },
  prompt: { table: 'prompts', shown: ['name'] },
  server: { table: 'mcpServers', shown: ['name'], unique: { path: ['name'], separator: ' ' } },
} satisfies Partial<Record<BinKind, RowKind>>;

interface RowKind {
  table: CollectionName;
  shown: readonly string[];
  unique?: { path: readonly string[]; separator: string };
}

function createRowHandler(kind: keyof typeof rowKindsByName): Omit<BinHandler, 'remove'> {
  const { table, unique }: RowKind = rowKindsByName[kind];
  const rowsIn = (tables: Tables): BinnableTable => tables[table];
  return {
    async put(tables, id, deletedAt) {
      const row = await rowsIn(tables).get(id);
      if (row && !isBinned(row)) await rowsIn(tables).update(id, { deletedAt });
    },
    async restore(tables, id) {
      const row = await rowsIn(tables).get(id);
      if (!row || !isBinned(row)) return;
      const name = unique ? textAtPath(row, unique.path) : '';
      const changes: Record<string, string | undefined> = { deletedAt: undefined };
      if (unique && name !== '') {
        const others = withoutBinned(await rowsIn(tables).toArray());
        const usedNames = new Set(others.map((other) => textAtPath(other, unique.path)));
        changes[unique.path.join('.')] = findFreeName(name, usedNames, unique.separator);
      }
      await rowsIn(tables).update(id, changes);
    },
    deletedAt: (tables, id) => readDeletedAt(rowsIn(tables), id),
  };
}

async function readDeletedAt(table: Pick<BinnableTable, 'get'>, id: string): Promise<number | undefined> {
  const row = await table.get(id);
  return row && isBinned(row) ? row.deletedAt : undefined;
}

function findFreeName(name: string, usedNames: ReadonlySet<string>, separator: string): string {
  let free = name;
  for (let count = 2; usedNames.has(free); count++) free = `${name}${separator}${count}`;
  return free;
}

/** The settings contain the user's models as a list, and deleted models as a second list. */
const modelHandler: BinHandler = {
  async put(tables, id, deletedAt) {
    const { ownModels, others } = await findUserModel(tables, id);
    const model = ownModels.find((own) => own.id === id);
    if (!model) return;
    const exam = read(ExamRecord, await tables.exams.get(id));
    const binned = { model, deletedAt, ...(exam.ok && { exam: exam.value }) };
    await saveSettings(tables, {
      ownModels: ownModels.filter((own) => own !== model),
      binnedModels: [...others, binned],
    });
    await tables.exams.delete(id);
  },
  async restore(tables, id) {
    const { ownModels, others, binned } = await findUserModel(tables, id);
    if (!binned) return;
    const free = findFreeName(id, new Set(ownModels.map((own) => own.id)), '-');
    await saveSettings(tables, {
      ownModels: [...ownModels, { ...binned.model, id: free }],
      binnedModels: others,
    });
    const exam = read(ExamRecord, binned.exam);
    if (exam.ok) await tables.exams.put({ ...exam.value, modelId: free });
  },
  deletedAt: async (tables, id) => (await findUserModel(tables, id)).binned?.deletedAt,
  async remove(tables, id) {
    const { others, binned } = await findUserModel(tables, id);
    if (binned) await saveSettings(tables, { binnedModels: others });
  },
};

async function findUserModel(tables: Tables, id: string) {
  const { ownModels, binnedModels: all = [] } = await loadSettings(tables);
  const binned = all.find(({ model }) => model.id === id);
  return { ownModels, others: all.filter((other) => other !== binned), binned };
}

const maxNameCharacters = 80;

async function listBinEntries(tables: Tables): Promise<BinEntry[]> {
  const kinds = Object.entries(rowKindsByName) as [keyof typeof rowKindsByName, RowKind][];
  const lists = kinds.map(async ([kind, { table, shown }]) => {
    const rows: BinnableTable = tables[table];
    const binned = await rows.where('deletedAt').above(0).toArray();
    return binned.map((row) => toBinEntry(kind, row, textAtPath(row, shown)));
  });
  const models = loadSettings(tables).then(({ binnedModels: all = [] }) =>
    all.map(({ model, deletedAt }) =>
      toBinEntry('model', { id: model.id, deletedAt }, model.endpoint?.model ?? model.id),
    ),
  );
  const entries = (await Promise.all([listBinnedChats(tables), ...lists, models])).flat();
  return entries.sort((a, b) => b.deletedAt - a.deletedAt);
}

async function listBinnedChats({ chats, messages }: Tables): Promise<BinEntry[]> {
  const rows = await chats.where('deletedAt').above(0).toArray();
  const binned = rows.map((row) => readChat(row).chat).filter(({ agentOf }) => !agentOf);
  const { nodes } = readNodes(await messages.where('deletedAt').above(0).toArray());
  const keys = [...new Set(nodes.map(({ chatId }) => chatId))];
  const found = await chats.bulkGet(keys);
  // Skip messages of a chat in the bin, because they are restored with the chat.
  const isShown = new Set(keys.filter((_, at) => found[at] && !isBinned(found[at])));
  const inShown = nodes.filter(({ chatId }) => isShown.has(chatId));
  return [...binned.map((chat) => toBinEntry('chat', chat, chat.title)), ...toMessageEntries(inShown)];
}

function toBinEntry(kind: BinKind, row: BinnableRow, name: string): BinEntry {
  return { kind, id: row.id, name: name.slice(0, maxNameCharacters), deletedAt: row.deletedAt ?? Infinity };
}

/** Creates one entry per group of messages deleted together, named after the first of them. Expects parents before children. */
function toMessageEntries(nodes: readonly MessageNode[]): BinEntry[] {
  const groupOf = new Map<string | null, { first: MessageNode; count: number }>();
  for (const node of nodes) {
    const ofParent = groupOf.get(node.parentId);
    const isTogether = ofParent?.first.deletedAt === node.deletedAt;
    const group = ofParent && isTogether ? ofParent : { first: node, count: 0 };
    group.count += 1;
    groupOf.set(node.id, group);
  }
  return [...new Set(groupOf.values())].map(({ first, count }) => ({
    ...toBinEntry('messages', first, nameOfMessage(first)),
    count,
  }));
}

function nameOfMessage({ message }: MessageNode): string {
  if (message.role !== 'user' && message.role !== 'assistant') return '';
  const text = textOf(message.content.filter((part) => part.type === 'text'));
  return text.replace(/\s+/g, ' ').trim().slice(0, maxNameCharacters);
}

/** Stores of one table each: settings, folders, queued messages, requests, statistics, exams, tool index, drafts, permissions. */
import { Draft, Folder, FollowUp } from '../contracts/chat';
import { RequestRecord } from '../contracts/egress';
import { ExamRecord, type ExamStore } from '../contracts/exam';
import { Grant } from '../contracts/permission';
import { read, type z } from '../contracts/schema';
import { Settings } from '../contracts/settings';
import type {
  DraftStore,
  FolderStore,
  FollowUpStore,
  GrantStore,
  RequestStore,
  SettingsStore,
  StatisticsStore,
  ToolIndexStore,
} from '../contracts/store';
import { ToolIndex, ToolStatistics } from '../contracts/tool';
import { filesIn } from './attachments';
import { isGrantOf, isGrantOfTool, nameInContent, readDraft } from './collections';
import { attempt } from './storage-error';
import type { Tables } from './tables';
import { shownOf } from './read-rows';

/** Parses rows and skips damaged ones, which stay in their table. */
function readableRows<Row>(schema: z.ZodMiniType<Row>, rows: readonly unknown[]): Row[] {
  return rows.flatMap((row) => {
    const parsed = read(schema, row);
    return parsed.ok ? [parsed.value] : [];
  });
}

export function createSettings(tables: Tables): SettingsStore {
  return {
    load: () => attempt(() => loadSettings(tables)),
    save: (changed) => attempt(() => saveSettings(tables, changed)),
    watchModels(onModels, onError) {
      tables.watch(
        ({ settings }) => Promise.resolve(settings.bulkGet(['ownModels', 'binnedModels'])),
        (rows) => {
          const { ownModels, binnedModels } = parseSettings(rows.flatMap((row) => row ?? []));
          onModels({ ownModels, binnedModels });
        },
        onError,
      );
    },
  };
}

export async function loadSettings({ settings }: Tables): Promise<Settings> {
  return parseSettings(await settings.toArray());
}

export async function saveSettings({ settings }: Tables, changed: Partial<Settings>): Promise<void> {
  await settings.bulkPut(Object.entries(changed).map(([key, value]) => ({ key, value })));
}

function parseSettings(rows: readonly { key: string; value: unknown }[]): Settings {
  return Settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}

export function createFolders(tables: Tables): FolderStore {
  return {
    watch: (onList, onError) =>
      tables.watch(
        ({ folders }) => Promise.resolve(folders.toArray()),
        (rows) => onList(readableRows(Folder, rows).sort((a, b) => a.createdAt - b.createdAt)),
        onError,
      ),
    async save(folder) {
      await attempt(() => tables.folders.put(folder));
    },
    remove: (id) => attempt(() => tables.folders.delete(id)),
  };
}

/** Queued messages. `ChatStore.save` removes one in the transaction that writes its question. */
export function createFollowUps(tables: Tables): FollowUpStore {
  const inOrder = (rows: readonly unknown[]) =>
    readableRows(FollowUp, rows).sort((one, other) => one.place - other.place);
  return {
    watch: (onList, onError) =>
      tables.watch(
        ({ followUps }) => Promise.resolve(followUps.toArray()),
        (rows) => onList(inOrder(rows)),
        onError,
      ),
    list: async (chatId) =>
      inOrder(await attempt(() => tables.followUps.where('chatId').equals(chatId).toArray())),
    async add(followUp) {
      await attempt(() => tables.followUps.put(followUp));
    },
    async change(id, changed) {
      // `update` rather than `put`, so that a queued message sent or removed by another tab is not restored.
      await attempt(() => tables.followUps.update(id, changed));
    },
    remove: (id) => attempt(() => tables.followUps.delete(id)),
  };
}

const maxRequests = 500;

export function createRequests(tables: Tables): RequestStore {
  return {
    add: (record) =>
      tables.write(['requests'], async ({ requests }) => {
        await requests.add(record);
        const surplus = (await requests.count()) - maxRequests;
        if (surplus <= 0) return;
        await requests.bulkDelete(await requests.orderBy('at').limit(surplus).primaryKeys());
      }),
    watch: (onList, onError) =>
      tables.watch(
        ({ requests }) => Promise.resolve(requests.orderBy('at').reverse().toArray()),
        (rows) => onList(readableRows(RequestRecord, rows)),
        onError,
      ),
    clear: () => attempt(() => tables.requests.clear()),
  };
}

/** One row per tool. An unreadable row is overwritten by the next call. */
export function createStatistics(tables: Tables): StatisticsStore {
  return {
    // In a transaction, because two tabs may count a call at the same time.
    add: (added) =>
      tables.write(['toolStatistics'], async ({ toolStatistics }) => {
        const [known] = readableRows(ToolStatistics, [await toolStatistics.get(added.name)]);
        await toolStatistics.put(known ? addStatistics(known, added) : added);
      }),
    watch: (onList, onError) =>
      tables.watch(
        ({ toolStatistics }) => Promise.resolve(toolStatistics.toArray()),
        (rows) => onList(readableRows(ToolStatistics, rows)),
        onError,
      ),
  };
}

function addStatistics(one: ToolStatistics, other: ToolStatistics): ToolStatistics {
  return {
    name: one.name,
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    repairs: one.repairs + other.repairs,
    totalMs: one.totalMs + other.totalMs,
  };
}

export function createExams(tables: Tables): ExamStore {
  return {
    list: async () => readableRows(ExamRecord, await attempt(() => tables.exams.toArray())),
    async save(record) {
      await attempt(() => tables.exams.put(record));
    },
    remove: (modelId) => attempt(() => tables.exams.delete(modelId)),
  };
}

export function createToolIndex(tables: Tables): ToolIndexStore {
  const id = 'tools';
  return {
    async load() {
      const row = await attempt(() => tables.toolIndex.get(id));
      return readableRows(ToolIndex, [row?.index])[0];
    },
    async save(index) {
      await attempt(() => tables.toolIndex.put({ id, index }));
    },
  };
}

export function createDrafts(tables: Tables): DraftStore {
  const load = (chatId: string) => readDraft(tables, 'drafts', chatId, Draft);
  return {
    load,
    async listUnbegun() {
      const chatIds = await attempt(() => tables.drafts.toCollection().primaryKeys());
      const found = await attempt(() => tables.chats.bulkGet(chatIds));
      const unbegun = chatIds.filter((_, index) => !found[index]);
      const drafts = await Promise.all(unbegun.map(load));
      return drafts.filter((draft) => draft !== undefined);
    },
    async save(chatId, text, others = {}) {
      const { attached, edits } = others;
      if (text === '' && !attached && !edits) return attempt(() => tables.drafts.delete(chatId));
      const draft = { chatId, text, ...others };
      const files = filesIn(attached).map(({ fileId }) => fileId);
      if (files.length === 0) {
        await attempt(() => tables.drafts.put(draft));
        return;
      }
      await tables.write(['drafts', 'attachments'], async ({ drafts, attachments }) => {
        await drafts.put(draft);
        // If a new chat takes over this draft, it takes over the files too.
        const moved = attachments.where('id').anyOf(files);
        await moved.filter((file) => file.chatId !== chatId).modify({ chatId });
      });
    },
  };
}

export function createGrants(tables: Tables): GrantStore {
  return {
    list: () => attempt(() => listGrants(tables)),
    watch: (onList, onError) => tables.watch(listGrants, onList, onError),
    add: (grant) =>
      tables.write(['grants', 'chats'], async ({ grants, chats }) => {
        // If the chat was deleted in the meantime, store no permission that would outlive it.
        if (grant.chatId !== null && !(await chats.get(grant.chatId))) return;
        await grants.put(grant);
      }),
    remove: (id) => attempt(() => tables.grants.delete(id)),
  };
}

async function listGrants(tables: Tables): Promise<Grant[]> {
  const [rows, isOfBin]: [unknown[], (grant: Grant) => boolean] = await Promise.all([
    tables.grants.toArray(),
    readBin(tables),
  ]);
  // An unreadable row grants nothing.
  const grants = rows.map((row) => read(Grant, row)).flatMap((grant) => (grant.ok ? [grant.value] : []));
  return grants.filter((grant) => !isOfBin(grant)).sort((a, b) => b.createdAt - a.createdAt);
}

/** Returns a test for permissions whose tool, server or chat is in the bin. They apply again when that item is restored. */
async function readBin(tables: Tables): Promise<(grant: Grant) => boolean> {
  const { chats, mcpServers, customTools } = tables;
  const [ofChats, servers, tools] = await Promise.all([
    chats.where('deletedAt').above(0).primaryKeys(),
    mcpServers.where('deletedAt').above(0).primaryKeys(),
    customTools.where('deletedAt').above(0).toArray(),
  ]);
  const shown = tools.length === 0 ? [] : shownOf(await customTools.toArray());
  const taken = new Set(shown.map(nameInContent));
  const names = tools.map(nameInContent).filter((name) => !taken.has(name));
  return (grant) =>
    ofChats.some((id) => id === grant.chatId) ||
    servers.some((id) => isGrantOf(id, grant)) ||
    names.some((name) => isGrantOfTool(name, grant));
}

/** Stores of one table each: settings, folders, queued messages, requests, statistics, exams, tool index, drafts, permissions. */
import { Draft, Folder, FollowUp } from '../contracts/chat';
import { RequestRecord } from '../contracts/egress';
import { ExamRecord, type ExamStore } from '../contracts/exam';
import { Grant } from '../contracts/permission';
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
import { attachedFilesIn } from './attachments';
import { isGrantOfServer, isGrantOfTool, nameInContent, readDraft } from './collections';
import { runQuery, runWrite } from './storage-error';
import type { Tables } from './tables';
import { parseReadableRows, withoutBinned } from './read-rows';

export function createSettings(tables: Tables): SettingsStore {
  return {
    load: () => runQuery(() => loadSettings(tables)),
    save: (changed) => runQuery(() => saveSettings(tables, changed)),
    watchModels(onModels, onError) {
      const query = async ({ settings }: Tables) => {
        const rows = await settings.bulkGet(['ownModels', 'binnedModels']);
        const { ownModels, binnedModels } = parseSettings(rows.filter((row) => row !== undefined));
        return { ownModels, binnedModels };
      };
      tables.watch(query, onModels, onError);
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
  const list = async ({ folders }: Tables) =>
    parseReadableRows(Folder, await folders.toArray()).sort((a, b) => a.createdAt - b.createdAt);
  return {
    watch: (onList, onError) => tables.watch(list, onList, onError),
    save: (folder) => runWrite(() => tables.folders.put(folder)),
    remove: (id) => runQuery(() => tables.folders.delete(id)),
  };
}

export function createFollowUps(tables: Tables): FollowUpStore {
  const inOrder = (rows: readonly unknown[]) =>
    parseReadableRows(FollowUp, rows).sort((one, other) => one.place - other.place);
  return {
    watch: (onList, onError) =>
      tables.watch(async ({ followUps }) => inOrder(await followUps.toArray()), onList, onError),
    list: async (chatId) =>
      inOrder(await runQuery(() => tables.followUps.where('chatId').equals(chatId).toArray())),
    add: (followUp) => runWrite(() => tables.followUps.put(followUp)),
    // Use `update` rather than `put`, so a queued message sent or removed by another tab is not restored.
    change: (id, changed) => runWrite(() => tables.followUps.update(id, changed)),
    remove: (id) => runQuery(() => tables.followUps.delete(id)),
  };
}

const maxRequests = 500;

export function createRequests(tables: Tables): RequestStore {
  const list = async ({ requests }: Tables) =>
    parseReadableRows(RequestRecord, await requests.orderBy('at').reverse().toArray());
  return {
    add: (record) =>
      tables.write(['requests'], async ({ requests }) => {
        await requests.add(record);
        const surplus = (await requests.count()) - maxRequests;
        if (surplus <= 0) return;
        await requests.bulkDelete(await requests.orderBy('at').limit(surplus).primaryKeys());
      }),
    watch: (onList, onError) => tables.watch(list, onList, onError),
    clear: () => runQuery(() => tables.requests.clear()),
  };
}

/** Stores one row per tool. The next call overwrites an unreadable row. */
export function createStatistics(tables: Tables): StatisticsStore {
  const list = async ({ toolStatistics }: Tables) =>
    parseReadableRows(ToolStatistics, await toolStatistics.toArray());
  return {
    // Use a transaction, because two tabs may count a call at the same time.
    add: (added) =>
      tables.write(['toolStatistics'], async ({ toolStatistics }) => {
        const [known] = parseReadableRows(ToolStatistics, [await toolStatistics.get(added.name)]);
        await toolStatistics.put({
          name: added.name,
          calls: added.calls + (known?.calls ?? 0),
          failures: added.failures + (known?.failures ?? 0),
          repairs: added.repairs + (known?.repairs ?? 0),
          totalMs: added.totalMs + (known?.totalMs ?? 0),
        });
      }),
    watch: (onList, onError) => tables.watch(list, onList, onError),
  };
}

export function createExams(tables: Tables): ExamStore {
  return {
    list: async () => parseReadableRows(ExamRecord, await runQuery(() => tables.exams.toArray())),
    save: (record) => runWrite(() => tables.exams.put(record)),
    remove: (modelId) => runQuery(() => tables.exams.delete(modelId)),
  };
}

export function createToolIndex(tables: Tables): ToolIndexStore {
  const id = 'tools';
  return {
    async load() {
      const row = await runQuery(() => tables.toolIndex.get(id));
      return parseReadableRows(ToolIndex, [row?.index])[0];
    },
    save: (index) => runWrite(() => tables.toolIndex.put({ id, index })),
  };
}

export function createDrafts(tables: Tables): DraftStore {
  const load = (chatId: string) => readDraft(tables, 'drafts', chatId, Draft);
  return {
    load,
    async listUnbegun() {
      const chatIds = await runQuery(() => tables.drafts.toCollection().primaryKeys());
      const found = await runQuery(() => tables.chats.bulkGet(chatIds));
      const unbegun = chatIds.filter((_, index) => !found[index]);
      const drafts = await Promise.all(unbegun.map(load));
      return drafts.filter((draft) => draft !== undefined);
    },
    async save(chatId, text, others = { origins: [] }) {
      const { attached, edits, inserted } = others;
      if (text === '' && !attached && !edits && !inserted)
        return runQuery(() => tables.drafts.delete(chatId));
      const draft = { chatId, text, ...others };
      const files = attachedFilesIn(attached).map(({ fileId }) => fileId);
      if (files.length === 0) return runWrite(() => tables.drafts.put(draft));
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
    list: () => runQuery(() => listGrants(tables)),
    watch: (onList, onError) => tables.watch(listGrants, onList, onError),
    add: (grant) =>
      tables.write(['grants', 'chats'], async ({ grants, chats }) => {
        // If the chat was deleted meanwhile, store no permission that would outlive it.
        if (grant.chatId !== null && !(await chats.get(grant.chatId))) return;
        await grants.put(grant);
      }),
    remove: (id) => runQuery(() => tables.grants.delete(id)),
  };
}

async function listGrants(tables: Tables): Promise<Grant[]> {
  const [rows, isOfBin] = await Promise.all([tables.grants.toArray(), createFilterForGrantsInBin(tables)]);
  const grants = parseReadableRows(Grant, rows).filter((grant) => !isOfBin(grant));
  return grants.sort((a, b) => b.createdAt - a.createdAt);
}

/** Returns a test for permissions whose tool, server or chat is in the bin. They apply again when that item is restored. */
async function createFilterForGrantsInBin(tables: Tables): Promise<(grant: Grant) => boolean> {
  const { chats, mcpServers, customTools } = tables;
  const [ofChats, servers, tools] = await Promise.all([
    chats.where('deletedAt').above(0).primaryKeys(),
    mcpServers.where('deletedAt').above(0).primaryKeys(),
    customTools.where('deletedAt').above(0).toArray(),
  ]);
  const shown = tools.length === 0 ? [] : withoutBinned(await customTools.toArray());
  const shownNames = new Set(shown.map(nameInContent));
  const binnedNames = tools.map(nameInContent).filter((name) => !shownNames.has(name));
  return (grant) =>
    ofChats.some((id) => id === grant.chatId) ||
    servers.some((id) => isGrantOfServer(id, grant)) ||
    binnedNames.some((name) => isGrantOfTool(name, grant));
}

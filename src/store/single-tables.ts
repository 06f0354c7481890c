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
import { filesIn } from './attachments';
import { isGrantOf, isGrantOfTool, nameInContent, readDraft } from './collections';
import { attempt, attemptWrite } from './storage-error';
import type { Tables } from './tables';
import { readableRows, shownOf } from './read-rows';

export function createSettings(tables: Tables): SettingsStore {
  return {
    load: () => attempt(() => loadSettings(tables)),
    save: (changed) => attempt(() => saveSettings(tables, changed)),
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
    readableRows(Folder, await folders.toArray()).sort((a, b) => a.createdAt - b.createdAt);
  return {
    watch: (onList, onError) => tables.watch(list, onList, onError),
    save: (folder) => attemptWrite(() => tables.folders.put(folder)),
    remove: (id) => attempt(() => tables.folders.delete(id)),
  };
}

export function createFollowUps(tables: Tables): FollowUpStore {
  const inOrder = (rows: readonly unknown[]) =>
    readableRows(FollowUp, rows).sort((one, other) => one.place - other.place);
  return {
    watch: (onList, onError) =>
      tables.watch(async ({ followUps }) => inOrder(await followUps.toArray()), onList, onError),
    list: async (chatId) =>
      inOrder(await attempt(() => tables.followUps.where('chatId').equals(chatId).toArray())),
    add: (followUp) => attemptWrite(() => tables.followUps.put(followUp)),
    // `update` rather than `put`, so that a queued message sent or removed by another tab is not restored.
    change: (id, changed) => attemptWrite(() => tables.followUps.update(id, changed)),
    remove: (id) => attempt(() => tables.followUps.delete(id)),
  };
}

const maxRequests = 500;

export function createRequests(tables: Tables): RequestStore {
  const list = async ({ requests }: Tables) =>
    readableRows(RequestRecord, await requests.orderBy('at').reverse().toArray());
  return {
    add: (record) =>
      tables.write(['requests'], async ({ requests }) => {
        await requests.add(record);
        const surplus = (await requests.count()) - maxRequests;
        if (surplus <= 0) return;
        await requests.bulkDelete(await requests.orderBy('at').limit(surplus).primaryKeys());
      }),
    watch: (onList, onError) => tables.watch(list, onList, onError),
    clear: () => attempt(() => tables.requests.clear()),
  };
}

/** One row per tool. An unreadable row is overwritten by the next call. */
export function createStatistics(tables: Tables): StatisticsStore {
  const list = async ({ toolStatistics }: Tables) =>
    readableRows(ToolStatistics, await toolStatistics.toArray());
  return {
    // In a transaction, because two tabs may count a call at the same time.
    add: (added) =>
      tables.write(['toolStatistics'], async ({ toolStatistics }) => {
        const [known] = readableRows(ToolStatistics, [await toolStatistics.get(added.name)]);
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
    list: async () => readableRows(ExamRecord, await attempt(() => tables.exams.toArray())),
    save: (record) => attemptWrite(() => tables.exams.put(record)),
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
    save: (index) => attemptWrite(() => tables.toolIndex.put({ id, index })),
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
      if (files.length === 0) return attemptWrite(() => tables.drafts.put(draft));
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
  const [rows, isOfBin] = await Promise.all([tables.grants.toArray(), readBin(tables)]);
  // An unreadable row grants nothing.
  const grants = readableRows(Grant, rows).filter((grant) => !isOfBin(grant));
  return grants.sort((a, b) => b.createdAt - a.createdAt);
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
  const shownNames = new Set(shown.map(nameInContent));
  const binnedNames = tools.map(nameInContent).filter((name) => !shownNames.has(name));
  return (grant) =>
    ofChats.some((id) => id === grant.chatId) ||
    servers.some((id) => isGrantOf(id, grant)) ||
    binnedNames.some((name) => isGrantOfTool(name, grant));
}

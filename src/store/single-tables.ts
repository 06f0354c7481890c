/** The stores that are one table each: settings, folders, follow-ups, requests, statistics, exams and the index of tools. */
import { ExamRecord, type ExamStore } from '../contracts/exam';
import { RequestRecord } from '../contracts/egress';
import { Folder, FollowUp } from '../contracts/chat';
import { read, type z } from '../contracts/schema';
import { Settings } from '../contracts/settings';
import type {
  FolderStore,
  FollowUpStore,
  RequestStore,
  SettingsStore,
  StatisticsStore,
  ToolIndexStore,
} from '../contracts/store';
import { ToolIndex, ToolStatistics } from '../contracts/tool';
import { attempt } from './storage-error';
import type { Tables } from './tables';

/** Damaged rows stay in their table and are left out. */
function readable<Row>(schema: z.ZodMiniType<Row>, rows: readonly unknown[]): Row[] {
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

/** The schema gives each field that cannot be read its default. */
function parseSettings(rows: readonly { key: string; value: unknown }[]): Settings {
  return Settings.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])));
}

/** A folder that cannot be read is left out; its chats are then in no folder. */
export function createFolders(tables: Tables): FolderStore {
  return {
    watch: (onList, onError) =>
      tables.watch(
        ({ folders }) => Promise.resolve(folders.toArray()),
        (rows) => onList(readable(Folder, rows).sort((a, b) => a.createdAt - b.createdAt)),
        onError,
      ),
    async save(folder) {
      await attempt(() => tables.folders.put(folder));
    },
    remove: (id) => attempt(() => tables.folders.delete(id)),
  };
}

/** `Chats.save` removes a follow-up in the transaction that writes its question. */
export function createFollowUps(tables: Tables): FollowUpStore {
  const inOrder = (rows: readonly unknown[]) =>
    readable(FollowUp, rows).sort((one, other) => one.place - other.place);
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
      // Not `put`: a follow-up that another tab has asked or removed meanwhile stays removed.
      await attempt(() => tables.followUps.update(id, changed));
    },
    remove: (id) => attempt(() => tables.followUps.delete(id)),
  };
}

/** How many requests are kept: the newest. */
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
        (rows) => onList(readable(RequestRecord, rows)),
        onError,
      ),
    clear: () => attempt(() => tables.requests.clear()),
  };
}

/** Each tool has one row. A row that cannot be read is overwritten by the next call. */
export function createStatistics(tables: Tables): StatisticsStore {
  return {
    // In one transaction, because two tabs may count at once.
    add: (added) =>
      tables.write(['toolStatistics'], async ({ toolStatistics }) => {
        const [known] = readable(ToolStatistics, [await toolStatistics.get(added.name)]);
        await toolStatistics.put(known ? sum(known, added) : added);
      }),
    watch: (onList, onError) =>
      tables.watch(
        ({ toolStatistics }) => Promise.resolve(toolStatistics.toArray()),
        (rows) => onList(readable(ToolStatistics, rows)),
        onError,
      ),
  };
}

function sum(one: ToolStatistics, other: ToolStatistics): ToolStatistics {
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
    list: async () => readable(ExamRecord, await attempt(() => tables.exams.toArray())),
    async save(record) {
      await attempt(() => tables.exams.put(record));
    },
    remove: (modelId) => attempt(() => tables.exams.delete(modelId)),
  };
}

/** One row, because the index is read and written as a whole. */
export function createToolIndex(tables: Tables): ToolIndexStore {
  const id = 'tools';
  return {
    async load() {
      const row = await attempt(() => tables.toolIndex.get(id));
      // An index that cannot be read is built again from the tools.
      return readable(ToolIndex, [row?.index])[0];
    },
    async save(index) {
      await attempt(() => tables.toolIndex.put({ id, index }));
    },
  };
}

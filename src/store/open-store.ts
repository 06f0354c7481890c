/** Opens the store. If it cannot be opened, `condition` says so, and the page still starts. */
import { binRetentionMs, type Store } from '../contracts/store';
import { createAttachments, deleteStrayFiles } from './attachments';
import { createBin } from './bin';
import { createChats } from './chats';
import {
  createCustomTools,
  createMcpServers,
  createNotes,
  createOwnPrompts,
  createPersonas,
} from './collections';
import { Database } from './database';
import {
  createDrafts,
  createExams,
  createFolders,
  createFollowUps,
  createGrants,
  createRequests,
  createSettings,
  createStatistics,
  createToolIndex,
} from './single-tables';
import { createMapTables } from './map-tables';
import { startNewLog } from './new-log';
import { createResults, deleteOrphanedResults } from './results';
import { createSentinel, noSentinel, type Sentinel } from './sentinel';
import type { Tables } from './tables';
import { Tally } from './tally';
import { deleteAllOfKind, deleteOldTraces, recoverChats } from './upkeep';

export interface OpenOptions {
  name?: string;
  /** Called if another tab keeps an older version open. Opening continues when that tab is closed. */
  onBlocked?: () => void;
  /** Called when nothing more can be written. Another tab `updated` or `deleted` the database, or the browser closed it (`lost`). */
  onClosed?: (reason: 'updated' | 'deleted' | 'lost') => void;
  now?: () => number;
  sentinel?: Sentinel;
}

/**
 * `memory`: the browser stores nothing beyond this visit. `unreadable`: the browser cannot open the database. `newer`: a newer version of
 * Hearth wrote it. In all three cases, this visit's data stays in memory. `detail` gives the reason, for diagnostics.
 */
export type OpenStore = Store &
  ({ condition: 'ok' } | { condition: 'memory' | 'unreadable' | 'newer'; detail: string });

export async function openStore(options: OpenOptions = {}): Promise<OpenStore> {
  const { name = 'hearth', now = Date.now, sentinel = createSentinel(name) } = options;
  const database = new Database(name);
  const own = database.verno;
  try {
    // Check before Dexie opens the database, because Dexie would add missing tables to a newer one.
    let found = await findInstalledVersion(name);
    if (found <= own) {
      await openWithHandlers(database, sentinel, options);
      // Check again, because some browsers do not list databases, and another tab may just have upgraded this one.
      found = Math.floor(database.backendDB().version / 10);
    }
    if (found > own) {
      database.close();
      const detail = `Version ${found} is there; this is ${own}.`;
      return { ...createMemoryStore(now), condition: 'newer', detail };
    }
  } catch (error) {
    database.close();
    const condition = isStorageRefused(error) ? 'memory' : 'unreadable';
    return { ...createMemoryStore(now), condition, detail: String(error) };
  }

  // This must start before the first write of the visit. Do not wait for it.
  void startNewLog().catch(() => undefined);
  const tally = new Tally(database, sentinel);
  await tally.catchUpWithSentinel().catch(() => undefined);
  const store = createStore(database, tally, now);
  return {
    condition: 'ok',
    ...store,
    inspect: async () => {
      const shortage = await tally.findLostMessages().catch((error: unknown) => {
        if (database.isOpen()) throw error;
        // The database was closed for deletion or an upgrade, so nobody needs the result.
        return undefined;
      });
      // Ignore errors of this cleanup, because the next visit runs it again.
      await Promise.allSettled([
        recoverChats(database),
        deleteOldTraces(database),
        deleteOrphanedResults(database),
      ]);
      await deleteStrayFiles(database, now()).catch(() => undefined);
      await store.bin.purgeBefore(now() - binRetentionMs).catch(() => undefined);
      return shortage;
    },
    close: () => database.close(),
  };
}

export function createMemoryStore(now: () => number = Date.now): Store {
  const tables = createMapTables();
  return {
    ...createStore(tables, new Tally(tables, noSentinel), now),
    inspect: () => Promise.resolve(undefined),
    close: () => undefined,
  };
}

function createStore(tables: Tables, tally: Tally, now: () => number): Omit<Store, 'inspect' | 'close'> {
  return {
    chats: createChats(tables, tally, now),
    drafts: createDrafts(tables),
    followUps: createFollowUps(tables),
    settings: createSettings(tables),
    grants: createGrants(tables),
    requests: createRequests(tables),
    statistics: createStatistics(tables),
    customTools: createCustomTools(tables),
    toolIndex: createToolIndex(tables),
    notes: createNotes(tables),
    ownPrompts: createOwnPrompts(tables),
    results: createResults(tables),
    attachments: createAttachments(tables),
    personas: createPersonas(tables),
    mcpServers: createMcpServers(tables),
    exams: createExams(tables),
    folders: createFolders(tables),
    bin: createBin(tables, tally, now),
    acceptShortage: () => tally.acceptCurrentCount(),
    empty: (kind) => deleteAllOfKind(tables, tally, kind),
  };
}

/** Names of errors thrown if a page must not store anything, as in a private window. Other errors mean unreadable data. */
const refusalErrorNames = ['SecurityError', 'InvalidStateError', 'MissingAPIError', 'NotSupportedError'];

function isStorageRefused(error: unknown): boolean {
  if (!('indexedDB' in globalThis) || error instanceof ReferenceError) return true;
  if (!(error instanceof Error)) return false;
  return refusalErrorNames.includes(error.name) || ('inner' in error && isStorageRefused(error.inner));
}

/** Opens the database. If another tab needs it later, closes it for good, so that tab need not wait. */
async function openWithHandlers(database: Database, sentinel: Sentinel, options: OpenOptions): Promise<void> {
  database.on('blocked', () => options.onBlocked?.());
  database.on('versionchange', ({ newVersion }) => {
    if (newVersion === null) sentinel.forget();
    database.close();
    options.onClosed?.(newVersion === null ? 'deleted' : 'updated');
  });
  await database.open();
  database.backendDB().addEventListener('close', () => options.onClosed?.('lost'));
}

/** Resolves to Dexie's version of the database, a tenth of IndexedDB's. 0 if there is no database or the browser does not say. */
async function findInstalledVersion(name: string): Promise<number> {
  try {
    const databases = await indexedDB.databases();
    return Math.floor((databases.find((database) => database.name === name)?.version ?? 0) / 10);
  } catch {
    // Firefox before version 126 cannot list databases. If IndexedDB is missing, opening reports a better error.
    return 0;
  }
}

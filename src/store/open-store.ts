/** Opens the store once, and says as data in which condition it is: it never keeps the page from starting. */
import { binMs, type Store } from '../contracts/store';
import { createAttachments, dropStrayFiles } from './attachments';
import { createBin } from './bin';
import { createChats } from './chats';
import { createCustomTools } from './custom-tools';
import { Database } from './database';
import { createDrafts } from './drafts';
import { createGrants } from './grants';
import { createMapTables } from './map-tables';
import { createMcpServers } from './mcp-servers';
import { beginNewLog } from './new-log';
import { createNotes } from './notes';
import { createOwnPrompts } from './own-prompts';
import { createPersonas } from './personas';
import { createResults, dropOrphans } from './results';
import { createSentinel, noSentinel, type Sentinel } from './sentinel';
import {
  createExams,
  createFolders,
  createFollowUps,
  createRequests,
  createSettings,
  createStatistics,
  createToolIndex,
} from './single-tables';
import type { Tables } from './tables';
import { Tally } from './tally';
import { emptyKind, pruneTraces, recoverChats } from './upkeep';

export interface OpenOptions {
  name?: string;
  /** Another tab holds an older version open and does not let go: opening goes on once it is closed. */
  onBlocked?: () => void;
  /** The database was taken from under the open store, by another tab or the browser: nothing more can be written. */
  onClosed?: (reason: ClosedReason) => void;
  /** Milliseconds since the epoch. */
  now?: () => number;
  sentinel?: Sentinel;
}

/** `updated`: a newer Hearth runs in another tab. `deleted`: another tab deleted everything. `lost`: the browser closed it. */
export type ClosedReason = 'updated' | 'deleted' | 'lost';

export type OpenStore = Store &
  (
    | { condition: 'ok' }
    /** Nothing can be kept beyond this visit. `detail` says why, for diagnostics. */
    | { condition: 'memory'; detail: string }
    /** The browser cannot open what is there: it is left as it is, and this visit is kept in memory. */
    | { condition: 'unreadable'; detail: string }
    /** Written by a newer Hearth: left untouched, and this visit is kept in memory. */
    | { condition: 'newer'; detail: string }
  );

export async function openStore(options: OpenOptions = {}): Promise<OpenStore> {
  const { name = 'hearth', now = Date.now, sentinel = createSentinel(name) } = options;
  const database = new Database(name);
  const own = database.verno;
  try {
    // Before Dexie opens it: Dexie would take a newer database for its own and add what it misses there.
    let found = await installedVersion(name);
    if (found <= own) {
      await openGuarded(database, sentinel, options);
      // Again, for a browser that does not list its databases, or another tab that was faster.
      found = Math.floor(database.backendDB().version / 10);
    }
    if (found > own) {
      database.close();
      return {
        ...createMemoryStore(now),
        condition: 'newer',
        detail: `Version ${found} is there; this is ${own}.`,
      };
    }
  } catch (error) {
    database.close();
    const condition = isRefused(error) ? 'memory' : 'unreadable';
    return { ...createMemoryStore(now), condition, detail: String(error) };
  }

  // Before anything is written in this visit; nothing waits for it.
  void beginNewLog().catch(() => undefined);
  const tally = new Tally(database, sentinel);
  // What cannot be written down this time is found again at the next start.
  await tally.catchUp().catch(() => undefined);
  const store = createStore(database, tally, now);
  return {
    condition: 'ok',
    ...store,
    inspect: async () => {
      const shortage = await tally.check().catch((error: unknown) => {
        if (database.isOpen()) throw error;
        // Closed meanwhile, to be deleted or changed: nobody asks any more.
        return undefined;
      });
      // Upkeep that fails is done at the next start.
      await Promise.allSettled([recoverChats(database), pruneTraces(database), dropOrphans(database)]);
      await dropStrayFiles(database, now()).catch(() => undefined);
      await store.bin.purgeBefore(now() - binMs).catch(() => undefined);
      return shortage;
    },
    close: () => database.close(),
  };
}

/** A store that keeps nothing beyond this visit. `now` in milliseconds since the epoch. */
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
    acceptShortage: () => tally.accept(),
    empty: (kind) => emptyKind(tables, tally, kind),
  };
}

/** Names of what browsers throw where a page may keep nothing, as in a private window. All else means that they could not read what they have. */
const refusals = new Set(['SecurityError', 'InvalidStateError', 'MissingAPIError', 'NotSupportedError']);

function isRefused(error: unknown): boolean {
  // Where there is no IndexedDB at all, its name is unknown.
  if (!('indexedDB' in globalThis) || error instanceof ReferenceError) return true;
  if (!(error instanceof Error)) return false;
  return refusals.has(error.name) || ('inner' in error && isRefused(error.inner));
}

/** Opens the database, and closes it for good when another tab wants it: a tab that held on would block that one. */
async function openGuarded(database: Database, sentinel: Sentinel, options: OpenOptions): Promise<void> {
  database.on('blocked', () => options.onBlocked?.());
  database.on('versionchange', ({ newVersion }) => {
    if (newVersion === null) sentinel.forget();
    database.close();
    options.onClosed?.(newVersion === null ? 'deleted' : 'updated');
  });
  await database.open();
  database.backendDB().addEventListener('close', () => options.onClosed?.('lost'));
}

/** The version of the database by Dexie's count, a tenth of IndexedDB's. 0 where there is none, or the browser does not say. */
async function installedVersion(name: string): Promise<number> {
  try {
    const databases = await indexedDB.databases();
    return Math.floor((databases.find((database) => database.name === name)?.version ?? 0) / 10);
  } catch {
    // Missing in Firefox before 126. If there is no IndexedDB at all, opening it says so better.
    return 0;
  }
}

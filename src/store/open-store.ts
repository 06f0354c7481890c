/** Opens the store once, and says as data in which condition it is: it never keeps the page from starting. */
import { Attachments, dropStrayFiles } from './attachments';
import { Chats } from './chats';
import { CustomTools } from './custom-tools';
import { Database } from './database';
import { Drafts } from './drafts';
import { Bin } from './bin';
import { emptyKind } from './empty';
import { Exams } from './exams';
import { FollowUps } from './follow-ups';
import { Folders } from './folders';
import { Grants } from './grants';
import { createMemoryDrafts, createMemoryRequests, createMemorySettings } from './memory';
import { createMemoryAttachments } from './memory-attachments';
import { createMemoryBin } from './memory-bin';
import { createMemoryChats } from './memory-chats';
import { createMemoryFollowUps } from './memory-follow-ups';
import { createMemoryFolders } from './memory-folders';
import { Requests } from './requests';
import { dropOrphans, Results } from './results';
import { createMemoryCustomTools } from './memory-custom-tools';
import { createMemoryExams } from './memory-exams';
import { createMemoryGrants } from './memory-grants';
import { createMemoryMcpServers } from './memory-mcp-servers';
import { createMemoryNotes } from './memory-notes';
import { createMemoryPersonas } from './memory-personas';
import { createMemoryResults } from './memory-results';
import { createMemoryStatistics } from './memory-statistics';
import { beginNewLog } from './new-log';
import { Notes } from './notes';
import { createMemoryOwnPrompts } from './memory-own-prompts';
import { OwnPrompts } from './own-prompts';
import { McpServers } from './mcp-servers';
import { Personas } from './personas';
import { SavedSettings } from './saved-settings';
import { Statistics } from './statistics';
import { createSentinel, type Sentinel } from './sentinel';
import { attempt } from './storage-error';
import { SavedToolIndex } from './tool-index';
import type { Store } from '../contracts/store';
import { Tally } from './tally';
import { pruneTraces, recoverChats } from './upkeep';
import { binMs } from '../contracts/bin';

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
        ...memoryStore(now),
        condition: 'newer',
        detail: `Version ${found} is there; this is ${own}.`,
      };
    }
  } catch (error) {
    database.close();
    const condition = isRefused(error) ? 'memory' : 'unreadable';
    return { ...memoryStore(now), condition, detail: String(error) };
  }

  // Before anything is written in this visit; nothing waits for it.
  void beginNewLog().catch(() => undefined);
  const tally = new Tally(database, sentinel);
  // What cannot be written down this time is found again at the next start.
  await tally.catchUp().catch(() => undefined);
  const binned = {
    chats: new Chats(database, tally, now),
    customTools: new CustomTools(database),
    notes: new Notes(database),
    ownPrompts: new OwnPrompts(database),
    personas: new Personas(database),
    mcpServers: new McpServers(database),
    settings: new SavedSettings(database),
    exams: new Exams(database),
  };
  const bin = new Bin(database, binned, now);
  return {
    condition: 'ok',
    ...binned,
    bin,
    drafts: new Drafts(database),
    followUps: new FollowUps(database),
    grants: new Grants(database),
    requests: new Requests(database),
    statistics: new Statistics(database),
    toolIndex: new SavedToolIndex(database),
    results: new Results(database),
    attachments: new Attachments(database),
    folders: new Folders(database),
    inspect: async () => {
      const shortage = await attempt(() => tally.check()).catch((error: unknown) => {
        if (database.isOpen()) throw error;
        // Closed meanwhile, to be deleted or changed: nobody asks any more.
        return undefined;
      });
      // Upkeep that fails is done at the next start.
      await Promise.allSettled([recoverChats(database), pruneTraces(database), dropOrphans(database)]);
      await dropStrayFiles(database, now()).catch(() => undefined);
      await bin.purgeBefore(now() - binMs).catch(() => undefined);
      return shortage;
    },
    acceptShortage: () => attempt(() => tally.accept()),
    empty: (kind) => emptyKind(database, tally, kind),
    close: () => database.close(),
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

function memoryStore(now: () => number): Store {
  const chats = createMemoryChats(now);
  const grants = createMemoryGrants(chats);
  const binned = {
    chats,
    customTools: createMemoryCustomTools(grants),
    notes: createMemoryNotes(),
    ownPrompts: createMemoryOwnPrompts(),
    personas: createMemoryPersonas(),
    mcpServers: createMemoryMcpServers(grants),
    settings: createMemorySettings(),
    exams: createMemoryExams(),
  };
  return {
    ...binned,
    bin: createMemoryBin(binned, now),
    folders: createMemoryFolders(),
    drafts: createMemoryDrafts(chats),
    followUps: createMemoryFollowUps(),
    grants,
    requests: createMemoryRequests(),
    statistics: createMemoryStatistics(),
    // A visit in which nothing can be kept makes its own.
    toolIndex: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
    results: createMemoryResults(chats),
    attachments: createMemoryAttachments(),
    inspect: () => Promise.resolve(undefined),
    acceptShortage: () => Promise.resolve(),
    // Of a visit that nothing is kept of, there is nothing on the disk to make room.
    empty: async (kind) => {
      if (kind === 'chats') for (const { id } of await chats.list()) await chats.delete(id);
    },
    close: () => undefined,
  };
}

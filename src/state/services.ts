/**
 * What the screens can do, by subject. `createServices` in `src/app` makes this object once and hands it to `App`. Its groups load on
 * first use. Methods that read or write the store reject with an `AppError`.
 */
import type { FetchedPicture } from '../contracts/attachment';
import type { ChatRecord } from '../contracts/chat';
import type { AllowedAddress } from '../contracts/egress';
import type { Message, ToolCall } from '../contracts/message';
import type { ContextUse } from '../contracts/model';
import type { Note } from '../contracts/note';
import type {
  BinStore,
  ChatStore,
  DeletableKind,
  DraftStore,
  FolderStore,
  GrantStore,
  NoteStore,
  OwnPromptStore,
  RequestStore,
  SettingsStore,
  StatisticsStore,
  Store,
  StoredParts,
} from '../contracts/store';
import type { FoundNames } from '../contracts/tool';
import type { AttachmentFunctions } from './attach-files';
import type { Backups } from './backups.svelte';
import type { ChatSession } from './chat-session.svelte';
import type { CustomToolFunctions } from './custom-tools.svelte';
import type { Exams } from './exams.svelte';
import type { FollowUps } from './follow-ups.svelte';
import type { ModelsFunctions } from './models.svelte';
import type { PersonaFunctions } from './personas.svelte';
import type { Search } from './search.svelte';
import type { Servers } from './servers.svelte';

interface Watched {
  watch: (onList: never, onError: (error: Error) => void) => () => void;
}

/**
 * Calls `onList` now and after every change, also by other tabs. Resolves to a function that stops it. Errors are shown as a fault of the
 * app.
 */
type Watch<Part extends Watched> = (onList: Parameters<Part['watch']>[0]) => Promise<() => void>;

/** A list of the store: some of its methods, and `watch`. */
type List<Part extends Watched, Name extends keyof Part = never> = Pick<Part, Name> & { watch: Watch<Part> };

export interface StorageUse {
  bytes: number;
  /** 0 if the browser does not say. */
  quota: number;
  /** Whether the browser promised not to delete the data when the disk is nearly full. */
  isPersisted: boolean;
}

/**
 * Why data was not deleted. `held`: in use by another tab. `unreachable`: the browser cannot open it. `refused`: the browser stores nothing
 * in this visit.
 */
export type DeletionFailure = 'held' | 'unreachable' | 'refused';

export interface Services {
  sessions: {
    open: (chatId: string) => Promise<ChatSession | undefined>;
    begin: () => ChatSession;
    beginTemporary: () => Promise<ChatSession>;
  };
  chats: Pick<ChatStore, 'load' | 'update' | 'loadPrompt' | 'copyBranch' | 'arrange'>;
  drafts: Pick<DraftStore, 'listUnbegun'>;
  folders: List<FolderStore, 'save' | 'remove'>;
  bin: List<BinStore, 'put' | 'restoreAll' | 'purge'>;
  settings: Pick<SettingsStore, 'save'>;
  requests: List<RequestStore, 'clear'>;
  grants: List<GrantStore, 'remove'>;
  statistics: List<StatisticsStore>;
  acceptShortage: Store['acceptShortage'];
  notes: {
    watch: Watch<NoteStore>;
    add: (text: string) => Promise<void>;
    edit: (id: string, text: string) => Promise<void>;
    find: (words: string, notes: readonly Note[]) => Promise<readonly Note[]>;
  };
  prompts: Pick<OwnPromptStore, 'order'> & {
    watch: Watch<OwnPromptStore>;
    /** Resolves to its id. */
    add: (name: string, text: string) => Promise<string>;
    edit: (id: string, name: string, text: string) => Promise<void>;
  };
  personas: PersonaFunctions;
  customTools: CustomToolFunctions;
  models: ModelsFunctions;
  storage: {
    measure: () => Promise<StorageUse>;
    /** Like `measure`, but limits how often it really looks. */
    lookForRoom: () => Promise<void>;
    measureParts: () => Promise<StoredParts>;
    deleteKind: (kind: DeletableKind) => Promise<void>;
    /** Asks the browser to keep the data. Some browsers ask the user. Resolves to the answer. */
    askToPersist: () => Promise<boolean>;
    /** Hides the warning. It returns once more before storage is full. */
    dismissWarning: () => void;
  };
  /** Deletes all data of Hearth in this browser and reloads the page. If something remains, resolves to the reason. */
  deleteEverything: () => Promise<DeletionFailure | undefined>;
  news: {
    /** Call when a turn begins and when it ends. */
    tell: (session: ChatSession, isRunning: boolean) => Promise<void>;
    /** Asks for permission to show notifications. Call it only after a click. */
    ask: () => Promise<boolean>;
  };
  /** Methods of the agent runtime. */
  agent: {
    loadServers: () => Promise<Servers>;
    loadExams: () => Promise<Exams>;
    loadAttachments: () => Promise<AttachmentFunctions>;
    /** The whole text of a result or file that was cut. Undefined if it is gone. */
    loadResult: (id: string) => Promise<string | undefined>;
    /** Fetches a picture of an answer through the egress gate. Call it only after a click. */
    fetchPicture: (url: string, signal: AbortSignal) => Promise<FetchedPicture>;
    /** Resolves to the number of hits. */
    trySearch: (providerId: string, query: string, signal: AbortSignal) => Promise<number>;
    findTools: (words: string) => Promise<FoundNames>;
  };
  /** Makes the next such call skip the cache. */
  forgetCall: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
  /** How much of the loaded model's context this history would take. Undefined if no model is loaded. */
  measureDraft: (
    history: readonly Message[],
    chat: Pick<ChatRecord, 'persona' | 'toolsOff' | 'toolSearch' | 'toolOffer'>,
  ) => Promise<ContextUse | undefined>;
  loadFollowUps: () => Promise<FollowUps>;
  /** The search index is kept up to date once this was called. */
  loadSearch: () => Promise<Search>;
  loadBackups: () => Promise<Backups>;
  readAddress: (text: string) => Promise<AllowedAddress>;
  newId: () => string;
  setHash: (hash: string, isReplacing: boolean) => void;
}

/** The services that screens can use, by subject. Each group loads on first use. Methods that use the store reject with an `AppError`. */
import type { Origin } from '../contracts/origin';
import type { FetchedPicture } from '../contracts/attachment';
import type { ChatRecord } from '../contracts/chat';
import type { AllowedAddress } from '../contracts/egress';
import type { Message, ToolCall } from '../contracts/message';
import type { ContextUse } from '../contracts/model';
import type { Note } from '../contracts/note';
import type { DeletableKind, Store, StoredBytes, WatchedStore } from '../contracts/store';
import type { FoundToolNames } from '../contracts/tool';
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

/** Calls `onList` now and after every change, even by other tabs. Resolves to a function that stops watching. */
type WatchFunction<Part> =
  Part extends WatchedStore<infer List> ? (onList: (list: List) => void) => Promise<() => void> : never;

type StoredList<Part, Name extends keyof Part = never> = Pick<Part, Name> & { watch: WatchFunction<Part> };

export interface StorageUse {
  bytes: number;
  /** Total bytes available to this site. 0 if the browser does not say. */
  quota: number;
  /** Whether the browser has promised to keep the data even if the disk is nearly full. */
  isPersisted: boolean;
}

/** Why some data was not deleted. `held`: another tab uses it. `unreachable`: deleting it failed. `refused`: the browser denies storage. */
export type DeletionFailure = 'held' | 'unreachable' | 'refused';

export interface Services {
  sessions: {
    open: (chatId: string) => Promise<ChatSession | undefined>;
    begin: () => ChatSession;
    beginTemporary: () => Promise<ChatSession>;
  };
  chats: Pick<Store['chats'], 'load' | 'update' | 'loadPrompt' | 'copyBranch' | 'arrange'>;
  drafts: Pick<Store['drafts'], 'listUnbegun'>;
  folders: StoredList<Store['folders'], 'save' | 'remove'>;
  bin: StoredList<Store['bin'], 'put' | 'restoreAll' | 'purge'>;
  settings: Pick<Store['settings'], 'save'>;
  requests: StoredList<Store['requests'], 'clear'>;
  grants: StoredList<Store['grants'], 'remove'>;
  statistics: StoredList<Store['statistics']>;
  acceptShortage: Store['acceptShortage'];
  notes: {
    watch: WatchFunction<Store['notes']>;
    add: (text: string) => Promise<void>;
    edit: (id: string, text: string) => Promise<void>;
    find: (words: string, notes: readonly Note[]) => Promise<readonly Note[]>;
  };
  prompts: Pick<Store['ownPrompts'], 'order'> & {
    watch: WatchFunction<Store['ownPrompts']>;
    /** `origin`: the stranger who wrote some of the text, if one did. */
    add: (name: string, text: string, origin?: Origin) => Promise<string>;
    edit: (id: string, name: string, text: string) => Promise<void>;
  };
  personas: PersonaFunctions;
  customTools: CustomToolFunctions;
  models: ModelsFunctions;
  storage: {
    measure: () => Promise<StorageUse>;
    /** Like `measure`, but measures only from time to time, even if called often. */
    lookForRoom: () => Promise<void>;
    measureParts: () => Promise<StoredBytes>;
    deleteKind: (kind: DeletableKind) => Promise<void>;
    /** Asks the browser to keep the data, which may make the browser ask the user. Resolves to true if the browser agrees. */
    askToPersist: () => Promise<boolean>;
    /** Hides the warning about low storage. The warning appears once more shortly before storage is full. */
    dismissWarning: () => void;
  };
  /** Deletes all of Hearth's data in this browser and reloads the page. Resolves to a reason if something could not be deleted. */
  deleteEverything: () => Promise<DeletionFailure | undefined>;
  news: {
    tell: (session: ChatSession, isRunning: boolean) => Promise<void>;
    /** Asks the user for permission to show notifications. Call it only in a click handler. */
    ask: () => Promise<boolean>;
  };
  agent: {
    loadServers: () => Promise<Servers>;
    loadExams: () => Promise<Exams>;
    loadAttachments: () => Promise<AttachmentFunctions>;
    /** Loads the whole text of a result or file that was cut. Resolves to undefined if it no longer exists. */
    loadResult: (id: string) => Promise<string | undefined>;
    fetchPicture: (url: string, signal: AbortSignal) => Promise<FetchedPicture>;
    /** Tests a search provider. Resolves to the number of hits. */
    trySearch: (providerId: string, query: string, signal: AbortSignal) => Promise<number>;
    findTools: (words: string) => Promise<FoundToolNames>;
  };
  /** Removes a call's result from the cache, so the next identical call runs. */
  forgetCall: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
  /** Measures how much of the loaded model's context a history would take. Resolves to undefined if no model is loaded. */
  measureDraft: (
    history: readonly Message[],
    chat: Pick<ChatRecord, 'persona' | 'toolsOff' | 'toolSearch' | 'toolOffer'>,
  ) => Promise<ContextUse | undefined>;
  loadFollowUps: () => Promise<FollowUps>;
  loadSearch: () => Promise<Search>;
  loadBackups: () => Promise<Backups>;
  readAddress: (text: string) => Promise<AllowedAddress>;
  newId: () => string;
  setHash: (hash: string, isReplacing: boolean) => void;
}

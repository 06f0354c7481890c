import type { AppUpdate } from '../contracts/app-update';
import type { FetchedPicture } from '../contracts/attachment';
import type { BackupNotice } from '../contracts/backup';
import type { ChatRecord, Draft, Folder } from '../contracts/chat';
import type { AllowedAddress, RequestRecord } from '../contracts/egress';
import type { Message, ToolCall } from '../contracts/message';
import type { ContextUse } from '../contracts/model';
import type { ModelName } from '../contracts/model-library';
import type { Note, NoteList } from '../contracts/note';
import type { OwnPromptList } from '../contracts/own-prompt';
import type { Grant } from '../contracts/permission';
import type { Persona } from '../contracts/persona';
import type { ProviderInfo, Settings } from '../contracts/settings';
import type {
  BinEntry,
  BinKind,
  BinStore,
  ChatStore,
  DeletableKind,
  DraftStore,
  FolderStore,
  GrantStore,
  RequestStore,
  SettingsStore,
  StoredParts,
} from '../contracts/store';
import type { FoundNames, ToolSpec, ToolStatistics } from '../contracts/tool';
import { Approvals } from './approvals.svelte';
import type { AttachmentFunctions } from './attach-files';
import type { Backups } from './backups.svelte';
import type { ChatSession } from './chat-session.svelte';
import type { Choices } from './choices.svelte';
import { type CustomToolFunctions, CustomTools } from './custom-tools.svelte';
import type { Exams } from './exams.svelte';
import type { FollowUps } from './follow-ups.svelte';
import type { ModelStatus } from './model-status.svelte';
import { Models, type ModelsFunctions } from './models.svelte';
import { type PersonaFunctions, Personas } from './personas.svelte';
import { hashOf, type Route, routeOf } from './route';
import type { Search } from './search.svelte';
import type { Servers } from './servers.svelte';

/** What the whole screen shows: the route, the chats, the chat on it, and the state of the model that answers. */

/** Bytes. */
export interface StorageUse {
  bytes: number;
  /** 0 where the browser does not say. */
  quota: number;
  /** Whether the browser will not clear it by itself when the disk runs low. */
  isPersisted: boolean;
}

/** Another tab holds some of it open; the browser cannot open what it has; or it lets nothing be kept in this visit, nor looked at. */
export type LeftBy = 'held' | 'unreachable' | 'refused';

export interface StorageFunctions {
  /** How much is used; warns where nearly no room is left. */
  measure: () => Promise<StorageUse>;
  /** Warns where nearly no room is left. It looks now and then, however often it is called. */
  lookForRoom: () => Promise<void>;
  /** What takes how much. Takes seconds where there is much. */
  measureParts: () => Promise<StoredParts>;
  /** For good. Rejects with an `AppError` where it could not be deleted. */
  deleteKind: (kind: DeletableKind) => Promise<void>;
  /** Asks the browser to keep it; some ask the person, some decide. Resolves to the answer. */
  askToPersist: () => Promise<boolean>;
  /** The warning was seen: it comes once more, when it is the last chance. */
  dismissWarning: () => void;
}

/** A list of the store, now and after every change, also by another tab. Resolves to what ends it. */
export type Watch<Item> = (onList: (list: readonly Item[]) => void) => Promise<() => void>;

/** `find` and `files`: the search in the chat and the choice of files, which open where they stand. */
type Opened = 'palette' | 'shortcuts' | 'rename' | 'export' | 'delete' | 'find' | 'files' | 'dictation';

/** Handed in by `src/app`. What comes from the store rejects with an `AppError`. */
export interface AppFunctions {
  openSession: (chatId: string) => Promise<ChatSession | undefined>;
  newSession: () => ChatSession;
  /** All of a chat, for a file of it; undefined where it is gone. */
  loadChat: ChatStore['load'];
  /** One that is never written down. */
  newTemporary: () => Promise<ChatSession>;
  chats: Pick<ChatStore, 'update' | 'loadPrompt' | 'copyBranch' | 'arrange'>;
  bin: Pick<BinStore, 'put' | 'restoreAll' | 'purge'> & { watch: Watch<BinEntry> };
  folders: Pick<FolderStore, 'save' | 'remove'> & { watch: Watch<Folder> };
  newId: () => string;
  drafts: Pick<DraftStore, 'listUnbegun'>;
  settings: Pick<SettingsStore, 'save'>;
  readAddress: (text: string) => Promise<AllowedAddress>;
  /** What left the device, newest first. */
  requests: Pick<RequestStore, 'clear'> & { watch: Watch<RequestRecord> };
  /** What is allowed for longer than one call, newest first. */
  grants: Pick<GrantStore, 'remove'> & { watch: Watch<Grant> };
  /** How each tool has fared, in no order. */
  statistics: { watch: Watch<ToolStatistics> };
  /** All of a result that was cut; undefined where it is not there any more. */
  loadResult: (id: string) => Promise<string | undefined>;
  /** A picture of an answer, after a press; it goes through the door, as everything that leaves the device. */
  fetchPicture: (url: string, signal: AbortSignal) => Promise<FetchedPicture>;
  /** One load for all who ask. */
  loadAttachments: () => Promise<AttachmentFunctions>;
  /** One load for all who ask. */
  loadNotes: () => Promise<NoteFunctions>;
  /** One load for all who ask. */
  loadPrompts: () => Promise<OwnPromptFunctions>;
  /** One load for all who ask. */
  loadFollowUps: () => Promise<FollowUps>;
  /** One load for all who ask. */
  loadPersonas: () => Promise<PersonaFunctions>;
  /** One load for all who ask. */
  loadServers: () => Promise<Servers>;
  /** One load for all who ask: from then on the index is kept up to the chats. */
  loadSearch: () => Promise<Search>;
  acceptShortage: () => Promise<void>;
  /** One load for all who ask. */
  loadBackups: () => Promise<Backups>;
  loadStorage: () => Promise<StorageFunctions>;
  /** A turn of this tab has begun, or ended. */
  tellTurn: (session: ChatSession, isRunning: boolean) => Promise<void>;
  /** Whether the system may show notifications, asked after a press. False where it cannot. */
  askToNotify: () => Promise<boolean>;
  /**
   * Chats, settings, caches: all that Hearth keeps in this browser. The page starts anew after it; where not all of it went, it resolves to
   * why.
   */
  deleteEverything: () => Promise<LeftBy | undefined>;
  /** Asks one search provider, on or off. Resolves to how many results it gave; rejects with a sentence. */
  trySearch: (providerId: string, query: string, signal: AbortSignal) => Promise<number>;
  /** Names of the tools that fit some words, on or off, best first. */
  findTools: (words: string) => Promise<FoundNames>;
  /** The next such call is made anew, though its result is kept. */
  forgetCall: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
  /** How much of the model's memory this history would take; undefined while no model is loaded. */
  measureDraft: (
    history: readonly Message[],
    chat: Pick<ChatRecord, 'persona' | 'toolsOff' | 'toolSearch' | 'toolOffer'>,
  ) => Promise<ContextUse | undefined>;
  customTools: CustomToolFunctions;
  models: ModelsFunctions;
  /** One load for all who ask. */
  loadExams: () => Promise<Exams>;
  setHash: (hash: string, isReplacing: boolean) => void;
}

export class App {
  route = $state.raw<Route>({ screen: 'chat' });
  /** Newest first; missing until the store has answered. */
  chats = $state.raw<readonly ChatRecord[]>();
  /** Oldest first; none until the list of chats is there. */
  folders = $state.raw<readonly Folder[]>([]);
  session = $state.raw<ChatSession>();
  /** Chats in which a turn runs, in this tab; they go on while another is shown. */
  running = $state.raw<readonly ChatSession[]>([]);
  settings = $state.raw<Settings>({
    language: null,
    theme: 'system',
    rounds: 8,
    allowedAddresses: [],
    proxyUrl: '',
    providers: {},
    isSearchingFirst: false,
    toolsOff: [],
    pins: {},
    model: null,
    ownModels: [],
    mirrors: {},
    isThinking: false,
    sampling: {},
  });
  storage = $state.raw<StorageCondition>({ type: 'opening' });
  /** A new version that can be had. */
  update = $state.raw<AppUpdate>();
  /** A long answer has ended while the person was elsewhere: whether they want to be told next time is asked. */
  isNewsOffered = $state(false);
  /** What another program shared could not be kept. */
  isShareLost = $state(false);
  /** The browser has nearly no room left for Hearth. */
  isNearlyFull = $state(false);
  isOnline = $state(true);
  /** Id of the question that is being edited. */
  editing = $state<string>();
  /** What is to be said once of backups. */
  backupNotice = $state.raw<BackupNotice>();
  /** Grows with each wish that the message box has the focus. */
  focusWish = $state(0);
  /** Grows with each wish that the box that searches chats has the focus. */
  searchWish = $state(0);
  /** What lies over the screen by a key or the menu. */
  opened = $state<Opened>();
  /** Grows with each wish that the tools of the chat are shown. */
  toolsWish = $state(0);
  /** What was deleted last, while it can be had back at once. */
  deletion = $state.raw<Deletion>();
  /** What was just done, for those who do not see it. */
  deed = $state.raw<Deed>();
  /** Goes on to where the person wants to be, once they have agreed to lose the temporary chat that is shown. */
  leave = $state.raw<() => void>();
  /** A bug that reached the last handler: its text, to be copied. */
  fault = $state<string>();

  /** All that a chat can have on or off; none until they are loaded. */
  tools = $state.raw<readonly ToolSpec[]>([]);
  /** Search providers, for Settings; none until they are loaded. */
  providers = $state.raw<readonly ProviderInfo[]>([]);

  /** Where the person chooses among readings; missing until a turn could have any. */
  choices = $state.raw<Choices>();

  /** Names of tools that a small model is not offered. */
  toolsForLarger = $state.raw<readonly string[]>([]);

  readonly approvals = new Approvals();
  readonly customTools: CustomTools;
  readonly personas: Personas;
  readonly model: ModelStatus;
  readonly models: Models;
  readonly functions: AppFunctions;
  #opening = 0;
  /** Changes that were made before the kept settings were read; undefined once they were. */
  #changedEarly: Partial<Settings> | undefined = {};

  constructor(model: ModelStatus, functions: AppFunctions) {
    this.model = model;
    this.functions = functions;
    this.customTools = new CustomTools(functions.customTools);
    this.personas = new Personas(functions.loadPersonas);
    this.models = new Models(functions.models);
    model.follow(() => this.chosen);
  }

  /** The model of the chat shown: its own, else the one for all chats. */
  get chosen(): ModelName {
    return this.session?.settings.model ?? this.settings.model ?? this.model.first;
  }

  /** Who answers in the chat shown. One that is gone counts as none. */
  get persona(): Persona | undefined {
    return this.personas.find(this.session?.settings.persona);
  }

  /** All that the chat shown can have on: of what there is, what its persona may use and its model can. */
  get offeredTools(): readonly ToolSpec[] {
    const allowed = this.persona?.content.tools ?? 'all';
    const forLarger = this.model.answering.isSmall ? this.toolsForLarger : [];
    return this.tools.filter(
      ({ name }) => (allowed === 'all' || allowed.includes(name)) && !forLarger.includes(name),
    );
  }

  /** Shows what the address says. An unknown chat becomes a new one. */
  async open(hash: string): Promise<void> {
    const route = routeOf(hash);
    const goesElsewhere =
      route.screen === 'chat' && route.chatId !== undefined && route.chatId !== this.session?.id;
    if (goesElsewhere && this.wouldLose) {
      this.leave = () => this.functions.setHash(hash, false);
      this.functions.setHash(hashOf({ screen: 'chat' }), true);
      return;
    }
    this.route = route;
    if (this.route.screen !== 'chat') return;
    const { chatId } = this.route;
    if (chatId === undefined) return this.session?.isTemporary ? undefined : this.#openNew();
    if (this.session?.id === chatId) return;
    const turn = ++this.#opening;
    const session =
      this.running.find(({ id }) => id === chatId) ?? (await this.functions.openSession(chatId));
    // The person may have gone elsewhere in the meantime.
    if (turn !== this.#opening) return;
    if (session) this.session = session;
    else this.functions.setHash(hashOf({ screen: 'chat' }), true);
  }

  /** Typing does not wait for the disk: what was typed in an earlier visit comes before it. */
  async #openNew(): Promise<void> {
    this.#opening++;
    // A chat in which something was sent stays new until its turn has begun.
    if (this.session?.isNew && !this.session.isRunning) return;
    const session = this.functions.newSession();
    void session.set({ toolsOff: this.settings.toolsOff });
    this.session = session;
    const drafts = await this.functions.drafts.listUnbegun();
    // The person has gone elsewhere: the drafts stay for the next new chat.
    if (this.session !== session) return;
    // The question of a turn that has just begun may still be on its way to the disk: its draft is not yet gone.
    const isOther = ({ chatId }: Draft) =>
      chatId !== session.id && !this.running.some(({ id }) => id === chatId);
    session.takeOver(drafts.filter(isOther));
  }

  /** A chat that has not been written in is not kept, so pressing it twice makes one. */
  newChat(): void {
    if (this.wouldLose) {
      this.leave = () => this.newChat();
      return;
    }
    if (this.session?.isTemporary) this.session = undefined;
    const hash = hashOf({ screen: 'chat' });
    this.functions.setHash(hash, false);
    // The browser tells of a new address later: what is typed by then would be in the chat before.
    void this.open(hash);
  }

  /** Words that are on no disk, and lost when the chat shown is left. */
  get wouldLose(): boolean {
    const { session } = this;
    return session?.isTemporary === true && !(session.isEmpty && session.draft.trim() === '');
  }

  /** Begins a chat that is never written down. */
  async newTemporary(): Promise<void> {
    if (this.wouldLose) {
      this.leave = () => void this.newTemporary();
      return;
    }
    const { session: shown } = this;
    const draft = shown?.draft ?? '';
    const session = await this.functions.newTemporary();
    void session.set({ toolsOff: this.settings.toolsOff });
    // What was typed meanwhile is meant for it, and is kept with no other.
    if (shown === this.session && shown?.draft.startsWith(draft)) {
      session.setDraft(shown.draft.slice(draft.length));
      shown.setDraft(draft);
    }
    this.session = session;
    this.functions.setHash(hashOf({ screen: 'chat' }), false);
  }

  /** The temporary chat that is shown is lost, and the person where they wanted to be; or they stay. */
  endLeave(isLeaving: boolean): void {
    const { leave } = this;
    this.leave = undefined;
    if (!isLeaving) return;
    this.session?.stop();
    this.session = undefined;
    leave?.();
  }

  /** Sends the draft of the chat shown, or `text` instead of it. */
  async send(text?: string): Promise<void> {
    const { session } = this;
    if (!session || (text ?? session.draft).trim() === '') return;
    if (session.isRunning) {
      if (text === undefined) await (await this.functions.loadFollowUps()).add(session);
      return;
    }
    // A temporary one has no address.
    if (this.route.screen === 'chat' && this.route.chatId !== session.id && !session.isTemporary) {
      this.route = { screen: 'chat', chatId: session.id };
      this.functions.setHash(hashOf(this.route), true);
    }
    // What is sent with it is read first.
    if (session.taken) await session.taken;
    await session.send(text);
  }

  /** Handed to every session. */
  setRunning(session: ChatSession, isRunning: boolean): void {
    const others = this.running.filter((other) => other !== session);
    this.running = isRunning ? [...others, session] : others;
    void this.functions.tellTurn(session, isRunning).catch(() => undefined);
    if (!isRunning) void this.functions.loadFollowUps().then((followUps) => followUps.afterTurn(session));
  }

  /** Takes the list as it is now. A chat on the screen that another tab has changed is read anew. */
  async takeChats(chats: readonly ChatRecord[]): Promise<void> {
    this.chats = chats;
    const { session } = this;
    const record = chats.find(({ id }) => id === session?.id);
    if (!session || !record || !session.isSettled || record.leafId === session.leafId) return;
    await this.reopen(session);
  }

  async reopen(session: ChatSession): Promise<void> {
    const fresh = await this.functions.openSession(session.id);
    if (fresh && this.session === session && session.isSettled) this.session = fresh;
  }

  /** Chooses the model for the chat shown and for all that have none of their own, and loads it at once. */
  async useModel(model: ModelName): Promise<void> {
    await Promise.all([this.session?.set({ model }), this.saveSettings({ model })]);
    this.model.retry();
  }

  /** As `useModel`, but in a chat that has begun only for that chat. */
  async switchModel(model: ModelName): Promise<void> {
    const { session } = this;
    if (!session || session.isNew) return this.useModel(model);
    await session.set({ model });
    this.model.retry();
  }

  /**
   * Takes the settings that are kept, except what the person changed before they were read. A new chat that was opened
   * before that begins with them too.
   */
  takeSettings(settings: Settings): void {
    this.settings = { ...settings, ...this.#changedEarly };
    this.#changedEarly = undefined;
    if (this.session?.isNew) void this.session.set({ toolsOff: this.settings.toolsOff });
  }

  /** Whether a tool is one of the person's own. */
  isCustom(name: string): boolean {
    return this.customTools.list.tools.some(({ content }) => content.name === name);
  }

  async saveSettings(changed: Partial<Settings>): Promise<void> {
    this.settings = { ...this.settings, ...changed };
    if (this.#changedEarly) this.#changedEarly = { ...this.#changedEarly, ...changed };
    await this.functions.settings.save(changed);
  }
}

/** What a person has just done: what they deleted, and can have back with one press; and what is to be said of the rest. */

export interface Deletion {
  kind: BinKind | 'answer' | 'folder' | 'follow-up';
  /** What it was known by; '' where that says nothing. */
  name: string;
  /** How many went together. */
  count: number;
  /** Rejects with an `AppError`. */
  undo: () => Promise<unknown>;
}

/** Where nothing tells that it is done but the screen, and that from afar: said to those who do not see it. What failed is said to all. */
export interface Deed {
  type:
    | 'pinned'
    | 'unpinned'
    | 'archived'
    | 'unarchived'
    | 'moved'
    | 'branched'
    | 'restored'
    | 'purged'
    | 'undone'
    | 'copied'
    | 'copyFailed'
    | 'switchedOn'
    | 'switchedOff'
    | 'personaChanged';
}

/** How far what is kept in this browser can be read and written. */
export type StorageCondition =
  | { type: 'opening' }
  | { type: 'ok' }
  /** Nothing can be kept beyond this visit. */
  | { type: 'memory' }
  /** The browser cannot open what is there. */
  | { type: 'unreadable' }
  /** Written by a newer Hearth: left untouched. */
  | { type: 'newer' }
  | { type: 'shortened'; expected: number; found: number }
  /** Another tab holds an older Hearth open. */
  | { type: 'blocked' }
  /** Nothing more can be written: a newer Hearth runs in another tab, another tab deleted everything, or the browser did. */
  | { type: 'closed'; reason: 'updated' | 'deleted' | 'lost' };

/** What the screen of notes is handed. */

/** What the screen of notes does; each rejects with an `AppError` where the store does. */
export interface NoteFunctions {
  /** The notes now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: NoteList) => void) => () => void;
  add: (text: string) => Promise<void>;
  edit: (id: string, text: string) => Promise<void>;
  /** Those of some notes that fit some words, best first: as a model finds them. */
  find: (words: string, notes: readonly Note[]) => Promise<readonly Note[]>;
}

/** What the screens are handed to do with prompts of one's own. */

/** Each rejects with an `AppError` where the store does. */
export interface OwnPromptFunctions {
  /** The prompts now and after every change, also by another tab. Returns what ends it. */
  watch: (onList: (list: OwnPromptList) => void) => () => void;
  /** Resolves to its id. */
  add: (name: string, text: string) => Promise<string>;
  edit: (id: string, name: string, text: string) => Promise<void>;
  /** Puts those named into this order. */
  order: (ids: readonly string[]) => Promise<void>;
}

/**
 * The state of the whole screen: route, chats, the shown chat, and the model. The shell loads this file, so it only imports what the first
 * paint needs.
 */
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
import type { ActionNotice, Deletion } from './deletion';
import type { Exams } from './exams.svelte';
import type { FollowUps } from './follow-ups.svelte';
import type { ModelStatus } from './model-status.svelte';
import { Models, type ModelsFunctions } from './models.svelte';
import { type PersonaFunctions, Personas } from './personas.svelte';
import { hashOf, type Route, routeOf } from './route';
import type { Search } from './search.svelte';
import type { Servers } from './servers.svelte';

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

export interface StorageFunctions {
  measure: () => Promise<StorageUse>;
  /** Like `measure`, but limits how often it really looks. */
  lookForRoom: () => Promise<void>;
  measureParts: () => Promise<StoredParts>;
  deleteKind: (kind: DeletableKind) => Promise<void>;
  /** Asks the browser to keep the data. Some browsers ask the user. Resolves to the answer. */
  askToPersist: () => Promise<boolean>;
  /** Hides the warning. It returns once more before storage is full. */
  dismissWarning: () => void;
}

/** Calls `onList` now and after every change, also by other tabs. Resolves to a function that stops it. */
export type Watch<Item> = (onList: (list: readonly Item[]) => void) => Promise<() => void>;

/** A dialog or panel that is open. `find`: the search in the chat. `files`: the file picker. */
type Opened = 'palette' | 'shortcuts' | 'rename' | 'export' | 'delete' | 'find' | 'files' | 'dictation';

/** Provided by `src/app`. Store operations reject with an `AppError`. Every `load…` function loads its code once. */
export interface AppFunctions {
  openSession: (chatId: string) => Promise<ChatSession | undefined>;
  newSession: () => ChatSession;
  loadChat: ChatStore['load'];
  newTemporary: () => Promise<ChatSession>;
  chats: Pick<ChatStore, 'update' | 'loadPrompt' | 'copyBranch' | 'arrange'>;
  bin: Pick<BinStore, 'put' | 'restoreAll' | 'purge'> & { watch: Watch<BinEntry> };
  folders: Pick<FolderStore, 'save' | 'remove'> & { watch: Watch<Folder> };
  newId: () => string;
  drafts: Pick<DraftStore, 'listUnbegun'>;
  settings: Pick<SettingsStore, 'save'>;
  readAddress: (text: string) => Promise<AllowedAddress>;
  requests: Pick<RequestStore, 'clear'> & { watch: Watch<RequestRecord> };
  grants: Pick<GrantStore, 'remove'> & { watch: Watch<Grant> };
  statistics: { watch: Watch<ToolStatistics> };
  loadResult: (id: string) => Promise<string | undefined>;
  /** Fetches a picture of an answer through the egress gate. Call it only after a click. */
  fetchPicture: (url: string, signal: AbortSignal) => Promise<FetchedPicture>;
  loadAttachments: () => Promise<AttachmentFunctions>;
  loadNotes: () => Promise<NoteFunctions>;
  loadPrompts: () => Promise<OwnPromptFunctions>;
  loadFollowUps: () => Promise<FollowUps>;
  loadPersonas: () => Promise<PersonaFunctions>;
  loadServers: () => Promise<Servers>;
  /** The search index is kept up to date once this was called. */
  loadSearch: () => Promise<Search>;
  acceptShortage: () => Promise<void>;
  loadBackups: () => Promise<Backups>;
  loadStorage: () => Promise<StorageFunctions>;
  tellTurn: (session: ChatSession, isRunning: boolean) => Promise<void>;
  /** Asks for permission to show notifications. Call it only after a click. */
  askToNotify: () => Promise<boolean>;
  /** Deletes all data of Hearth in this browser and reloads the page. If something remains, resolves to the reason. */
  deleteEverything: () => Promise<DeletionFailure | undefined>;
  trySearch: (providerId: string, query: string, signal: AbortSignal) => Promise<number>;
  findTools: (words: string) => Promise<FoundNames>;
  /** Makes the next such call skip the cache. */
  forgetCall: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
  measureDraft: (
    history: readonly Message[],
    chat: Pick<ChatRecord, 'persona' | 'toolsOff' | 'toolSearch' | 'toolOffer'>,
  ) => Promise<ContextUse | undefined>;
  customTools: CustomToolFunctions;
  models: ModelsFunctions;
  loadExams: () => Promise<Exams>;
  setHash: (hash: string, isReplacing: boolean) => void;
}

export class App {
  route = $state.raw<Route>({ screen: 'chat' });
  /** Newest first. Undefined until the store has answered. */
  chats = $state.raw<readonly ChatRecord[]>();
  folders = $state.raw<readonly Folder[]>([]);
  session = $state.raw<ChatSession>();
  /** Chats with a running turn in this tab. They continue while another chat is shown. */
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
  update = $state.raw<AppUpdate>();
  /** Offer notifications: a long answer ended while the user was elsewhere. */
  isNewsOffered = $state(false);
  isShareLost = $state(false);
  isNearlyFull = $state(false);
  isOnline = $state(true);
  editing = $state<string>();
  backupNotice = $state.raw<BackupNotice>();
  /** Incremented to focus the message box. */
  focusWish = $state(0);
  /** Incremented to focus the search box. */
  searchWish = $state(0);
  opened = $state<Opened>();
  /** Incremented to show the tools of the chat. */
  toolsWish = $state(0);
  deletion = $state.raw<Deletion>();
  /** The last action, announced to screen readers. */
  lastAction = $state.raw<ActionNotice>();
  /** Continues the navigation once the user agrees to lose the temporary chat. */
  leave = $state.raw<() => void>();
  fault = $state<string>();

  tools = $state.raw<readonly ToolSpec[]>([]);
  providers = $state.raw<readonly ProviderInfo[]>([]);

  /** Choices between readings. Undefined until a turn can have any. */
  choices = $state.raw<Choices>();

  toolsForLarger = $state.raw<readonly string[]>([]);

  readonly approvals = new Approvals();
  readonly customTools: CustomTools;
  readonly personas: Personas;
  readonly model: ModelStatus;
  readonly models: Models;
  readonly functions: AppFunctions;
  #opening = 0;
  /** Changes made before the stored settings were loaded. Undefined afterwards. */
  #changedEarly: Partial<Settings> | undefined = {};

  constructor(model: ModelStatus, functions: AppFunctions) {
    this.model = model;
    this.functions = functions;
    this.customTools = new CustomTools(functions.customTools);
    this.personas = new Personas(functions.loadPersonas);
    this.models = new Models(functions.models);
    model.follow(() => this.chosen);
  }

  get chosen(): ModelName {
    return this.session?.settings.model ?? this.settings.model ?? this.model.first;
  }

  /** The persona of the shown chat. One that is gone counts as none. */
  get persona(): Persona | undefined {
    return this.personas.find(this.session?.settings.persona);
  }

  get offeredTools(): readonly ToolSpec[] {
    const allowed = this.persona?.content.tools ?? 'all';
    const forLarger = this.model.answering.isSmall ? this.toolsForLarger : [];
    return this.tools.filter(
      ({ name }) => (allowed === 'all' || allowed.includes(name)) && !forLarger.includes(name),
    );
  }

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
    if (turn !== this.#opening) return;
    if (session) this.session = session;
    else this.functions.setHash(hashOf({ screen: 'chat' }), true);
  }

  /** Shows an empty chat at once. Drafts of earlier visits are added when they are loaded. */
  async #openNew(): Promise<void> {
    this.#opening++;
    // A chat stays new until its first turn has started.
    if (this.session?.isNew && !this.session.isRunning) return;
    const session = this.functions.newSession();
    void session.set({ toolsOff: this.settings.toolsOff });
    this.session = session;
    const drafts = await this.functions.drafts.listUnbegun();
    // The user has navigated. The drafts stay for the next new chat.
    if (this.session !== session) return;
    // The stored draft of a turn that has just started may not be deleted yet.
    const isOther = ({ chatId }: Draft) =>
      chatId !== session.id && !this.running.some(({ id }) => id === chatId);
    session.takeOver(drafts.filter(isOther));
  }

  /** Shows a new chat. Nothing is stored until the user writes in it. */
  newChat(): void {
    if (this.wouldLose) {
      this.leave = () => this.newChat();
      return;
    }
    if (this.session?.isTemporary) this.session = undefined;
    const hash = hashOf({ screen: 'chat' });
    this.functions.setHash(hash, false);
    // The `hashchange` event comes later; text typed until then would go to the old chat.
    void this.open(hash);
  }

  /** Whether leaving the shown temporary chat would lose text. */
  get wouldLose(): boolean {
    const { session } = this;
    return session?.isTemporary === true && !(session.isEmpty && session.draft.trim() === '');
  }

  async newTemporary(): Promise<void> {
    if (this.wouldLose) {
      this.leave = () => void this.newTemporary();
      return;
    }
    const { session: shown } = this;
    const draft = shown?.draft ?? '';
    const session = await this.functions.newTemporary();
    void session.set({ toolsOff: this.settings.toolsOff });
    // Text typed in the meantime belongs to the temporary chat and must not be stored with the other.
    if (shown === this.session && shown?.draft.startsWith(draft)) {
      session.setDraft(shown.draft.slice(draft.length));
      shown.setDraft(draft);
    }
    this.session = session;
    this.functions.setHash(hashOf({ screen: 'chat' }), false);
  }

  endLeave(isLeaving: boolean): void {
    const { leave } = this;
    this.leave = undefined;
    if (!isLeaving) return;
    this.session?.stop();
    this.session = undefined;
    leave?.();
  }

  async send(text?: string): Promise<void> {
    const { session } = this;
    if (!session || (text ?? session.draft).trim() === '') return;
    if (session.isRunning) {
      if (text === undefined) await (await this.functions.loadFollowUps()).add(session);
      return;
    }
    if (this.route.screen === 'chat' && this.route.chatId !== session.id && !session.isTemporary) {
      this.route = { screen: 'chat', chatId: session.id };
      this.functions.setHash(hashOf(this.route), true);
    }
    if (session.taken) await session.taken;
    await session.send(text);
  }

  setRunning(session: ChatSession, isRunning: boolean): void {
    const others = this.running.filter((other) => other !== session);
    this.running = isRunning ? [...others, session] : others;
    void this.functions.tellTurn(session, isRunning).catch(() => undefined);
    if (!isRunning) void this.functions.loadFollowUps().then((followUps) => followUps.afterTurn(session));
  }

  /** Updates the list of chats. Reloads the shown chat if another tab changed it. */
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

  async useModel(model: ModelName): Promise<void> {
    await Promise.all([this.session?.set({ model }), this.saveSettings({ model })]);
    this.model.retry();
  }

  /** Like `useModel`, but a chat that has begun changes only its own model. */
  async switchModel(model: ModelName): Promise<void> {
    const { session } = this;
    if (!session || session.isNew) return this.useModel(model);
    await session.set({ model });
    this.model.retry();
  }

  /** Applies the stored settings, but keeps what the user changed before they were loaded. */
  takeSettings(settings: Settings): void {
    this.settings = { ...settings, ...this.#changedEarly };
    this.#changedEarly = undefined;
    if (this.session?.isNew) void this.session.set({ toolsOff: this.settings.toolsOff });
  }

  isCustom(name: string): boolean {
    return this.customTools.list.tools.some(({ content }) => content.name === name);
  }

  async saveSettings(changed: Partial<Settings>): Promise<void> {
    this.settings = { ...this.settings, ...changed };
    if (this.#changedEarly) this.#changedEarly = { ...this.#changedEarly, ...changed };
    await this.functions.settings.save(changed);
  }
}

export type StorageCondition =
  | { type: 'opening' }
  | { type: 'ok' }
  | { type: 'memory' }
  | { type: 'unreadable' }
  /** A newer Hearth wrote the data. It is left unchanged. */
  | { type: 'newer' }
  | { type: 'shortened'; expected: number; found: number }
  /** Another tab with an older Hearth keeps the database open. */
  | { type: 'blocked' }
  /** Nothing more can be written: a newer Hearth runs in another tab, or the data was deleted by another tab or the browser. */
  | { type: 'closed'; reason: 'updated' | 'deleted' | 'lost' };

export interface NoteFunctions {
  /** Calls `onList` now and after every change, also by other tabs. Returns a function that stops it. */
  watch: (onList: (list: NoteList) => void) => () => void;
  add: (text: string) => Promise<void>;
  edit: (id: string, text: string) => Promise<void>;
  find: (words: string, notes: readonly Note[]) => Promise<readonly Note[]>;
}

export interface OwnPromptFunctions {
  /** Calls `onList` now and after every change, also by other tabs. Returns a function that stops it. */
  watch: (onList: (list: OwnPromptList) => void) => () => void;
  add: (name: string, text: string) => Promise<string>;
  edit: (id: string, name: string, text: string) => Promise<void>;
  order: (ids: readonly string[]) => Promise<void>;
}

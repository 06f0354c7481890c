/** The state of the whole app: route, chats, open chat and model. Part of the shell, so it imports only what the first paint needs. */
import type { AppUpdate } from '../contracts/app-update';
import type { BackupNotice } from '../contracts/backup';
import type { ChatRecord, Draft, Folder } from '../contracts/chat';
import type { ModelName } from '../contracts/model-library';
import type { Persona } from '../contracts/persona';
import type { ProviderInfo, Settings } from '../contracts/settings';
import type { ToolSpec } from '../contracts/tool';
import { Approvals } from './approvals.svelte';
import type { ChatSession } from './chat-session.svelte';
import type { Choices } from './choices.svelte';
import { CustomTools } from './custom-tools.svelte';
import type { ActionNotice, Deletion } from './deletion';
import type { ModelStatus } from './model-status.svelte';
import { Models } from './models.svelte';
import { Personas } from './personas.svelte';
import { hashOf, type Route, routeOf } from './route';
import type { Services } from './services';

/** At most one of these dialogs and panels is open. `find`: the search within the chat. `files`: the file picker. */
type OpenPanel = 'palette' | 'shortcuts' | 'rename' | 'export' | 'delete' | 'find' | 'files' | 'dictation';

export class App {
  route = $state.raw<Route>({ screen: 'chat' });
  chats = $state.raw<readonly ChatRecord[]>();
  folders = $state.raw<readonly Folder[]>([]);
  session = $state.raw<ChatSession>();
  /** Chats with a running turn in this tab. A turn continues while another chat is open. */
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
  isNewsOffered = $state(false);
  isSharedContentLost = $state(false);
  isStorageNearlyFull = $state(false);
  isOnline = $state(true);
  editedMessageId = $state<string>();
  backupNotice = $state.raw<BackupNotice>();
  /** Incremented to focus the message box. The two counters below work in the same way. */
  focusRequests = $state(0);
  searchRequests = $state(0);
  toolListRequests = $state(0);
  currentPanel = $state<OpenPanel>();
  deletion = $state.raw<Deletion>();
  lastAction = $state.raw<ActionNotice>();
  /** Opens what the user chose instead of the temporary chat. Defined only while Hearth asks the user whether to discard that chat. */
  leaveTemporaryChat = $state.raw<() => void>();
  fault = $state<string>();
  tools = $state.raw<readonly ToolSpec[]>([]);
  providers = $state.raw<readonly ProviderInfo[]>([]);
  choices = $state.raw<Choices>();
  toolsForLargerModels = $state.raw<readonly string[]>([]);

  readonly approvals = new Approvals();
  readonly customTools: CustomTools;
  readonly personas: Personas;
  readonly model: ModelStatus;
  readonly models: Models;
  readonly services: Services;
  #opening = 0;
  /** Settings that the user changed before the stored ones were loaded. Undefined after loading. */
  #changedEarly: Partial<Settings> | undefined = {};

  constructor(model: ModelStatus, services: Services) {
    this.model = model;
    this.services = services;
    this.customTools = new CustomTools(services.customTools);
    this.personas = new Personas(services.personas);
    this.models = new Models(services.models);
    model.followChoice(() => this.chosen);
  }

  get chosen(): ModelName {
    return this.session?.settings.model ?? this.settings.model ?? this.model.defaultModel;
  }

  get persona(): Persona | undefined {
    return this.personas.find(this.session?.settings.persona);
  }

  get offeredTools(): readonly ToolSpec[] {
    const allowed = this.persona?.content.tools ?? 'all';
    const forLarger = this.model.answeringModel.isSmall ? this.toolsForLargerModels : [];
    return this.tools.filter(
      ({ name }) => (allowed === 'all' || allowed.includes(name)) && !forLarger.includes(name),
    );
  }

  async open(hash: string): Promise<void> {
    const route = routeOf(hash);
    const goesElsewhere =
      route.screen === 'chat' && route.chatId !== undefined && route.chatId !== this.session?.id;
    if (goesElsewhere && this.hasTemporaryContent) {
      this.leaveTemporaryChat = () => this.services.setHash(hash, false);
      this.services.setHash(hashOf({ screen: 'chat' }), true);
      return;
    }
    this.route = route;
    if (this.route.screen !== 'chat') return;
    const { chatId } = this.route;
    if (chatId === undefined) return this.session?.isTemporary ? undefined : this.#openNew();
    if (this.session?.id === chatId) return;
    const turn = ++this.#opening;
    const session =
      this.running.find(({ id }) => id === chatId) ?? (await this.services.sessions.open(chatId));
    if (turn !== this.#opening) return;
    if (session) this.session = session;
    else this.services.setHash(hashOf({ screen: 'chat' }), true);
  }

  /** Shows an empty chat at once. Adds drafts from earlier visits when they are loaded. */
  async #openNew(): Promise<void> {
    this.#opening++;
    // If the open chat is new and nothing is running in it, keep it. A running chat is about to get its first message.
    if (this.session?.isNew && !this.session.isRunning) return;
    const session = this.services.sessions.begin();
    void session.set({ toolsOff: this.settings.toolsOff });
    this.session = session;
    const drafts = await this.services.drafts.listUnbegun();
    // The user opened another chat while the drafts were loading. The drafts stay stored, and the next new chat takes them.
    if (this.session !== session) return;
    // The first message of a running chat may still be stored as a draft. Skip that draft, or the text would appear twice.
    const isOther = ({ chatId }: Draft) =>
      chatId !== session.id && !this.running.some(({ id }) => id === chatId);
    session.takeOverDrafts(drafts.filter(isOther));
  }

  openNewChat(): void {
    if (this.hasTemporaryContent) {
      this.leaveTemporaryChat = () => this.openNewChat();
      return;
    }
    if (this.session?.isTemporary) this.session = undefined;
    const hash = hashOf({ screen: 'chat' });
    this.services.setHash(hash, false);
    // Do not wait for the `hashchange` event. Otherwise text typed meanwhile would go to the old chat.
    void this.open(hash);
  }

  /** True if the open chat is temporary and contains messages or a draft. The user would lose them by leaving the chat. */
  get hasTemporaryContent(): boolean {
    const { session } = this;
    return session?.isTemporary === true && !(session.isEmpty && session.draft.trim() === '');
  }

  async openTemporaryChat(): Promise<void> {
    if (this.hasTemporaryContent) {
      this.leaveTemporaryChat = () => void this.openTemporaryChat();
      return;
    }
    const { session: shown } = this;
    const draft = shown?.draft ?? '';
    const session = await this.services.sessions.beginTemporary();
    void session.set({ toolsOff: this.settings.toolsOff });
    // Move text that the user typed while the temporary chat was opening. It must not stay in the other chat, whose draft is stored.
    if (shown === this.session && shown?.draft.startsWith(draft)) {
      session.setDraft(shown.draft.slice(draft.length));
      shown.setDraft(draft);
    }
    this.session = session;
    this.services.setHash(hashOf({ screen: 'chat' }), false);
  }

  finishLeaving(isLeaving: boolean): void {
    const { leaveTemporaryChat } = this;
    this.leaveTemporaryChat = undefined;
    if (!isLeaving) return;
    this.session?.stop();
    this.session = undefined;
    leaveTemporaryChat?.();
  }

  async send(text?: string): Promise<void> {
    const { session } = this;
    if (!session || (text ?? session.draft).trim() === '') return;
    if (session.isRunning) {
      if (text === undefined) await (await this.services.loadFollowUps()).add(session);
      return;
    }
    if (this.route.screen === 'chat' && this.route.chatId !== session.id && !session.isTemporary) {
      this.route = { screen: 'chat', chatId: session.id };
      this.services.setHash(hashOf(this.route), true);
    }
    if (session.whenAttached) await session.whenAttached;
    await session.send(text);
  }

  setRunning(session: ChatSession, isRunning: boolean): void {
    const others = this.running.filter((other) => other !== session);
    this.running = isRunning ? [...others, session] : others;
    void this.services.news.tell(session, isRunning).catch(() => undefined);
    if (!isRunning) void this.services.loadFollowUps().then((followUps) => followUps.afterTurn(session));
  }

  /** Replaces the list of chats. Reloads the open chat if another tab has changed it. */
  async updateChats(chats: readonly ChatRecord[]): Promise<void> {
    this.chats = chats;
    const { session } = this;
    const record = chats.find(({ id }) => id === session?.id);
    if (!session || !record || !session.isSettled || record.leafId === session.leafId) return;
    await this.reopen(session);
  }

  async reopen(session: ChatSession): Promise<void> {
    const fresh = await this.services.sessions.open(session.id);
    if (fresh && this.session === session && session.isSettled) this.session = fresh;
  }

  async useModel(model: ModelName): Promise<void> {
    await Promise.all([this.session?.set({ model }), this.saveSettings({ model })]);
    this.model.retry();
  }

  /** Like `useModel`, but if the chat has already begun, changes only that chat's model. */
  async switchModel(model: ModelName): Promise<void> {
    const { session } = this;
    if (!session || session.isNew) return this.useModel(model);
    await session.set({ model });
    this.model.retry();
  }

  /** Applies the stored settings, but keeps what the user changed before they were loaded. */
  applySettings(settings: Settings): void {
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
    await this.services.settings.save(changed);
  }
}

export type StorageCondition =
  | { type: 'opening' | 'ok' | 'memory' | 'unreadable' }
  /** A newer version of Hearth wrote the data. We leave it unchanged. */
  | { type: 'newer' }
  | { type: 'shortened'; expected: number; found: number }
  /** An older version of Hearth in another tab keeps the database open. */
  | { type: 'blocked' }
  /** Hearth cannot write any more: a newer version runs in another tab, or another tab or the browser has deleted the data. */
  | { type: 'closed'; reason: 'updated' | 'deleted' | 'lost' };

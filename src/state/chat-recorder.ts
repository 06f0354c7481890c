/**
 * Records what the user does in one chat: asking, moving in the tree of messages, and typing the draft. `chat-session.svelte.ts` implements
 * the abstract fields as runes.
 */
import type { Draft, FollowUp, MessageNode, QuestionEdit } from '../contracts/chat';
import {
  type ChatSettings,
  leafAfterRemoval,
  newestLeafOf,
  settingsOf,
  titleOf,
  removeSubtree,
} from '../contracts/chat-logic';
import type { Attached, UserMessage } from '../contracts/message';
import type { TurnReplay } from '../contracts/turn';
import type { LoadedChat } from '../contracts/store';
import { type ContinuedAgent, type NewMessage, type RecorderFunctions, TurnRecorder } from './turn-recorder';
import { untilAborted } from '../contracts/until-aborted';

type OutsideContent = Pick<UserMessage, 'sources' | 'attached'>;

const nonEmpty = <Item>(list: readonly Item[]) => (list[0] ? [...list] : undefined);

export interface QueuedMessage extends OutsideContent, Pick<FollowUp, 'id' | 'text'> {
  /** Like `lockTurn`, but waits a moment if another turn is just ending. */
  lock: RecorderFunctions['lockTurn'];
  /** Whether the message is still queued. Checked under the lock, because another tab may have sent or removed it. */
  isWaiting: () => Promise<boolean>;
}

interface TurnOptions {
  replay?: TurnReplay | undefined;
  lock?: QueuedMessage['lock'];
  mayBegin?: QueuedMessage['isWaiting'];
}

export interface BranchOptions {
  title?: string | undefined;
  replay?: TurnReplay | undefined;
  agents?: readonly ContinuedAgent[];
  /** Called once the new messages are queued for writing. Not called if the turn could not start. */
  onPut?: (() => void) | undefined;
}

export abstract class ChatRecorder extends TurnRecorder {
  abstract settings: ChatSettings;
  abstract draft: string;
  abstract quoted: readonly string[];
  abstract attached: readonly Attached[];
  abstract edits: readonly QuestionEdit[];
  /** True as long as nothing has been sent in this chat. */
  abstract isNew: boolean;

  /** Depth of the first loaded message. Undefined if the whole chat is loaded. */
  abstract from: number | undefined;

  /** Whether to end the turn after the current round, because the user wants a queued message asked next. */
  isSteered = false;

  #abort = new AbortController();
  #ended = Promise.resolve();
  #reading = Promise.resolve();
  #isDraftWaiting = false;

  async send(text: string = this.draft): Promise<void> {
    if (this.isRunning || text.trim() === '') return;
    await this.#turn(() => {
      const isDraft = text === this.draft;
      const outside = isDraft ? this.#outside() : {};
      if (isDraft) {
        this.draft = '';
        this.quoted = this.attached = [];
      }
      void this.#createOnce(text);
      const written = this.#ask(text, outside);
      // Clear the stored draft only after the question is queued for writing, so that a crash duplicates the text rather than losing it.
      if (isDraft) this.#saveDraft();
      return written;
    });
  }

  /** Asks a queued message. The question keeps the message's id, so that one transaction can move it out of the queue. */
  async sendWaited({ id, text, lock, isWaiting, ...outside }: QueuedMessage): Promise<void> {
    if (!this.isRunning)
      await this.#turn(() => this.#ask(text, outside, { id }), { lock, mayBegin: isWaiting });
  }

  async continueTurn(): Promise<void> {
    if (this.branch.length > 0) await this.branchOff(this.leafId);
  }

  /** Adds the messages `put` after a message, in a new branch if others follow it already, and starts a turn. */
  async branchOff(
    after: string | null,
    put: readonly NewMessage[] = [],
    { title, replay, agents = [], onPut }: BranchOptions = {},
  ): Promise<void> {
    if (this.isRunning) return;
    await this.#turn(
      () => {
        let written = after === this.leafId ? Promise.resolve() : this.#moveTo(after);
        if (title !== undefined) void this.write(() => this.functions.chats.retitle(this.id, title));
        for (const one of put) written = this.add(...one);
        for (const agent of agents) this.putAgent(agent);
        onPut?.();
        return written;
      },
      { replay },
    );
  }

  /** Shows the branch that contains a message. Resolves to false if the message is gone or a turn runs in another branch. */
  async goTo(messageId: string): Promise<boolean> {
    if (this.branch.some(({ id }) => id === messageId)) return true;
    if (this.from !== undefined) await this.read(true);
    if (this.branch.some(({ id }) => id === messageId)) return true;
    if (this.isRunning || !this.nodes.some(({ id }) => id === messageId)) return false;
    await this.#moveTo(newestLeafOf(this.nodes, messageId));
    return true;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Loads earlier messages: the next part, or with `isAll` the rest of the chat. */
  read(isAll = false): Promise<void> {
    // Reads run one after another, because each starts where the previous one ended.
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read(isAll));
    return this.#reading;
  }

  async #read(isAll: boolean): Promise<void> {
    if (this.from === undefined || (this.from === 0 && !isAll)) return;
    const { chats } = this.functions;
    const loaded = await (isAll ? chats.load(this.id) : chats.loadBefore(this.id, this.from));
    if (loaded) this.takeStored(loaded);
  }

  /** Merges stored messages into the loaded ones. A loaded message may be newer than the stored one and is kept. */
  protected takeStored({ nodes, agents, from }: Omit<LoadedChat, 'chat' | 'damaged'>): void {
    const here = new Map(this.nodes.map((node) => [node.id, node]));
    const stored = nodes.map((node) => here.get(node.id) ?? node);
    const ids = new Set(nodes.map(({ id }) => id));
    this.nodes = [...stored, ...this.nodes.filter(({ id }) => !ids.has(id))];
    this.from = from;
    this.takeAgents(agents);
  }

  protected abstract takeAgents(agents: LoadedChat['agents']): void;

  async showLeaf(leafId: string | null): Promise<void> {
    if (!this.isRunning) await this.#moveTo(leafId);
  }

  /** Moves a message and its descendants to the bin, and shows a neighbouring version. */
  async remove(node: MessageNode): Promise<void> {
    if (this.isRunning) return;
    if (this.from !== undefined) await this.read(true);
    this.leafId = leafAfterRemoval(this.nodes, node);
    this.nodes = removeSubtree(this.nodes, node.id);
    const removed = this.write(() => this.functions.chats.binFrom(node.id));
    // Mark the turn as ended, or a question without a reply would count as interrupted.
    if (this.branch.at(-1)?.message.role === 'user') await this.endTurn('stopped');
    await removed;
  }

  async restore(nodeId: string): Promise<void> {
    await this.write(() => this.functions.chats.restoreFrom(nodeId));
    const loaded = await this.functions.chats.load(this.id);
    if (!loaded || this.isRunning) return;
    this.takeStored(loaded);
    this.leafId = loaded.chat.leafId;
  }

  setDraft(text: string): void {
    this.draft = text;
    // An empty draft quotes nothing.
    if (text === '') this.quoted = [];
    this.#saveDraft();
  }

  /** Prepends the drafts of chats that were never started, and deletes those drafts. */
  takeOver(drafts: readonly Draft[]): void {
    if (drafts.length === 0) return;
    const all = [...drafts, { text: this.draft, ...this.#outside() }];
    this.quoted = all.flatMap(({ sources = [] }) => sources);
    this.attached = all.flatMap(({ attached = [] }) => attached);
    this.setDraft(all.flatMap(({ text }) => text || []).join('\n'));
    // Delete them only after the new draft is queued for writing, so that a crash duplicates text rather than losing it.
    for (const { chatId } of drafts) void this.write(() => this.functions.drafts.save(chatId, ''));
  }

  saveAgain(): Promise<void> {
    return this.write();
  }

  async setTool(name: string, isOn: boolean): Promise<void> {
    const others = this.settings.toolsOff.filter((off) => off !== name);
    await this.set({ toolsOff: isOn ? others : [...others, name] });
  }

  async set(patch: Partial<ChatSettings>): Promise<void> {
    this.settings = settingsOf({ ...this.settings, ...patch });
    if (!this.isNew) await this.write(() => this.functions.chats.update(this.id, patch));
  }

  /**
   * Runs one turn. Across all tabs, a chat has one turn at a time. `begin` updates the screen, and resolves once the change is written.
   * `mayBegin` is checked under the lock.
   */
  async #turn(
    begin: () => Promise<void>,
    { replay, lock = this.functions.lockTurn, mayBegin }: TurnOptions = {},
  ): Promise<void> {
    this.setRunning(true);
    this.isSettled = this.isSteered = false;
    this.notices = [];
    const askedAt = this.functions.now();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const before = this.#ended;
    let end = () => {};
    this.#ended = new Promise((resolve) => (end = resolve));
    let unlock: (() => void) | undefined;
    // The lock may have to wait for the store. Show Stop at once meanwhile; the question is still saved.
    const showStopped = () => this.setRunning(false);
    signal.addEventListener('abort', showStopped);
    try {
      await before;
      unlock = await lock(this.id);
      signal.removeEventListener('abort', showStopped);
      if (!unlock) {
        this.notices = ['other-tab'];
        return;
      }
      if (mayBegin && !(await mayBegin())) return;
      if (this.from !== undefined) await this.read(true);
      const begun = begin();
      // Only after `begin`, which uses the next id for the question.
      this.beginReply();
      // Write the question before the model starts, so that a crash does not lose it.
      await settledOrStopped(begun, signal);
      await this.#take(this.#run(signal, askedAt, replay), signal);
    } finally {
      const written = this.finishReply();
      // Stop does not wait for the disk. The next turn of this chat does.
      if (signal.aborted) this.reply = undefined;
      else await written;
      // If the user has already sent the next message, leave the chat running.
      if (this.#abort.signal === signal) this.setRunning(false);
      await written;
      this.isSettled = this.writes.isEmpty && !this.isRunning;
      unlock?.();
      end();
    }
  }

  #run(signal: AbortSignal, askedAt: number, replay: TurnReplay | undefined) {
    const { id: chatId, branch, settings, toolOffer } = this;
    const history = branch.map(({ message }) => message);
    return this.functions.run(history, {
      ...settings,
      chatId,
      branch,
      toolOffer,
      agentHistory: (callId) => this.agents.get(callId)?.branch.map(({ message }) => message),
      signal,
      askedAt,
      replay,
      isSteered: () => this.isSteered,
    });
  }

  async #take(events: ReturnType<RecorderFunctions['run']>, signal: AbortSignal): Promise<void> {
    const begun = await settledOrStopped(events.next(), signal);
    if (!begun) {
      void events.return([]).catch(() => undefined);
      void this.endTurn('stopped');
      return;
    }
    for (let next = begun; next.done !== true; next = await events.next()) {
      const taken = this.take(next.value);
      if (!signal.aborted) await taken;
    }
  }

  #ask(text: string, { sources, attached }: OutsideContent, record?: { id: string }): Promise<void> {
    return this.add({ role: 'user', content: [{ type: 'text', text }], sources, attached }, record);
  }

  #outside(): OutsideContent {
    return { sources: nonEmpty(this.quoted), attached: nonEmpty(this.attached) };
  }

  /** Saves the draft. Changes during a write are saved together by the next write. */
  #saveDraft(): void {
    if (this.#isDraftWaiting) return;
    this.#isDraftWaiting = true;
    void this.write(() => {
      this.#isDraftWaiting = false;
      return this.functions.drafts.save(this.id, this.draft, {
        ...this.#outside(),
        edits: nonEmpty(this.edits),
      });
    });
  }

  async #createOnce(question: string): Promise<void> {
    if (!this.isNew) return;
    this.isNew = false;
    const now = this.functions.date();
    const chat = {
      id: this.id,
      title: titleOf(question),
      isNamed: false,
      createdAt: now,
      updatedAt: now,
      leafId: null,
      ...this.settings,
    };
    await this.write(() => this.functions.chats.create(chat));
  }

  async #moveTo(leafId: string | null): Promise<void> {
    this.leafId = leafId;
    await this.write(() => this.functions.chats.update(this.id, { leafId }));
  }
}

/** Resolves like `work`, or to undefined when the user stops the turn. */
async function settledOrStopped<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return untilAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}

/**
 * What happens in one chat, and how it is written down: questions, turns and their checkpoints, moves in the tree,
 * the draft. What of it is shown is kept by whoever extends this: as runes on the page (`chat-session.svelte.ts`).
 */
import type { ChatRecord, Draft, MessageNode, Place } from '../contracts/chat';
import { withoutSubtree } from '../contracts/branch';
import type { AgentEvent, TurnEnd } from '../contracts/events';
import type { Message } from '../contracts/message';
import type { ContextUse, ModelEvent } from '../contracts/model';
import type { ModelName } from '../contracts/model-name';
import type { ToolOffer, ToolSearchMode } from '../contracts/tool-offer';
import type { RecorderFunctions } from './recorder-functions';
import { titleOf } from './title';
import { addToReply, type RunningReply, startReply } from './running-reply';
import type { Turn } from './turns';
import { WriteQueue } from './write-queue';

export type ChatNotice = 'second-chance' | 'tool-off' | 'searched-first' | 'words-only' | 'other-tab';

/** Milliseconds between two checkpoints of a running reply. */
const checkpointMs = 250;

/** A chat as it was stored, or the id of one that was not. */
export type StoredChat = { chat: ChatRecord; nodes: readonly MessageNode[] } | { id: string };

export abstract class ChatRecorder {
  readonly id: string;
  /** All messages of the tree, parents before children. */
  abstract nodes: readonly MessageNode[];
  /** The last message of the branch that is shown; null in an empty chat. */
  abstract leafId: string | null;
  /** The reply in progress; undefined while no turn runs. */
  abstract reply: RunningReply | undefined;
  /** From the first moment of a turn to its last, the wait for the model included. */
  abstract readonly isRunning: boolean;
  /** How full the model's memory was when it was last asked; undefined in a visit in which it was not asked yet. */
  abstract context: ContextUse | undefined;
  /** Notices of the current or last turn, newest last. */
  abstract notices: readonly ChatNotice[];
  /** Names of the tools that are off in this chat. */
  abstract toolsOff: readonly string[];
  /** Undefined while nothing was chosen. */
  abstract toolSearch: ToolSearchMode | undefined;
  /** Which tools the model is shown; undefined where that is all that are on. */
  abstract toolOffer: ToolOffer | undefined;
  /** Chosen for this chat; undefined while none was. */
  abstract model: ModelName | undefined;
  /** Id of the persona that answers; undefined while none was chosen. */
  abstract persona: string | undefined;
  abstract draft: string;
  /** Not yet in the list: nothing was ever sent in it. */
  abstract isNew: boolean;
  /** False while something on the screen is not on the disk. */
  abstract isSaved: boolean;
  /** Nothing runs here and all is written: it may be read anew when another tab has changed it. */
  abstract isSettled: boolean;
  /** From the first message of the tree to the leaf. */
  abstract readonly branch: readonly MessageNode[];

  readonly #functions: RecorderFunctions;
  #abort = new AbortController();
  /** Id of the next message. A running reply is checkpointed under it, and stored under it when it is whole. */
  #nextId: string;
  /** What the running reply grew by since its last checkpoint. */
  #grown: ModelEvent[] = [];
  /** When the last checkpoint was written, by `now`. */
  #checkpointedAt = 0;
  readonly #writes = new WriteQueue((isSaved) => {
    this.isSaved = isSaved;
    this.isSettled = this.#writes.isEmpty && !this.isRunning;
  });
  #isDraftWaiting = false;

  constructor(functions: RecorderFunctions, stored: StoredChat) {
    this.#functions = functions;
    this.#nextId = functions.newId();
    this.id = 'chat' in stored ? stored.chat.id : stored.id;
  }

  /** Sets `isRunning`. */
  protected abstract setRunning(isRunning: boolean): void;

  /** Sends the draft, or what is given instead of it. */
  async send(text: string = this.draft): Promise<void> {
    if (this.isRunning || text.trim() === '') return;
    await this.#turn(() => {
      const isDraft = text === this.draft;
      if (isDraft) this.draft = '';
      void this.#createOnce(text);
      const asked = this.#ask(text);
      // After the question is written: a crash between the two leaves the text twice, never lost.
      if (isDraft) this.#saveDraft();
      return asked;
    });
  }

  /** Asks again, in a new branch beside the old reply. */
  async regenerate(turn: Turn): Promise<void> {
    if (this.isRunning || !turn.question) return;
    const { id } = turn.question;
    await this.#turn(() => this.#moveTo(id));
  }

  /** Asks something else in the place of a question, in a new branch. */
  async edit(question: MessageNode, text: string): Promise<void> {
    if (this.isRunning || text.trim() === '') return;
    await this.#turn(() => {
      void this.#moveTo(question.parentId);
      // The title is the beginning of the first question.
      const title = question.parentId === null ? titleOf(text) : undefined;
      if (title !== undefined) void this.#write(() => this.#functions.chats.retitle(this.id, title));
      return this.#ask(text);
    });
  }

  /** Goes on where the last turn was stopped, cut off or interrupted. */
  async continueTurn(): Promise<void> {
    if (this.isRunning || this.branch.length === 0) return;
    await this.#turn(() => Promise.resolve());
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Deletes a message and everything after it. */
  async remove(node: MessageNode): Promise<void> {
    if (this.isRunning) return;
    this.nodes = withoutSubtree(this.nodes, node.id);
    this.leafId = node.parentId;
    const removed = this.#write(() => this.#functions.chats.removeFrom(node.id));
    // A question whose reply was deleted is over, not interrupted.
    if (this.branch.at(-1)?.message.role === 'user') await this.#endTurn('stopped');
    await removed;
  }

  setDraft(text: string): void {
    this.draft = text;
    this.#saveDraft();
  }

  /** Puts drafts of chats that were never begun before this chat's own draft, and removes them there. */
  takeOver(drafts: readonly Draft[]): void {
    if (drafts.length === 0) return;
    this.setDraft([...drafts.map(({ text }) => text), this.draft].filter(Boolean).join('\n'));
    // After this chat's own draft is written: a crash between the two leaves the text twice, never lost.
    for (const { chatId } of drafts) void this.#write(() => this.#functions.drafts.save(chatId, ''));
  }

  /** Tries again what could not be written. */
  saveAgain(): Promise<void> {
    return this.#write();
  }

  async setTool(name: string, isOn: boolean): Promise<void> {
    const others = this.toolsOff.filter((off) => off !== name);
    this.toolsOff = isOn ? others : [...others, name];
    if (!this.isNew) await this.#write(() => this.#functions.chats.setToolsOff(this.id, this.toolsOff));
  }

  async setToolSearch(mode: ToolSearchMode): Promise<void> {
    this.toolSearch = mode;
    if (!this.isNew) await this.#write(() => this.#functions.chats.setToolSearch(this.id, mode));
  }

  /** From the next question on; the history is told to it in its own words. */
  async setModel(model: ModelName): Promise<void> {
    this.model = model;
    if (!this.isNew) await this.#write(() => this.#functions.chats.setModel(this.id, model));
  }

  /** From the next question on: the prompt begins with its instructions then. Undefined chooses none. */
  async setPersona(personaId: string | undefined): Promise<void> {
    this.persona = personaId;
    if (!this.isNew) await this.#write(() => this.#functions.chats.setPersona(this.id, personaId));
  }

  /**
   * Runs one turn; a chat has one at a time, in all tabs together. `begin` changes the screen at once, and resolves when
   * that is written.
   */
  async #turn(begin: () => Promise<void>): Promise<void> {
    this.setRunning(true);
    this.isSettled = false;
    this.notices = [];
    const askedAt = this.#functions.now();
    this.#abort = new AbortController();
    let unlock: (() => void) | undefined;
    try {
      unlock = await this.#functions.lockTurn(this.id);
      if (!unlock) {
        this.notices = ['other-tab'];
        return;
      }
      const begun = begin();
      // After `begin`, which uses up the id of the question: the reply has the next one.
      this.reply = startReply(this.#nextId);
      // On the disk before the model starts: a crash must not take the question with it.
      await begun;
      const history = this.branch.map((node) => node.message);
      const { id: chatId, toolsOff, toolSearch, toolOffer, model, persona } = this;
      const { signal } = this.#abort;
      const chat = { chatId, model, persona, toolsOff, toolSearch, toolOffer };
      const events = this.#functions.run(history, { ...chat, signal, askedAt });
      for await (const event of events) await this.#take(event);
    } finally {
      this.#checkpoint();
      await this.#writes.settled;
      this.reply = undefined;
      this.setRunning(false);
      this.isSettled = this.#writes.isEmpty;
      unlock?.();
    }
  }

  async #take(event: AgentEvent): Promise<void> {
    const reply = { ...(this.reply ?? startReply(this.#nextId)), hasBegun: event.type !== 'turn-start' };
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-call':
        this.reply = addToReply(reply, event);
        this.#grown.push(event);
        // Checked when something arrives, not by a timer: a hidden tab's timers all but stop.
        if (this.#functions.now() - this.#checkpointedAt >= checkpointMs) this.#checkpoint();
        break;
      case 'context':
        this.context = event.context;
        this.reply = reply;
        break;
      case 'tool-offer':
        this.reply = { ...reply, toolOffer: event.offer };
        this.#takeOffer(event.offer);
        break;
      case 'call-delta':
      case 'tool-approval-request':
      case 'tool-start':
      case 'tool-progress':
      case 'tool-result':
      case 'recovery':
        this.reply = addToReply(reply, event);
        break;
      case 'message-end': {
        const { message, usage, prompt, by } = event;
        const isModels = message.role === 'assistant' && by !== 'page';
        const model = isModels ? this.#functions.currentModel() : undefined;
        if (usage) this.#functions.onUsage(usage);
        // Both at once for the screen: the message enters the branch as it leaves the reply in progress.
        const recoveries = isModels && reply.recoveries.length > 0 ? [...reply.recoveries] : undefined;
        const record = {
          ...(model && { model }),
          ...(usage && { usage }),
          ...(recoveries && { recoveries }),
          ...(isModels && reply.toolOffer && { toolOffer: reply.toolOffer }),
        };
        const written = this.#add(message, record, prompt);
        const untold = recoveries ? [] : reply.recoveries;
        const toolOffer = isModels ? undefined : reply.toolOffer;
        this.reply = {
          ...reply,
          ...{ id: this.#nextId, openCall: undefined, content: [], recoveries: untold, toolOffer },
        };
        await written;
        break;
      }
      case 'notice':
        // Said once, however often it happens in a turn.
        if (!this.notices.includes(event.code)) this.notices = [...this.notices, event.code];
        break;
      case 'turn-end':
        await this.#endTurn(event.reason);
        break;
      case 'turn-start':
        break;
    }
  }

  /** Before the reply: the next turn begins its prompt as this one did. */
  #takeOffer(offer: ToolOffer | undefined): void {
    const isSame = JSON.stringify(offer) === JSON.stringify(this.toolOffer);
    this.toolOffer = offer;
    if (!isSame) void this.#write(() => this.#functions.chats.setToolOffer(this.id, offer));
  }

  #ask(text: string): Promise<void> {
    return this.#add({ role: 'user', content: [{ type: 'text', text }] });
  }

  async #endTurn(reason: TurnEnd): Promise<void> {
    const { leafId } = this;
    if (leafId === null) return;
    this.nodes = this.nodes.map((node) => (node.id === leafId ? { ...node, turnEnd: reason } : node));
    await this.#write(() => this.#functions.chats.endTurn(leafId, reason));
  }

  /** Letters typed while others are being written are written together, after them. */
  #saveDraft(): void {
    if (this.#isDraftWaiting) return;
    this.#isDraftWaiting = true;
    void this.#write(() => {
      this.#isDraftWaiting = false;
      return this.#functions.drafts.save(this.id, this.draft);
    });
  }

  async #createOnce(question: string): Promise<void> {
    if (!this.isNew) return;
    this.isNew = false;
    const now = this.#functions.date();
    const chat = {
      id: this.id,
      title: titleOf(question),
      isNamed: false,
      createdAt: now,
      updatedAt: now,
      leafId: null,
      toolsOff: [...this.toolsOff],
      ...(this.model && { model: this.model }),
      ...(this.persona !== undefined && { persona: this.persona }),
      ...(this.toolSearch && { toolSearch: this.toolSearch }),
    };
    await this.#write(() => this.#functions.chats.create(chat));
  }

  async #moveTo(leafId: string | null): Promise<void> {
    this.leafId = leafId;
    await this.#write(() => this.#functions.chats.setLeaf(this.id, leafId));
  }

  #add(
    message: Message,
    record: Omit<Partial<MessageNode>, keyof Place> = {},
    prompt?: string,
  ): Promise<void> {
    const node: MessageNode = { ...this.#place(), message, ...record };
    this.#grown = [];
    this.#nextId = this.#functions.newId();
    this.nodes = [...this.nodes, node];
    this.leafId = node.id;
    return this.#write(() => this.#functions.chats.save(node, prompt));
  }

  #checkpoint(): void {
    if (this.#grown.length === 0) return;
    const events = this.#grown;
    const place = this.#place();
    this.#grown = [];
    this.#checkpointedAt = this.#functions.now();
    void this.#write(() => this.#functions.chats.checkpoint(place, events));
  }

  #place(): Place {
    const createdAt = this.#functions.date();
    return { id: this.#nextId, chatId: this.id, parentId: this.leafId, createdAt };
  }

  #write(task?: () => Promise<unknown>): Promise<void> {
    this.isSettled = false;
    return this.#writes.add(task);
  }
}

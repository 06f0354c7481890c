/**
 * What a person does in one chat, and how it is written down: questions, moves in the tree, the draft. What of it is shown is kept by
 * whoever extends this: as runes on the page (`chat-session.svelte.ts`).
 */
import type { Draft, FollowUp, MessageNode, QuestionEdit } from '../contracts/chat';
import {
  type ChatSettings,
  leafWithout,
  newestLeafOf,
  settingsOf,
  titleOf,
  withoutSubtree,
} from '../contracts/chat-logic';
import type { Attached, UserMessage } from '../contracts/message';
import type { TurnReplay } from '../contracts/turn';
import type { LoadedChat } from '../contracts/store';
import { type AgentPut, type Put, type RecorderFunctions, TurnRecorder } from './turn-recorder';
import { untilAborted } from '../contracts/until-aborted';

type Outside = Pick<UserMessage, 'sources' | 'attached'>;

const some = <Item>(list: readonly Item[]) => (list[0] ? [...list] : undefined);

/** A message that waited until a turn was over. */
export interface Waited extends Outside, Pick<FollowUp, 'id' | 'text'> {
  /** As `lockTurn`, but waits a moment for a turn that is just over. */
  lock: RecorderFunctions['lockTurn'];
  /** Asked when no other turn of the chat can run: another tab may have asked it, or taken it away. */
  isWaiting: () => Promise<boolean>;
}

interface TurnWishes {
  replay?: TurnReplay | undefined;
  lock?: Waited['lock'];
  mayBegin?: Waited['isWaiting'];
}

export interface BranchOptions {
  title?: string | undefined;
  replay?: TurnReplay | undefined;
  agents?: readonly AgentPut[];
  /** Called once what is put is on its way to the disk; never where the turn could not begin. */
  onPut?: (() => void) | undefined;
}

export abstract class ChatRecorder extends TurnRecorder {
  abstract settings: ChatSettings;
  abstract draft: string;
  /** Hosts whose text is in the draft. */
  abstract quoted: readonly string[];
  /** What of servers, and which files, go with the draft. */
  abstract attached: readonly Attached[];
  /** Questions that are being changed; changed by `question-edits.ts`. */
  abstract edits: readonly QuestionEdit[];
  /** Not yet in the list: nothing was ever sent in it. */
  abstract isNew: boolean;

  /** Of a long chat whose beginning was not read yet: the least depth that is here. Undefined where all is. */
  abstract from: number | undefined;

  /** The turn that runs is to end after the results of a round: something waits to be asked next. */
  isSteered = false;

  #abort = new AbortController();
  /** Resolves when all of the last turn is written. */
  #ended = Promise.resolve();
  #reading = Promise.resolve();
  #isDraftWaiting = false;

  /** Sends the draft, or what is given instead of it. */
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
      // After the question is written: a crash between the two leaves the text twice, never lost.
      if (isDraft) this.#saveDraft();
      return written;
    });
  }

  /** Asks what waited. Its message has its id: so its question and its place among those that wait are exchanged in one step. */
  async sendWaited({ id, text, lock, isWaiting, ...outside }: Waited): Promise<void> {
    if (!this.isRunning)
      await this.#turn(() => this.#ask(text, outside, { id }), { lock, mayBegin: isWaiting });
  }

  /** Goes on where the last turn was stopped, cut off or interrupted. */
  async continueTurn(): Promise<void> {
    if (this.branch.length > 0) await this.branchOff(this.leafId);
  }

  /** A turn after some message, in a new branch where others stand there already, with what is put there first. */
  async branchOff(
    after: string | null,
    put: readonly Put[] = [],
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

  /** Goes to the branch that a message is in. Resolves to false where it is not there, or a turn runs in another branch. */
  async goTo(messageId: string): Promise<boolean> {
    if (this.branch.some(({ id }) => id === messageId)) return true;
    // It may stand further up, or in a branch that was not read.
    if (this.from !== undefined) await this.read(true);
    if (this.branch.some(({ id }) => id === messageId)) return true;
    if (this.isRunning || !this.nodes.some(({ id }) => id === messageId)) return false;
    await this.#moveTo(newestLeafOf(this.nodes, messageId));
    return true;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Reads what of the chat was not read yet: all of it, or the part before what is here. */
  read(isAll = false): Promise<void> {
    // One after another: each begins where the one before it ended.
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#read(isAll));
    return this.#reading;
  }

  async #read(isAll: boolean): Promise<void> {
    if (this.from === undefined || (this.from === 0 && !isAll)) return;
    const { chats } = this.functions;
    const loaded = await (isAll ? chats.load(this.id) : chats.loadBefore(this.id, this.from));
    if (loaded) this.takeStored(loaded);
  }

  /** Takes what is stored of the chat beside what is here, which may be newer. */
  protected takeStored({ nodes, agents, from }: Omit<LoadedChat, 'chat' | 'damaged'>): void {
    const here = new Map(this.nodes.map((node) => [node.id, node]));
    const stored = nodes.map((node) => here.get(node.id) ?? node);
    const ids = new Set(nodes.map(({ id }) => id));
    this.nodes = [...stored, ...this.nodes.filter(({ id }) => !ids.has(id))];
    this.from = from;
    this.takeAgents(agents);
  }

  /** Adds sub-agents that are stored to `agents`. */
  protected abstract takeAgents(agents: LoadedChat['agents']): void;

  /** Goes to another branch: its end is shown from now on. */
  async showLeaf(leafId: string | null): Promise<void> {
    if (!this.isRunning) await this.#moveTo(leafId);
  }

  /** Puts a message and everything after it into the bin; the version beside it is shown then. */
  async remove(node: MessageNode): Promise<void> {
    if (this.isRunning) return;
    if (this.from !== undefined) await this.read(true);
    this.leafId = leafWithout(this.nodes, node);
    this.nodes = withoutSubtree(this.nodes, node.id);
    const removed = this.write(() => this.functions.chats.binFrom(node.id));
    // A question whose reply was deleted is over, not interrupted.
    if (this.branch.at(-1)?.message.role === 'user') await this.endTurn('stopped');
    await removed;
  }

  /** Takes it out of the bin again, with everything after it. */
  async restore(nodeId: string): Promise<void> {
    await this.write(() => this.functions.chats.restoreFrom(nodeId));
    const loaded = await this.functions.chats.load(this.id);
    if (!loaded || this.isRunning) return;
    this.takeStored(loaded);
    this.leafId = loaded.chat.leafId;
  }

  setDraft(text: string): void {
    this.draft = text;
    // Of an empty box nothing is a server's.
    if (text === '') this.quoted = [];
    this.#saveDraft();
  }

  /** Puts drafts of chats that were never begun before this chat's own draft, and removes them there. */
  takeOver(drafts: readonly Draft[]): void {
    if (drafts.length === 0) return;
    const all = [...drafts, { text: this.draft, ...this.#outside() }];
    this.quoted = all.flatMap(({ sources = [] }) => sources);
    this.attached = all.flatMap(({ attached = [] }) => attached);
    this.setDraft(all.flatMap(({ text }) => text || []).join('\n'));
    // After this chat's own draft is written: a crash between the two leaves the text twice, never lost.
    for (const { chatId } of drafts) void this.write(() => this.functions.drafts.save(chatId, ''));
  }

  /** Tries again what could not be written. */
  saveAgain(): Promise<void> {
    return this.write();
  }

  async setTool(name: string, isOn: boolean): Promise<void> {
    const others = this.settings.toolsOff.filter((off) => off !== name);
    await this.set({ toolsOff: isOn ? others : [...others, name] });
  }

  /** Changes what is chosen for this chat, from the next question on. An undefined value takes a choice back. */
  async set(patch: Partial<ChatSettings>): Promise<void> {
    this.settings = settingsOf({ ...this.settings, ...patch });
    if (!this.isNew) await this.write(() => this.functions.chats.update(this.id, patch));
  }

  /**
   * Runs one turn; a chat has one at a time, in all tabs together. `begin` changes the screen at once, and resolves when
   * that is written. `mayBegin` is asked once no other tab can begin one.
   */
  async #turn(
    begin: () => Promise<void>,
    { replay, lock = this.functions.lockTurn, mayBegin }: TurnWishes = {},
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
    try {
      await before;
      unlock = await lock(this.id);
      if (!unlock) {
        this.notices = ['other-tab'];
        return;
      }
      if (mayBegin && !(await mayBegin())) return;
      // The model is told all of it.
      if (this.from !== undefined) await this.read(true);
      const begun = begin();
      // After `begin`, which uses up the id of the question: the reply has the next one.
      this.beginReply();
      // On the disk before the model starts: a crash must not take the question with it.
      await settledOrStopped(begun, signal);
      await this.#take(this.#run(signal, askedAt, replay), signal);
    } finally {
      const written = this.finishReply();
      // A person who pressed Stop does not wait for the disk. The next turn of this chat does.
      if (signal.aborted) this.reply = undefined;
      else await written;
      this.setRunning(false);
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
    // What is loaded and read before a turn begins hears no Stop.
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

  #ask(text: string, { sources, attached }: Outside, record?: { id: string }): Promise<void> {
    return this.add({ role: 'user', content: [{ type: 'text', text }], sources, attached }, record);
  }

  #outside(): Outside {
    return { sources: some(this.quoted), attached: some(this.attached) };
  }

  /** Letters typed while others are being written are written together, after them. */
  #saveDraft(): void {
    if (this.#isDraftWaiting) return;
    this.#isDraftWaiting = true;
    void this.write(() => {
      this.#isDraftWaiting = false;
      return this.functions.drafts.save(this.id, this.draft, { ...this.#outside(), edits: some(this.edits) });
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

/** Resolves to what `work` does, or to undefined when the person stops the turn first. */
async function settledOrStopped<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return untilAborted(work, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return undefined;
  });
}

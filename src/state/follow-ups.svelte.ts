/** Queued messages of all chats. After an answer, the next message is sent. After Stop or a failure, it waits for the user. */
import type { FollowUp } from '../contracts/chat';
import type { FollowUpStore } from '../contracts/store';
import type { ChatSession, QueuedMessage } from './chat-session.svelte';
import type { Deletion } from './deletion';
import { editOf } from './draft';

/** `src/app` implements these functions. They reject with an `AppError` if the store fails. */
export interface FollowUpFunctions extends Pick<FollowUpStore, 'list' | 'add' | 'change' | 'remove'> {
  watch: (onList: (list: readonly FollowUp[]) => void) => void;
  /** Locks a chat's turns across tabs. Waits a moment if a turn is just ending. Resolves to undefined if the lock stays taken. */
  lock: QueuedMessage['lock'];
  newId: () => string;
  onRemoved: (deletion: Deletion) => void;
}

interface NextMessage {
  id: string;
  isForced: boolean;
}

interface QueuingMessage {
  session: ChatSession;
  text: string;
}

export class FollowUps {
  #all = $state.raw<readonly FollowUp[]>([]);
  /** Ids of messages sent during this visit. The queue hides them at once, although the store removes them a moment later. */
  #asked = $state.raw<readonly string[]>([]);
  #next = $state.raw<Readonly<Record<string, NextMessage | undefined>>>({});
  /** For each chat, the leaf after which we last sent a queued message. We send only one per leaf, so a failing one is not repeated. */
  readonly #lastAutoLeaf: Record<string, string | null> = {};
  readonly #functions: FollowUpFunctions;
  #adding = Promise.resolve();
  /** Messages that are being queued but are still in the message box. */
  #pressed: readonly QueuingMessage[] = [];

  constructor(functions: FollowUpFunctions) {
    this.#functions = functions;
    functions.watch((list) => (this.#all = list));
  }

  listFor(chatId: string): readonly FollowUp[] {
    return this.#all.filter((followUp) => followUp.chatId === chatId && !this.#asked.includes(followUp.id));
  }

  isForRunningTurn({ id, chatId }: FollowUp): boolean {
    return this.#next[chatId]?.id === id;
  }

  /** Queues the draft: first stores it in the queue, then removes it from the message box. */
  add(session: ChatSession): Promise<void> {
    // The message box may still contain text that an earlier click is queueing. Queue only the text after it.
    const before = this.#pressed.filter((one) => one.session === session);
    const text = before.reduce((left, one) => withoutPrefix(left, one.text), session.draft);
    if (text.trim() === '') return this.#adding;
    const pressed = { session, text };
    this.#pressed = [...this.#pressed, pressed];
    this.#adding = this.#adding
      .catch(() => undefined)
      .then(() => this.#add(pressed))
      .finally(() => this.#forget(pressed));
    return this.#adding;
  }

  #forget(pressed: QueuingMessage): void {
    this.#pressed = this.#pressed.filter((one) => one !== pressed);
  }

  async #add(pressed: QueuingMessage): Promise<void> {
    const { session, text } = pressed;
    // Wait until the files are read and a new chat is stored. If a crash prevents that, the draft still contains the text.
    await session.whenAttached;
    while (session.isNew && session.isRunning) await new Promise((resolve) => setTimeout(resolve, 10));
    const { id: chatId, draftOrigins, attached } = session;
    if (session.isNew) {
      if (!session.draft.startsWith(text)) session.setDraft(`${text}\n${session.draft}`);
      return;
    }
    const last = (await this.#functions.list(chatId)).at(-1);
    await this.#functions.add({
      id: this.#functions.newId(),
      chatId,
      place: (last?.place ?? 0) + 1,
      text,
      origins: session.originsOf(text, [{ door: 'typed' }, ...draftOrigins]),
      ...(attached.length > 0 && { attached: [...attached] }),
    });
    session.attached = session.attached.filter((one) => !attached.includes(one));
    this.#forget(pressed);
    session.setDraft(withoutPrefix(session.draft, text));
    if (!session.isRunning) void this.afterTurn(session);
  }

  async edit(session: ChatSession, { id }: FollowUp, text: string): Promise<void> {
    if (text.trim() !== '') await this.#functions.change(id, { text });
    if (!session.isRunning) void this.afterTurn(session);
  }

  async remove(session: ChatSession, followUp: FollowUp): Promise<void> {
    if (this.isForRunningTurn(followUp)) {
      session.shouldEndEarly = false;
      this.#setNext(session.id, undefined);
    }
    await this.#functions.remove(followUp.id);
    const undo = () => this.#functions.add(followUp);
    this.#functions.onRemoved({ kind: 'follow-up', name: '', count: 1, undo });
  }

  async moveUp(followUp: FollowUp): Promise<void> {
    const all = this.listFor(followUp.chatId);
    const before = all[all.findIndex(({ id }) => id === followUp.id) - 1];
    if (!before) return;
    await Promise.all([
      this.#functions.change(followUp.id, { place: before.place }),
      this.#functions.change(before.id, { place: followUp.place }),
    ]);
  }

  /** Ends the running turn after its current round, then sends this message. */
  steer(session: ChatSession, { id }: FollowUp): void {
    this.#setNext(session.id, { id, isForced: false });
    session.shouldEndEarly = true;
  }

  async askNow(session: ChatSession, followUp: FollowUp): Promise<void> {
    if (!session.isRunning) return this.#ask(session, followUp);
    this.#setNext(session.id, { id: followUp.id, isForced: true });
    session.stop();
  }

  async afterTurn(session: ChatSession): Promise<void> {
    const { id: chatId, leafId } = session;
    const next = this.#next[chatId];
    this.#setNext(chatId, undefined);
    const end = session.branch.at(-1)?.turnEnd;
    if (!next?.isForced && end !== 'answered' && end !== 'steered') return;
    if (this.#lastAutoLeaf[chatId] === leafId) return;
    await this.#adding.catch(() => undefined);
    const waiting = (await this.#functions.list(chatId)).filter(({ id }) => !this.#asked.includes(id));
    const followUp = waiting.find(({ id }) => id === next?.id) ?? waiting[0];
    if (!followUp || editOf(session, followUp.id) !== undefined) return;
    this.#lastAutoLeaf[chatId] = leafId;
    await this.#ask(session, followUp);
  }

  async #ask(session: ChatSession, { id, text, origins, attached }: FollowUp): Promise<void> {
    const isWaiting = async () => {
      const waits = (await this.#functions.list(session.id)).some((other) => other.id === id);
      if (waits) this.#asked = [...this.#asked, id];
      return waits;
    };
    await session.sendQueued({ id, text, origins, attached, isWaiting, lock: this.#functions.lock });
    // Saving a queued message as a question removes it from the stored queue, but not from a temporary chat's queue. So remove it here.
    if (this.#asked.includes(id)) await this.#functions.remove(id);
  }

  #setNext(chatId: string, next: NextMessage | undefined): void {
    this.#next = { ...this.#next, [chatId]: next };
  }
}

const withoutPrefix = (text: string, start: string) =>
  text.startsWith(start) ? text.slice(start.length) : text;

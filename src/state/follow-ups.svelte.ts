/**
 * The messages that wait until an answer has ended, of all chats. After an answer the first goes on by itself; after Stop or a failure it
 * waits for the person. Loaded when a chat with messages is shown.
 */
import type { FollowUp } from '../contracts/chat';
import type { FollowUpStore } from '../contracts/store';
import type { Waited } from './chat-recorder';
import type { ChatSession } from './chat-session.svelte';
import type { Deletion } from './app.svelte';
import { editOf } from './draft';

/** Handed in by `src/app`. What comes from the store rejects with an `AppError`. */
export interface FollowUpFunctions extends Pick<FollowUpStore, 'list' | 'add' | 'change' | 'remove'> {
  /** Those of all chats, now and after every change. */
  watch: (onList: (list: readonly FollowUp[]) => void) => void;
  /** Held while a turn of the chat runs, in any tab: waits a moment for one that is just over. Undefined if it is not. */
  lock: Waited['lock'];
  newId: () => string;
  onRemoved: (deletion: Deletion) => void;
}

/** What is asked next; forced, also after a turn that was not answered. */
interface Next {
  id: string;
  isForced: boolean;
}

interface Pressed {
  session: ChatSession;
  text: string;
}

export class FollowUps {
  #all = $state.raw<readonly FollowUp[]>([]);
  /** Asked in this visit: no longer shown, also while their question is on its way to the disk. */
  #asked = $state.raw<readonly string[]>([]);
  /** By chat. */
  #next = $state.raw<Readonly<Record<string, Next | undefined>>>({});
  /** By chat: the message after which one was asked by itself last. So nothing that fails is tried for ever. */
  readonly #wentOnAt: Record<string, string | null> = {};
  readonly #functions: FollowUpFunctions;
  #adding = Promise.resolve();
  /** What was pressed to wait, and is still in its box. */
  #pressed: readonly Pressed[] = [];

  constructor(functions: FollowUpFunctions) {
    this.#functions = functions;
    functions.watch((list) => (this.#all = list));
  }

  of(chatId: string): readonly FollowUp[] {
    return this.#all.filter((followUp) => followUp.chatId === chatId && !this.#asked.includes(followUp.id));
  }

  /** It is asked in the turn that runs, between two rounds, or right after it. */
  isNext({ id, chatId }: FollowUp): boolean {
    return this.#next[chatId]?.id === id;
  }

  /** Takes the draft of a chat in which a turn runs. On the disk it is here before it is gone there. */
  add(session: ChatSession): Promise<void> {
    // Meant is what stands there now: until it is taken, more may be typed behind it, or something else in its place.
    const before = this.#pressed.filter((one) => one.session === session);
    const text = before.reduce((left, one) => withoutStart(left, one.text), session.draft);
    // Pressed twice.
    if (text.trim() === '') return this.#adding;
    const pressed = { session, text };
    this.#pressed = [...this.#pressed, pressed];
    // One after another, in the order in which they were pressed.
    this.#adding = this.#adding
      .catch(() => undefined)
      .then(() => this.#add(pressed))
      .finally(() => this.#forget(pressed));
    return this.#adding;
  }

  #forget(pressed: Pressed): void {
    this.#pressed = this.#pressed.filter((one) => one !== pressed);
  }

  async #add(pressed: Pressed): Promise<void> {
    const { session, text } = pressed;
    // Its files are read first, and the chat begun: of one that a crash keeps from beginning, only the draft is found again.
    await session.taken;
    while (session.isNew && session.isRunning) await new Promise((resolve) => setTimeout(resolve, 10));
    const { id: chatId, quoted, attached } = session;
    if (session.isNew) {
      // The chat could not be begun: what was pressed goes back to where something else stands by now.
      if (!session.draft.startsWith(text)) session.setDraft(`${text}\n${session.draft}`);
      return;
    }
    const last = (await this.#functions.list(chatId)).at(-1);
    await this.#functions.add({
      ...{ id: this.#functions.newId(), chatId, place: (last?.place ?? 0) + 1, text },
      ...(quoted.length > 0 && { sources: [...quoted] }),
      ...(attached.length > 0 && { attached: [...attached] }),
    });
    session.attached = session.attached.filter((one) => !attached.includes(one));
    this.#forget(pressed);
    // What was typed meanwhile stays.
    session.setDraft(withoutStart(session.draft, text));
    // The turn has ended meanwhile.
    if (!session.isRunning) void this.afterTurn(session);
  }

  async edit(session: ChatSession, { id }: FollowUp, text: string): Promise<void> {
    if (text.trim() !== '') await this.#functions.change(id, { text });
    // The turn has ended meanwhile.
    if (!session.isRunning) void this.afterTurn(session);
  }

  async remove(session: ChatSession, followUp: FollowUp): Promise<void> {
    if (this.isNext(followUp)) {
      // The turn need not end for it any more.
      session.isSteered = false;
      this.#setNext(session.id, undefined);
    }
    await this.#functions.remove(followUp.id);
    const undo = () => this.#functions.add(followUp);
    this.#functions.onRemoved({ kind: 'follow-up', name: '', count: 1, undo });
  }

  async moveUp(followUp: FollowUp): Promise<void> {
    const all = this.of(followUp.chatId);
    const before = all[all.findIndex(({ id }) => id === followUp.id) - 1];
    if (!before) return;
    await Promise.all([
      this.#functions.change(followUp.id, { place: before.place }),
      this.#functions.change(before.id, { place: followUp.place }),
    ]);
  }

  /** Ends the turn that runs after the results of its round, if it has another, and asks this then. */
  steer(session: ChatSession, { id }: FollowUp): void {
    this.#setNext(session.id, { id, isForced: false });
    session.isSteered = true;
  }

  /** At once: what runs is stopped. */
  async askNow(session: ChatSession, followUp: FollowUp): Promise<void> {
    if (!session.isRunning) return this.#ask(session, followUp);
    this.#setNext(session.id, { id: followUp.id, isForced: true });
    session.stop();
  }

  /** A turn of this tab is over. */
  async afterTurn(session: ChatSession): Promise<void> {
    const { id: chatId, leafId } = session;
    const next = this.#next[chatId];
    this.#setNext(chatId, undefined);
    const end = session.branch.at(-1)?.turnEnd;
    if (!next?.isForced && end !== 'answered' && end !== 'steered') return;
    if (this.#wentOnAt[chatId] === leafId) return;
    await this.#adding.catch(() => undefined);
    const waiting = (await this.#functions.list(chatId)).filter(({ id }) => !this.#asked.includes(id));
    const followUp = waiting.find(({ id }) => id === next?.id) ?? waiting[0];
    // What is being changed is asked when that is done.
    if (!followUp || editOf(session, followUp.id) !== undefined) return;
    this.#wentOnAt[chatId] = leafId;
    await this.#ask(session, followUp);
  }

  async #ask(session: ChatSession, { id, text, sources, attached }: FollowUp): Promise<void> {
    const isWaiting = async () => {
      const waits = (await this.#functions.list(session.id)).some((other) => other.id === id);
      if (waits) this.#asked = [...this.#asked, id];
      return waits;
    };
    await session.sendWaited({ id, text, sources, attached, isWaiting, lock: this.#functions.lock });
    // Where the store does not take it along with the question, as for a chat that is not kept.
    if (this.#asked.includes(id)) await this.#functions.remove(id);
  }

  #setNext(chatId: string, next: Next | undefined): void {
    this.#next = { ...this.#next, [chatId]: next };
  }
}

const withoutStart = (text: string, start: string) =>
  text.startsWith(start) ? text.slice(start.length) : text;

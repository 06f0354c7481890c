/** The text that the reader has not yet read, and what it made of the rest: prose, thinking and markup, in order, nothing lost. */
import type { ModelEvent } from '../contracts/model';

/** `markup`: what was taken as part of a call, an invented result or a tag. With prose and thinking, in order, it is the input. */
export type ReaderEvent =
  | Exclude<
      ModelEvent,
      {
        type:
          | 'finish'
          | 'context'
          | 'tool-offer'
          | 'summing-up'
          | 'summary'
          | 'server-wait'
          | 'prompt-progress';
      }
    >
  | { type: 'markup'; text: string };

/** How much of the prose before a call is looked at. */
const remembered = 160;

/** A sentence that announces an example: what follows is shown, not called. */
const announcement =
  /\b(?:for example|for instance|e\.g\.|an? example|examples?:|sample|would be|would look|looks? like|format is|syntax)\b|例如|比如|示例|格式/i;

export class Transcript {
  /** Not yet read, or held back because it may be the beginning of a mark. */
  pending = '';
  /** The end of the prose, or of the thought, that came last. */
  said = '';
  #events: ReaderEvent[] = [];
  #hasSpoken = false;
  /** A call in a thought counts only when nothing follows it: until then it is held back. */
  #trial: { text: string; events: ReaderEvent[] } | undefined;

  /** The character before a place in the pending text. */
  before(at: number): string {
    return (at > 0 ? this.pending[at - 1] : this.said.at(-1)) ?? '';
  }

  /** The end of what stands before a place in the pending text. */
  textBefore(at: number): string {
    return (this.said + this.pending.slice(Math.max(0, at - remembered), at)).slice(-remembered);
  }

  /** Whether the sentence before a place says that an example comes. */
  isAnnounced(at: number): boolean {
    const before = this.textBefore(at).trimEnd();
    return announcement.test(before.slice(before.lastIndexOf('\n') + 1));
  }

  /** Whether any prose stands before a place in the pending text: thoughts and calls are none. */
  hasProse(at: number): boolean {
    return this.#hasSpoken || /\S/.test(this.pending.slice(0, at));
  }

  take(length: number): string {
    const text = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    return text;
  }

  say(length: number): void {
    this.#tell('text-delta', this.take(length));
  }

  think(length: number): void {
    this.#tell('reasoning-delta', this.take(length));
  }

  markup(length: number): void {
    if (length > 0) this.emit({ type: 'markup', text: this.take(length) });
  }

  #tell(type: 'text-delta' | 'reasoning-delta', text: string): void {
    if (text === '') return;
    this.emit({ type, text });
  }

  emit(...events: ReaderEvent[]): void {
    for (const event of events) {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        this.said = (this.said + event.text).slice(-remembered);
      }
      if (event.type === 'text-delta' && !this.#trial) this.#hasSpoken ||= /\S/.test(event.text);
      if (!this.#trial) this.#events.push(event);
      else {
        this.#trial.events.push(event);
        if (event.type === 'markup' || event.type === 'text-delta') this.#trial.text += event.text;
      }
    }
  }

  get isOnTrial(): boolean {
    return this.#trial !== undefined;
  }

  /** From here on it is held back, until it is confirmed or taken back. */
  beginTrial(): void {
    this.#trial = { text: '', events: [] };
  }

  confirm(): void {
    if (this.#trial) this.#events.push(...this.#trial.events);
    this.#trial = undefined;
  }

  /** It was only thought of. */
  takeBack(): void {
    const text = this.#trial?.text ?? '';
    this.#trial = undefined;
    this.#tell('reasoning-delta', text);
  }

  /** The events since the last call. */
  flush(): ReaderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

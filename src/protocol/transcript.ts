/** The text that the reader has not read yet, and its output in order: prose, thinking and markup. Loses no text. */
import type { ModelEvent } from '../contracts/model';

/** `markup`: text of a call, a made-up result or a tag. Prose, thinking and markup together equal the input. */
export type ReaderEvent =
  | Extract<ModelEvent, { type: 'text-delta' | 'reasoning-delta' | 'call-delta' | 'tool-call' }>
  | { type: 'markup'; text: string };

const maxRememberedCharacters = 160;

/** A sentence that announces an example, after which a call is only shown, not made. */
const exampleAnnouncement =
  /\b(?:for example|for instance|e\.g\.|an? example|examples?:|sample|would be|would look|looks? like|format is|syntax)\b|例如|比如|示例|格式/i;

export class Transcript {
  /** Text that is unread, or held back because it may be the start of a marker. */
  pending = '';
  said = '';
  #events: ReaderEvent[] = [];
  #hasSpoken = false;
  /** A call inside a thought only counts if nothing follows it. We hold it back until then. */
  #trial: { text: string; events: ReaderEvent[] } | undefined;

  before(at: number): string {
    return (at > 0 ? this.pending[at - 1] : this.said.at(-1)) ?? '';
  }

  textBefore(at: number): string {
    const text = this.said + this.pending.slice(Math.max(0, at - maxRememberedCharacters), at);
    return text.slice(-maxRememberedCharacters);
  }

  isAnnounced(at: number): boolean {
    const before = this.textBefore(at).trimEnd();
    return exampleAnnouncement.test(before.slice(before.lastIndexOf('\n') + 1));
  }

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
    if (text !== '') this.emit({ type, text });
  }

  emit(...events: ReaderEvent[]): void {
    for (const event of events) {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        this.said = (this.said + event.text).slice(-maxRememberedCharacters);
      }
      (this.#trial?.events ?? this.#events).push(event);
      if (!this.#trial) this.#hasSpoken ||= event.type === 'text-delta' && /\S/.test(event.text);
      else if (event.type === 'markup' || event.type === 'text-delta') this.#trial.text += event.text;
    }
  }

  get isOnTrial(): boolean {
    return this.#trial !== undefined;
  }

  /** Holds back all events until `confirm` or `takeBack`. */
  beginTrial(): void {
    this.#trial = { text: '', events: [] };
  }

  confirm(): void {
    if (this.#trial) this.#events.push(...this.#trial.events);
    this.#trial = undefined;
  }

  /** Emits the text of a held-back call as thinking, because it was only part of a thought. */
  takeBack(): void {
    const text = this.#trial?.text ?? '';
    this.#trial = undefined;
    this.#tell('reasoning-delta', text);
  }

  flush(): ReaderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

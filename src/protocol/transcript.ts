/** Holds the text that the reader has not read yet, and its output in order: prose, thinking and markup. Loses no text. */
import type { ModelEvent } from '../contracts/model';

/** `markup`: text of a call, a made-up result or a tag. Prose, thinking and markup together equal the input. */
export type ReaderEvent =
  | Extract<ModelEvent, { type: 'text-delta' | 'reasoning-delta' | 'call-delta' | 'tool-call' }>
  | { type: 'markup'; text: string };

const maxRecentCharacters = 160;

/** Matches a sentence that announces an example. A call after it is only shown, not made. */
const exampleAnnouncementPattern =
  /\b(?:for example|for instance|e\.g\.|an? example|examples?:|sample|would be|would look|looks? like|format is|syntax)\b|例如|比如|示例|格式/i;

export class Transcript {
  /** Unread text, or text held back because it may start a marker. */
  pendingText = '';
  recentText = '';
  #events: ReaderEvent[] = [];
  #hasSpoken = false;
  /** Events since a call inside a thought began. If text follows the call, we discard them and the call becomes part of the thought. */
  #trial: { text: string; events: ReaderEvent[] } | undefined;

  characterBefore(at: number): string {
    return (at > 0 ? this.pendingText[at - 1] : this.recentText.at(-1)) ?? '';
  }

  textBefore(at: number): string {
    const text = this.recentText + this.pendingText.slice(Math.max(0, at - maxRecentCharacters), at);
    return text.slice(-maxRecentCharacters);
  }

  isExampleAnnounced(at: number): boolean {
    const before = this.textBefore(at).trimEnd();
    return exampleAnnouncementPattern.test(before.slice(before.lastIndexOf('\n') + 1));
  }

  hasProse(at: number): boolean {
    return this.#hasSpoken || /\S/.test(this.pendingText.slice(0, at));
  }

  takeText(length: number): string {
    const text = this.pendingText.slice(0, length);
    this.pendingText = this.pendingText.slice(length);
    return text;
  }

  emitProse(length: number): void {
    this.#tell('text-delta', this.takeText(length));
  }

  emitThinking(length: number): void {
    this.#tell('reasoning-delta', this.takeText(length));
  }

  emitMarkup(length: number): void {
    if (length > 0) this.emit({ type: 'markup', text: this.takeText(length) });
  }

  #tell(type: 'text-delta' | 'reasoning-delta', text: string): void {
    if (text !== '') this.emit({ type, text });
  }

  emit(...events: ReaderEvent[]): void {
    for (const event of events) {
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
        this.recentText = (this.recentText + event.text).slice(-maxRecentCharacters);
      }
      (this.#trial?.events ?? this.#events).push(event);
      if (!this.#trial) this.#hasSpoken ||= event.type === 'text-delta' && /\S/.test(event.text);
      else if (event.type === 'markup' || event.type === 'text-delta') this.#trial.text += event.text;
    }
  }

  get isHoldingBack(): boolean {
    return this.#trial !== undefined;
  }

  holdBack(): void {
    this.#trial = { text: '', events: [] };
  }

  releaseHeld(): void {
    if (this.#trial) this.#events.push(...this.#trial.events);
    this.#trial = undefined;
  }

  discardHeld(): void {
    const text = this.#trial?.text ?? '';
    this.#trial = undefined;
    this.#tell('reasoning-delta', text);
  }

  takeEvents(): ReaderEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** The body of a call while it is being written: follows it to its end, whatever pieces it comes in. */
import { type BracketScanner, createBracketScanner } from './bracket-scanner';
import type { BodyCodec } from './codecs/codec';
import type { Reading } from './format';
import type { Marks } from './marks';
import { bodyMarksOf, type Mark } from './reader-marks';

export type BodyEnd =
  /** Its brackets closed. */
  | { by: 'brackets' }
  | { by: 'line' }
  /** A closing mark follows. */
  | { by: 'close'; length: number }
  /** The next call follows. */
  | { by: 'open' };

export class Body {
  readonly reading: Reading;
  readonly codec: BodyCodec;
  #parts: string[] = [];
  #scanner: BracketScanner = createBracketScanner();
  #marks: Marks<Mark>;
  #ends: BodyCodec['ends'];
  #isInMarks = false;
  #length = 0;
  readonly #head: number;

  /** `head`: so many characters were needed to know what it is. */
  constructor(reading: Reading, codec: BodyCodec, head: number) {
    this.#head = head;
    this.reading = reading;
    this.codec = codec;
    this.#marks = bodyMarksOf(reading);
    this.#ends = codec.ends;
  }

  get text(): string {
    const text = this.#parts.join('');
    this.#parts = [text];
    return text;
  }

  /** Only the outermost bracket is still open, and what it holds is whole. */
  get isAlmostClosed(): boolean {
    return this.#scanner.depth <= 1 && /[}\])]\s*$/.test(this.text);
  }

  /** Its brackets closed, but what they hold could not be read: there may be more up to the closing mark. */
  goOn(): void {
    this.#ends = 'mark';
  }

  /** Takes what belongs to it: how much, and the end if it was reached. Leaves what may still become a mark. */
  take(text: string, isLast: boolean): { used: number; end?: BodyEnd } {
    const { used, end } = this.#follow(text, isLast);
    if (used > 0) this.#parts.push(text.slice(0, used));
    this.#length += used;
    return end ? { used, end } : { used };
  }

  #follow(text: string, isLast: boolean): { used: number; end?: BodyEnd } {
    const isRaw = this.#ends === 'mark' || this.#ends === 'line';
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#ends === 'line' && code === 10 && this.#length + at >= this.#head)
        return { used: at, end: { by: 'line' } };
      const isOutside = isRaw || this.#isInMarks || this.#scanner.isOutside(code);
      // What opened it does not end it.
      if (isOutside && this.#length + at > 0 && this.#marks.begins(code)) {
        const { mark, isOpen } = this.#marks.at(text, at);
        if (isOpen && !isLast) return { used: at };
        const type = mark?.value.type;
        if (mark && (type === 'string' || type === 'word')) {
          if (type === 'string') this.#isInMarks = !this.#isInMarks;
          at += mark.length - 1;
          continue;
        }
        if (mark && !this.#isInMarks) {
          // What stands between tags may hold those of others: HTML, say.
          if (mark.value.type === 'close' && mark.value.isForeign && this.codec.ends === 'mark') continue;
          if (type === 'close') return { used: at, end: { by: 'close', length: mark.length } };
          if (type === 'open') return { used: at, end: { by: 'open' } };
        }
      }
      if (!isRaw && !this.#isInMarks && this.#scanner.take(code) && this.#ends === 'brackets')
        return { used: at + 1, end: { by: 'brackets' } };
    }
    return { used: text.length };
  }
}

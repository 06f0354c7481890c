/** The beginning of what may be a call: its marks, and as much of the body as it takes to know what it is. */
import type { BodyCodec } from './codecs/codec';
import type { Reading } from './format';
import { bodyMarksOf } from './reader-marks';
import type { ToolIndex } from './tool-index';

/** `used`: so much of the text belongs to the marks, and is not needed again. */
export type Judgement = { used: number } & (
  | { type: 'more' }
  /** Written in this form; `length` of the body decided that. */
  | { type: 'body'; codec: BodyCodec; length: number }
  /** Nothing stood between the marks. */
  | { type: 'empty' }
  /** No call begins so. */
  | { type: 'prose' }
);

/** The longest beginning that is looked at before it has to be plain what it is. */
export const longestHead = 240;

export class Head {
  /** Of the innermost opening mark. */
  reading: Reading;
  /** Opening marks, and what stood before and between them. */
  lead: string;
  /** A code block opens inside of the marks. */
  isFenced = false;
  readonly #tools: ToolIndex;
  #judged = 0;

  constructor(reading: Reading, lead: string, tools: ToolIndex) {
    this.reading = reading;
    this.lead = lead;
    this.#tools = tools;
  }

  /** `text` is all that is not yet used. */
  judge(text: string, isLast: boolean): Judgement {
    if (this.reading.opensBody === true || this.#judged > 0) return this.#judgeBody(text, isLast);
    const at = text.search(/\S/);
    if (at < 0) return { type: isLast ? 'prose' : 'more', used: 0 };
    const { mark, isOpen } = bodyMarksOf(this.reading).at(text, at);
    if (isOpen && !isLast) return { type: 'more', used: 0 };
    if (mark?.value.type === 'open') {
      this.reading = mark.value.reading;
      return this.#further(text, this.reading.opensBody === true ? at : at + mark.length, isLast);
    }
    if (mark?.value.type === 'close') {
      if (this.reading.isBare === true) return { type: 'prose', used: 0 };
      const used = at + mark.length;
      this.lead += text.slice(0, used);
      return { type: 'empty', used };
    }
    if (text[at] !== '`' || this.reading.close.includes('```')) return this.#judgeBody(text, isLast);
    const ticks = /^`{1,3}\w*\s*/.exec(text.slice(at, at + 40))?.[0] ?? '';
    if (at + ticks.length === text.length && !isLast) return { type: 'more', used: 0 };
    if (!ticks.startsWith('```')) return this.#judgeBody(text, isLast);
    this.isFenced = true;
    return this.#further(text, at + ticks.length, isLast);
  }

  /** What is a mark stays one, whatever follows. */
  #further(text: string, length: number, isLast: boolean): Judgement {
    this.lead += text.slice(0, length);
    const inner = this.judge(text.slice(length), isLast);
    return { ...inner, used: inner.used + length };
  }

  /** Character by character, so that the answer does not depend on how much has come. */
  #judgeBody(text: string, isLast: boolean): Judgement {
    const marks = bodyMarksOf(this.reading);
    const context = { tools: this.#tools, isBare: this.reading.isBare === true };
    while (this.#judged < Math.min(text.length, longestHead)) {
      const at = this.#judged;
      if (at > 0 && this.reading.opensBody !== true && marks.begins(text.charCodeAt(at))) {
        const { mark, isOpen } = marks.at(text, at);
        if (isOpen && !isLast) return { type: 'more', used: 0 };
        if (mark?.value.type === 'close' || mark?.value.type === 'open') {
          return this.#judgeName(text.slice(0, at));
        }
      }
      this.#judged++;
      const head = text.slice(0, this.#judged);
      let mayBecome = false;
      for (const codec of this.reading.bodies) {
        const verdict = codec.begins(head, context);
        if (verdict === 'yes') return { type: 'body', codec, length: this.#judged, used: 0 };
        if (verdict === 'more') mayBecome = true;
      }
      if (!mayBecome) return { type: 'prose', used: 0 };
    }
    return { type: isLast || this.#judged === longestHead ? 'prose' : 'more', used: 0 };
  }

  /** A mark came before anything decisive: only a name can be a call. */
  #judgeName(head: string): Judgement {
    const context = { tools: this.#tools, isBare: this.reading.isBare === true };
    const codec = this.reading.bodies.find(
      ({ ends, begins }) => ends === 'mark' && begins(head, context) === 'more',
    );
    return codec ? { type: 'body', codec, length: head.length, used: 0 } : { type: 'prose', used: 0 };
  }
}

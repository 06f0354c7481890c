/** The reader's states, and the transitions between them. */
import { type BracketScanner, createBracketScanner } from './bracket-scanner';
import { Candidate, type ReplyState } from './candidate';
import type { BodyCodec, Reading, Verdict } from './format';
import {
  anywhereMarks,
  fenceOf,
  leftoverIn,
  lineMarks,
  type Mark,
  type Marks,
  namedReading,
  openThoughtIn,
  taggedReading,
  marksAfterCall,
} from './reader-marks';
import { fieldsOf, type ToolIndex } from './tool-index';
import { type ReaderEvent, Transcript } from './transcript';
import { readObject } from './value-reader';

type Mode =
  | { type: 'prose' }
  /** Inside a code block or a made-up result, whose text contains no calls. */
  | { type: 'quoted'; until: string; isBlock: boolean }
  /** Inside an object or list that is not a call. No call can start there. */
  | { type: 'passing'; scanner: BracketScanner }
  | { type: 'thinking'; until: Marks }
  | { type: 'candidate'; candidate: Candidate }
  | { type: 'tail'; isFenced: boolean }
  /** After a made-up result, where everything is made up. */
  | { type: 'invented' };

const stopCharacters = /[\n<[\]✿]/g;

export class TextReader {
  readonly #tools: ToolIndex;
  readonly #reply: Omit<ReplyState, 'isTrial'>;
  readonly #out = new Transcript();
  #mode: Mode = { type: 'prose' };
  /** Whether there is only whitespace since the start of the line or the text. */
  #isLineStart = true;
  /** The markers that end the current thought, while we try a call inside it. */
  #thought: Marks | undefined;
  /** A bare list of calls was found. It contains all calls, so later text that looks like a call is prose. */
  #isListed = false;

  constructor(tools: ToolIndex, newId: () => string, before: string) {
    this.#tools = tools;
    const thought = openThoughtIn(before);
    if (thought) this.#mode = { type: 'thinking', until: thought.until };
    this.#reply = { newId, rereads: { left: 32 } };
  }

  get isOver(): boolean {
    return this.#mode.type === 'invented';
  }

  read(chunk: string, isLast: boolean): ReaderEvent[] {
    this.#out.pending += chunk;
    while (this.#step(isLast));
    if (isLast) this.#out.confirm();
    return this.#out.flush();
  }

  /** Returns false if it needs more text. */
  #step(isLast: boolean): boolean {
    const mode = this.#mode;
    switch (mode.type) {
      case 'prose':
        return this.#prose(isLast);
      case 'thinking':
        return this.#thinking(mode.until, isLast);
      case 'quoted':
        return passQuote(this.#out, mode.until, mode.isBlock, isLast) && this.#toProse(false);
      case 'passing': {
        const end = passValue(this.#out, mode.scanner, isLast);
        return end !== 'more' && this.#toProse(end === 'paragraph');
      }
      case 'tail':
        return this.#tail(mode.isFenced, isLast);
      case 'invented':
        this.#out.markup(this.#out.pending.length);
        return false;
      case 'candidate':
        return this.#candidate(mode.candidate, isLast);
    }
  }

  #toProse(isLineStart: boolean): true {
    this.#mode = { type: 'prose' };
    this.#isLineStart = isLineStart;
    return true;
  }

  #prose(isLast: boolean): boolean {
    const text = this.#out.pending;
    let at = 0;
    while (at < text.length) {
      if (!this.#isLineStart) {
        stopCharacters.lastIndex = at;
        at = stopCharacters.exec(text)?.index ?? text.length;
      }
      const character = text[at];
      if (character === undefined) break;
      if (/\s/.test(character)) {
        if (character === '\n') this.#isLineStart = true;
        at++;
        continue;
      }
      const isLineStart = this.#isLineStart;
      const found = probe(
        { text, at, marks: isLineStart ? lineMarks : anywhereMarks, isLineStart, isLast },
        this.#tools,
      );
      if (found === 'more') {
        this.#out.say(at);
        return false;
      }
      if (found && this.#enter(found, at)) return true;
      this.#isLineStart = false;
      at++;
    }
    this.#out.say(text.length);
    return false;
  }

  #enter(found: Probe, at: number): boolean {
    const before = this.#out.before(at);
    if (found.type === 'fence') {
      const { ticks, info } = found;
      const reading = this.#callFence(found, at);
      this.#out.say(at);
      if (reading) this.#open(reading, ticks + info.length);
      else this.#quote('`'.repeat(ticks), ticks + info.length, true);
      return true;
    }
    const { mark, length } = found;
    if (mark.type === 'open') {
      if (mark.reading.isBare === true && (this.#isListed || this.#out.isAnnounced(at))) return false;
      // Inside quotes or a code span, the text only mentions a call.
      if (!this.#isLineStart && /["'`“‘]/.test(before)) return false;
      const reading = withNameAbove(mark.reading, this.#out, at, this.#tools);
      this.#out.say(at);
      this.#open(reading, length);
      return true;
    }
    if (before === '`') return false;
    if (mark.type === 'result') {
      if (mark.close === undefined) return false;
      this.#out.say(at);
      this.#quote(mark.close, length, false);
      return true;
    }
    if (mark.type === 'close' || mark.type === 'string' || mark.type === 'word') return false;
    this.#out.say(at);
    this.#out.markup(length);
    if (mark.type === 'thought') this.#mode = { type: 'thinking', until: mark.until };
    else this.#isLineStart = true;
    return true;
  }

  /** Returns the format of a code block that may contain calls. Undefined if the block is only shown. */
  #callFence({ ticks, info }: Extract<Probe, { type: 'fence' }>, at: number): Reading | undefined {
    const reading = ticks === 3 ? fenceOf(info) : undefined;
    if (!reading || !this.#out.hasProse(at)) return reading;
    const isIndented = /[ \t]/.test(this.#out.before(at));
    const isShown = reading.at === 'start' || isIndented || this.#isListed || this.#out.isAnnounced(at);
    return isShown ? undefined : reading;
  }

  #open(reading: Reading, length: number): Candidate {
    const lead = reading.opensBody === true ? '' : this.#out.take(length);
    const reply = { ...this.#reply, isTrial: this.#out.isOnTrial };
    const candidate = new Candidate(reading, lead, this.#tools, reply);
    this.#mode = { type: 'candidate', candidate };
    return candidate;
  }

  #quote(until: string, length: number, isBlock: boolean): void {
    this.#out.say(length);
    this.#mode = { type: 'quoted', until, isBlock };
    this.#isLineStart = false;
  }

  #thinking(until: Marks, isLast: boolean): boolean {
    const text = this.#out.pending;
    for (let at = 0; at < text.length; at++) {
      if (!until.begins(text.charCodeAt(at))) continue;
      const { mark, length, isOpen } = until.at(text, at);
      if (isOpen && !isLast) {
        this.#out.think(at);
        return false;
      }
      if (mark?.type === 'thought-end') {
        this.#out.think(at);
        this.#out.markup(length);
        return this.#toProse(true);
      }
      if (mark?.type !== 'open' || /["'`“‘]/.test(this.#out.before(at))) continue;
      this.#out.think(at);
      this.#thought = until;
      this.#out.beginTrial();
      this.#open(mark.reading, length);
      return true;
    }
    this.#out.think(text.length);
    return false;
  }

  #candidate(candidate: Candidate, isLast: boolean): boolean {
    const { used, outcome } = candidate.read(this.#out.pending, isLast);
    this.#out.take(used);
    this.#out.emit(...candidate.events());
    if (!outcome) return false;

    this.#out.pending = outcome.rest + this.#out.pending;
    if (outcome.type === 'calls') {
      this.#out.emit({ type: 'markup', text: outcome.text });
      for (const call of outcome.calls) this.#out.emit({ type: 'tool-call', call });
      this.#isListed ||= outcome.isList;
      this.#mode = { type: 'tail', isFenced: outcome.isFenced };
      return true;
    }
    if (outcome.text !== '') this.#out.emit({ type: 'text-delta', text: outcome.text });
    this.#isLineStart = false;
    if (this.#out.isOnTrial) this.#takeBack();
    else if (outcome.passes === true) this.#mode = { type: 'passing', scanner: createBracketScanner() };
    else if (outcome.quotes !== undefined)
      this.#mode = { type: 'quoted', until: outcome.quotes, isBlock: true };
    else this.#mode = { type: 'prose' };
    return true;
  }

  /** Reads what directly follows a call: remaining markers, a made-up result, another call, or prose. */
  #tail(isFenced: boolean, isLast: boolean): boolean {
    const text = this.#out.pending;
    const at = text.search(/\S/);
    if (at < 0) {
      if (isLast) this.#out.markup(text.length);
      return false;
    }
    const rest = text.slice(at, at + 80);
    if (isFenced) {
      if (/^`{1,3}$/.test(rest) && !isLast) return false;
      if (/^```(?:$|\W)/.test(rest)) {
        this.#out.markup(at + 3);
        this.#mode = { type: 'tail', isFenced: false };
        return true;
      }
    }
    this.#isLineStart = true;
    const found = probe({ text, at, marks: marksAfterCall, isLineStart: true, isLast }, this.#tools);
    if (found === 'more') return false;
    if (found?.type === 'mark' && this.#enterFromTail(found.mark, at, found.length, isFenced)) return true;
    const junk = leftoverIn(rest, isLast);
    if (junk === 'more') return false;
    if (junk > 0) {
      this.#out.markup(at + junk);
      return true;
    }
    if (this.#out.isOnTrial) return this.#takeBack();
    // The reader has already examined this character, unless a code block starts here.
    const isFence = found?.type === 'fence';
    this.#out.say(isFence ? at : at + 1);
    return this.#toProse(isFence);
  }

  #enterFromTail(mark: Mark, at: number, length: number, isFenced: boolean): boolean {
    if (mark.type === 'open') {
      if (this.#isListed && mark.reading.isBare === true) return false;
      const gap = this.#out.take(at);
      this.#open(mark.reading, length).follow(gap, isFenced);
      return true;
    }
    if (mark.type === 'thought-end' && this.#out.isOnTrial) return this.#takeBack();
    if (mark.type === 'close' || mark.type === 'token' || mark.type === 'thought-end') {
      this.#out.markup(at + length);
      return true;
    }
    if (this.#out.isOnTrial) return false;
    if (mark.type === 'result') {
      this.#mode = { type: 'invented' };
      return true;
    }
    if (mark.type !== 'thought') return false;
    this.#out.markup(at + length);
    this.#mode = { type: 'thinking', until: mark.until };
    return true;
  }

  /** Turns a call inside a thought back into thinking, because the model did not mean it. */
  #takeBack(): true {
    this.#out.takeBack();
    this.#mode = this.#thought ? { type: 'thinking', until: this.#thought } : { type: 'prose' };
    this.#thought = undefined;
    return true;
  }
}

type Probe = { type: 'mark'; mark: Mark; length: number } | { type: 'fence'; ticks: number; info: string };

interface ReadingPlace {
  text: string;
  at: number;
  marks: Marks;
  isLineStart: boolean;
  isLast: boolean;
}

function probe(place: ReadingPlace, tools: ToolIndex): Probe | 'more' | undefined {
  const { text, at, marks, isLineStart, isLast } = place;
  const { mark, length, isOpen } = marks.at(text, at);
  if (isOpen && !isLast) return 'more';
  if (mark) return { type: 'mark', mark, length };
  if (text[at] === '<') return probeTag(place, tools);
  if (!isLineStart) return undefined;
  return text[at] === '`' ? probeFence(place, tools) : probeName(place, tools);
}

function probeFence({ text, at, isLast }: ReadingPlace, tools: ToolIndex): Probe | 'more' | undefined {
  const [all = '', ticks = '', info = ''] = /^(`+)([\w+#.-]*)/.exec(text.slice(at, at + 60)) ?? [];
  if (at + all.length === text.length && !isLast) return 'more';
  if (ticks.length < 3) return undefined;
  // In a one-line code block, a call may stand in place of the language.
  const isCall = text[at + all.length] === '(' && tools.find(info) !== undefined;
  return { type: 'fence', ticks: ticks.length, info: isCall ? '' : info };
}

function probeName({ text, at, isLast }: ReadingPlace, tools: ToolIndex): Probe | 'more' | undefined {
  const name = /^[\p{L}_][\p{L}\p{N}_.\-\\]*/u.exec(text.slice(at, at + 100))?.[0];
  if (name === undefined) return undefined;
  if (at + name.length === text.length && !isLast) return tools.mayBegin(name) ? 'more' : undefined;
  return tools.find(name) ? openingProbe(namedReading) : undefined;
}

function probeTag({ text, at, isLast }: ReadingPlace, tools: ToolIndex): Probe | 'more' | undefined {
  const [all = '', name = '', end = ''] =
    /^<([\p{L}_][\p{L}\p{N}_.-]*)?(>?)/u.exec(text.slice(at, at + 100)) ?? [];
  if (end === '' && at + all.length === text.length && !isLast)
    return tools.mayBegin(name) ? 'more' : undefined;
  if (end === '' || tools.find(name)?.isExact !== true) return undefined;
  return openingProbe({ ...taggedReading, close: [`</${name}>`] });
}

function openingProbe(reading: Reading): Probe {
  return { type: 'mark', mark: { type: 'open', reading }, length: 0 };
}

const lastWord = /(^|[\s`*"'([.。!?！？])([\p{L}_][\p{L}\p{N}_.\-\\]*)[`*"']*[ \t]*\n\s*$/u;
const firstKey = /^\s*\{\s*["'“]?([\p{L}\p{N}_.\\-]{1,80})["'”]?\s*[:：]/u;
const partialKey = /^\s*(?:\{\s*(?:["'“]?[\p{L}\p{N}_.\\-]{0,80}["'”]?\s{0,20})?)?$/u;

/** Adds GLM-4's way of writing a call: a sentence ends with a tool name, and the arguments follow on the next line. */
function withNameAbove(reading: Reading, out: Transcript, at: number, tools: ToolIndex): Reading {
  if (!reading.open.includes('{') || out.pending[at] !== '{') return reading;
  const name = nameAbove(out.textBefore(at), tools);
  return name === undefined ? reading : { ...reading, bodies: [...reading.bodies, argumentsOf(name)] };
}

function nameAbove(text: string, tools: ToolIndex): string | undefined {
  const [, before = '', word] = lastWord.exec(text) ?? [];
  if (word === undefined) return undefined;
  // A sentence may end directly before the name, without a space, as in `the distance.geo.distance`.
  for (let from = 0; from >= 0; from = word.indexOf('.', from) + 1 || -1) {
    const name = word.slice(from);
    // A plain word at the end of a sentence is not a tool name.
    const isName = from > 0 || /[.。!?！？]/.test(before) || /[\p{L}\d][_.\-\\]|[\p{Ll}\d]\p{Lu}/u.test(name);
    if (isName && tools.find(name)) return name;
  }
  return undefined;
}

function argumentsOf(name: string): BodyCodec {
  return {
    begins(head, { tools }): Verdict {
      if (/^\s*\{\s*\}/.test(head)) return 'yes';
      const key = firstKey.exec(head)?.[1];
      if (key === undefined) return partialKey.test(head) ? 'more' : 'no';
      const fields = fieldsOf(tools.find(name)?.tool.inputSchema ?? {});
      return Object.hasOwn(fields, key.replaceAll('\\', '')) ? 'yes' : 'no';
    },
    ends: 'brackets',
    read(body, { isClosed }) {
      const object = readObject(body, { mayClose: isClosed });
      return object && [{ name, ...object, isGuess: true }];
    },
  };
}

/** Emits quoted text, including its end. Returns true once it has reached the end. */
function passQuote(out: Transcript, until: string, isBlock: boolean, isLast: boolean): boolean {
  const text = out.pending;
  for (let at = text.indexOf(until); at >= 0; at = text.indexOf(until, at + 1)) {
    // Only backticks at the start of a line close a code block.
    const line = (out.said + text.slice(Math.max(0, at - 40), at)).split('\n').at(-1) ?? '';
    if (isBlock && line.trim() !== '') continue;
    out.say(at + until.length);
    return true;
  }
  out.say(isLast ? text.length : Math.max(0, text.length - until.length + 1));
  return false;
}

/** Emits an object or list, in which no call can start. It ends with its brackets, a paragraph or a marker. */
function passValue(out: Transcript, scanner: BracketScanner, isLast: boolean) {
  const text = out.pending;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (anywhereMarks.begins(code) && scanner.isOutside(code)) {
      const { mark, isOpen } = anywhereMarks.at(text, at);
      if (mark ?? (isOpen && !isLast)) {
        out.say(at);
        return mark ? 'mark' : 'more';
      }
    }
    const isParagraph = code === 10 && out.before(at) === '\n';
    if (scanner.take(code) || isParagraph) {
      out.say(at + 1);
      return isParagraph ? 'paragraph' : 'brackets';
    }
  }
  out.say(text.length);
  return 'more';
}

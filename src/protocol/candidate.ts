/** Reads text that may be a tool call: first checks its start, then finds its end, then parses it. */
import type { InvalidToolCall, ToolCall } from '../contracts/message';
import type { ModelEvent } from '../contracts/model';
import type { BodyCodec, CallSyntax } from './format';
import { resolveCall, type ResolvedCall } from './resolve';
import type { ToolIndex } from './tool-index';
import { bodyMarksOf } from './reader-marks';
import { createBracketScanner } from './bracket-scanner';
import { jsonCalls } from './codecs/json-calls';

type ParsedCalls = (ToolCall | InvalidToolCall)[];

type CandidateOutcome = {
  /** `text`: text that the candidate consumed. `rest`: text that the reader must read again. */
  text: string;
  rest: string;
} & (
  | { type: 'calls'; calls: ParsedCalls; isFenced: boolean; isList: boolean }
  /** Not a call. `passes`: the text is a JSON value, which cannot contain a call. `quotes`: the marker that ends a code block. */
  | { type: 'text'; passes?: boolean; quotes?: string }
);

export interface ReplyState {
  newId: () => string;
  isTrial: boolean;
  /** Whether JSON with a name and arguments is a call even if it fits no tool. False after prose, which may introduce an example. */
  isCallExpected: boolean;
  /** How often we may still reread text that an unfinished call swallowed. This bounds the total time. */
  rereads: { left: number };
}

type CallDelta = Extract<ModelEvent, { type: 'call-delta' }>;

interface CandidateStep {
  used: number;
  outcome?: CandidateOutcome;
}

export class CallCandidate {
  readonly #head: CallHead;
  readonly #tools: ToolIndex;
  readonly #reply: ReplyState;
  #body: CallBody | undefined;
  #firstEnd: number | undefined;
  #awaitsLine = false;
  #followsInFence = false;
  #length = 0;
  #opening = '';
  #id: string | undefined;
  #name: string | undefined;
  #events: CallDelta[] = [];

  constructor(syntax: CallSyntax, lead: string, tools: ToolIndex, reply: ReplyState) {
    this.#head = new CallHead(syntax, lead, tools);
    this.#tools = tools;
    this.#reply = reply;
  }

  /** Marks this candidate as directly following another call. `gap`: the text between the two calls. */
  markAsFollowingCall(gap: string, isFenced: boolean): void {
    this.#head.leadingText = gap + this.#head.leadingText;
    this.#followsInFence = isFenced;
  }

  takeEvents(): CallDelta[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  readChunk(text: string, isLast: boolean): CandidateStep {
    if (this.#body) return this.#follow(this.#body, text, isLast, 0);
    const judged = this.#head.judge(text, isLast);
    const { used } = judged;
    switch (judged.type) {
      case 'more':
        return { used };
      case 'prose':
        return this.#prose(text, used);
      case 'empty':
        return { used, outcome: this.#calls([], this.#lead, { close: this.#lead.slice(-3) }) };
      case 'body':
        this.#body = new CallBody(this.#syntax, judged.codec, judged.length);
        return this.#follow(this.#body, text, isLast, used);
    }
  }

  get #syntax(): CallSyntax {
    return this.#head.syntax;
  }

  get #lead(): string {
    return this.#head.leadingText;
  }

  #follow(body: CallBody, text: string, isLast: boolean, from: number): CandidateStep {
    if (this.#awaitsLine) return this.#afterBrackets(body, text, isLast, from);
    const { used, end } = body.consume(from === 0 ? text : text.slice(from), isLast);
    this.#progress(text.slice(from, from + used));
    const at = from + used;
    if (end === 'brackets') return this.#afterBrackets(body, text, isLast, at);
    if (end) return this.#ended(body, text.slice(at, at + end.closeLength), at);
    return isLast ? { used: at, outcome: this.#atLast(body) } : { used: at };
  }

  #afterBrackets(body: CallBody, text: string, isLast: boolean, at: number): CandidateStep {
    this.#awaitsLine = false;
    if (this.#syntax.endsLine === true) {
      const behind = /^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0;
      const next = text[at + behind];
      if (next === undefined && !isLast) {
        this.#awaitsLine = true;
        return { used: at };
      }
      if (next !== undefined && !/[\r\n,;<`#]/.test(next))
        return { used: at, outcome: this.#rejected(body.text) };
    }
    const calls = this.#evaluate(body.text, false);
    if (calls) return { used: at, outcome: this.#calls(calls, this.#lead + body.text) };
    if (this.#syntax.isBare === true || this.#syntax.close.length === 0) {
      return { used: at, outcome: this.#unread(body.text) };
    }
    this.#firstEnd ??= body.text.length;
    body.continueToMarker();
    return this.#follow(body, text, isLast, at);
  }

  #ended(body: CallBody, close: string, at: number): CandidateStep {
    const calls = this.#evaluate(body.text, true);
    const whole = body.text + close;
    const used = at + close.length;
    if (calls) return { used, outcome: this.#calls(calls, this.#lead + whole, { close }) };
    return { used, outcome: this.#unread(whole, '', close !== '') };
  }

  #atLast(body: CallBody): CandidateOutcome {
    const { text } = body;
    const calls = this.#evaluate(text, body.lacksAtMostOneBracket);
    if (calls) return this.#calls(calls, this.#lead + text);
    // An unclosed quote may hide the closing marker. The text before that marker may still be a call.
    const hidden = this.#syntax.close
      .map((close) => ({ close, index: text.indexOf(close) }))
      .filter(({ index }) => index >= 0)
      .sort((a, b) => a.index - b.index)[0];
    const mayReread = this.#reply.rereads.left-- > 0;
    if (hidden && mayReread && !this.#reply.isTrial) {
      const whole = text.slice(0, hidden.index + hidden.close.length);
      const rest = text.slice(whole.length);
      const found = this.#evaluate(text.slice(0, hidden.index), true);
      const { close } = hidden;
      return found ? this.#calls(found, this.#lead + whole, { rest, close }) : this.#unread(whole, rest);
    }
    if (this.#firstEnd !== undefined && mayReread)
      return this.#unread(text.slice(0, this.#firstEnd), text.slice(this.#firstEnd));
    return this.#unread(text, '', false, cutOffReason);
  }

  #evaluate(text: string, isClosed: boolean): ParsedCalls | undefined {
    const { bodies, isBare = false, isShared = false } = this.#syntax;
    const chosen = this.#body?.codec;
    const codecs = [...bodies].sort((a, b) => Number(b === chosen) - Number(a === chosen));
    let doubtful: ResolvedCall[] | undefined;
    for (const codec of codecs) {
      const written = codec.read(text, { tools: this.#tools, isBare, isClosed });
      if (!written || written.length === 0) continue;
      const resolved = written.map((call) => resolveCall(call, this.#tools, isBare));
      if (resolved.every(({ ok }) => ok)) return this.#toCalls(resolved, text);
      doubtful ??= resolved;
    }
    if (!doubtful || isBare || this.#reply.isTrial) return undefined;
    if (isShared && this.#id === undefined && doubtful.some((one) => !one.ok && one.isUnknown))
      return undefined;
    return this.#toCalls(doubtful, text);
  }

  #toCalls(resolved: readonly ResolvedCall[], text: string): ParsedCalls {
    return resolved.map((one) => {
      const id = this.#takeId();
      if (!one.ok) {
        const { name, arguments: named, reason } = one;
        const raw = this.#lead + text;
        return { type: 'invalid-tool-call', id, raw, reason, name, ...(named && { arguments: named }) };
      }
      const call: ToolCall = { type: 'tool-call', id, name: one.name, arguments: one.arguments };
      return one.repairs.length === 0 ? call : { ...call, repairs: [...new Set(one.repairs)] };
    });
  }

  #takeId(): string {
    const id = this.#id ?? this.#reply.newId();
    this.#id = undefined;
    return id;
  }

  #calls(
    calls: ParsedCalls,
    text: string,
    { rest = '', close }: { rest?: string; close?: string } = {},
  ): CandidateOutcome {
    const body = this.#body?.text ?? '';
    const isList = this.#syntax.isBare === true && /^\s*\[/.test(body);
    return { type: 'calls', calls, text, rest, isFenced: this.#isInFence(body, close), isList };
  }

  #isInFence(body: string, close: string | undefined): boolean {
    if (close === '```') return false;
    if (this.#followsInFence) return true;
    // A code block may also start between the name and the arguments.
    const opens = this.#head.isInCodeBlock || this.#syntax.close.includes('```') || /^[^{[(]*```/.test(body);
    return opens && (close === undefined || this.#syntax.close.includes('```'));
  }

  /** Handles an unreadable call: after an opening marker it becomes an invalid call, otherwise prose. */
  #unread(text: string, rest = '', isClosed = false, reason = unreadable): CandidateOutcome {
    const { isBare = false, isShared = false } = this.#syntax;
    const isUnmarked = isBare || isShared || this.#reply.isTrial || this.#body?.codec.ends === 'mark';
    if (this.#id === undefined && isUnmarked) {
      const unfit = this.#reply.isCallExpected ? this.#readUnfitCalls(text) : undefined;
      const close = isClosed && text.trimEnd().endsWith('```') ? { close: '```' } : {};
      return unfit
        ? this.#calls(unfit, this.#lead + text, { rest, ...close })
        : this.#rejected(text, rest, isClosed);
    }
    const name = this.#name;
    const id = this.#takeId();
    const raw = this.#lead + text;
    const call: InvalidToolCall = { type: 'invalid-tool-call', id, raw, reason };
    return this.#calls([name === undefined ? call : { ...call, name }], raw, { rest });
  }

  /** Reads JSON that has the form of a call, but fits no tool. */
  #readUnfitCalls(text: string): ParsedCalls | undefined {
    if (!callFormPattern.test(text)) return undefined;
    const whole = text.trimEnd();
    const body = whole.endsWith('```') ? whole.slice(0, -3) : whole;
    const written = jsonCalls.read(body, { tools: this.#tools, isBare: true, isClosed: true });
    const resolved = written?.map((call) => resolveCall(call, this.#tools, true)) ?? [];
    if (resolved.length === 0 || resolved.some(({ ok }) => ok)) return undefined;
    // The first call has all of the text: a list may have thousands.
    return this.#toCalls(resolved, text).map((call, at) =>
      at > 0 && call.type === 'invalid-tool-call' ? { ...call, raw: '' } : call,
    );
  }

  #rejected(body: string, rest = '', isClosed = false): CandidateOutcome {
    const text = this.#lead + body;
    const isBlock = (this.#followsInFence || this.#syntax.close.includes('```')) && !isClosed;
    return isBlock ? { type: 'text', text, rest, quotes: '```' } : { type: 'text', text, rest };
  }

  #prose(text: string, used: number): CandidateStep {
    const { opensBody = false, close, open } = this.#syntax;
    const lead = { type: 'text' as const, text: this.#lead, rest: '' };
    if (!opensBody) return { used, outcome: close.includes('```') ? { ...lead, quotes: '```' } : lead };
    if (open.includes('{')) return { used, outcome: { ...lead, passes: true } };
    return { used: used + 1, outcome: { ...lead, text: this.#lead + text.slice(used, used + 1) } };
  }

  /** Announces a call once it names an offered tool. Then reports its arguments as they grow. */
  #progress(text: string): void {
    const before = this.#length;
    this.#length += text.length;
    if (this.#id !== undefined) {
      if (text !== '') this.#events.push({ type: 'call-delta', id: this.#id, text });
      return;
    }
    if (before > maxHeadCharacters * 2 || this.#reply.isTrial || this.#syntax.isBare === true) return;
    this.#opening += text;
    const peeked = this.#body?.codec.peek?.(this.#opening);
    const tool = peeked && this.#tools.find(peeked.name)?.tool;
    if (!tool) return;
    this.#id = this.#reply.newId();
    this.#name = tool.name;
    const written = this.#opening.slice(peeked.argumentsAt);
    this.#events.push({ type: 'call-delta', id: this.#id, name: tool.name, text: written });
  }
}

/** Matches the beginning of JSON that can only be a call: `{"name": "translate", "arguments": {`. */
const callFormPattern =
  /^\s*\[?\s*\{\s*"(?:name|function|tool|tool_name)"\s*:\s*"[\w.-]{1,64}"\s*,\s*"(?:arguments|parameters|args)"\s*:\s*\{/;

const cutOffReason = 'The call was cut off before it was complete. Write it again, whole.';
const unreadable = 'The call could not be read. Write it again as one JSON object with a name and arguments.';

/** `used`: number of marker characters, which the caller must not pass again. */
type HeadJudgement = { used: number } & (
  | { type: 'more' }
  /** The first `length` characters show that the body matches this codec. */
  | { type: 'body'; codec: BodyCodec; length: number }
  | { type: 'empty' }
  | { type: 'prose' }
);

const maxHeadCharacters = 240;

class CallHead {
  syntax: CallSyntax;
  leadingText: string;
  isInCodeBlock = false;
  readonly #tools: ToolIndex;
  #judged = 0;

  constructor(syntax: CallSyntax, lead: string, tools: ToolIndex) {
    this.syntax = syntax;
    this.leadingText = lead;
    this.#tools = tools;
  }

  get #context() {
    return { tools: this.#tools, isBare: this.syntax.isBare === true };
  }

  judge(text: string, isLast: boolean): HeadJudgement {
    if (this.syntax.opensBody === true || this.#judged > 0) return this.#judgeBody(text, isLast);
    const at = text.search(/\S/);
    if (at < 0) return { type: isLast ? 'prose' : 'more', used: 0 };
    const { mark, length, isOpen } = bodyMarksOf(this.syntax).at(text, at);
    if (isOpen && !isLast) return { type: 'more', used: 0 };
    if (mark?.type === 'open') {
      this.syntax = mark.syntax;
      return this.#further(text, this.syntax.opensBody === true ? at : at + length, isLast);
    }
    if (mark?.type === 'close') {
      if (this.syntax.isBare === true) return { type: 'prose', used: 0 };
      const used = at + length;
      this.leadingText += text.slice(0, used);
      return { type: 'empty', used };
    }
    if (text[at] !== '`' || this.syntax.close.includes('```')) return this.#judgeBody(text, isLast);
    const ticks = /^`{1,3}\w*\s*/.exec(text.slice(at, at + 40))?.[0] ?? '';
    if (at + ticks.length === text.length && !isLast) return { type: 'more', used: 0 };
    if (!ticks.startsWith('```')) return this.#judgeBody(text, isLast);
    this.isInCodeBlock = true;
    return this.#further(text, at + ticks.length, isLast);
  }

  #further(text: string, length: number, isLast: boolean): HeadJudgement {
    this.leadingText += text.slice(0, length);
    const inner = this.judge(text.slice(length), isLast);
    return { ...inner, used: inner.used + length };
  }

  /** Reads character by character, so the result does not depend on chunk boundaries. */
  #judgeBody(text: string, isLast: boolean): HeadJudgement {
    const marks = bodyMarksOf(this.syntax);
    const context = this.#context;
    while (this.#judged < Math.min(text.length, maxHeadCharacters)) {
      const at = this.#judged;
      if (at > 0 && this.syntax.opensBody !== true && marks.begins(text.charCodeAt(at))) {
        const { mark, isOpen } = marks.at(text, at);
        if (isOpen && !isLast) return { type: 'more', used: 0 };
        if (mark?.type === 'close' || mark?.type === 'open') return this.#judgeName(text.slice(0, at));
      }
      this.#judged++;
      const head = text.slice(0, this.#judged);
      let mayBecome = false;
      for (const codec of this.syntax.bodies) {
        const verdict = codec.begins(head, context);
        if (verdict === 'yes') return { type: 'body', codec, length: this.#judged, used: 0 };
        if (verdict === 'more') mayBecome = true;
      }
      if (!mayBecome) return { type: 'prose', used: 0 };
    }
    return { type: isLast || this.#judged === maxHeadCharacters ? 'prose' : 'more', used: 0 };
  }

  /** Judges text that ends at a marker before any codec recognised it. Some codecs accept a tool name alone as a call. */
  #judgeName(head: string): HeadJudgement {
    const codec = this.syntax.bodies.find(
      ({ ends, begins }) => ends === 'mark' && begins(head, this.#context) === 'more',
    );
    return codec ? { type: 'body', codec, length: head.length, used: 0 } : { type: 'prose', used: 0 };
  }
}

/** `used`: number of body characters. `closeLength`: length of the closing marker that follows, if any. */
interface BodyStep {
  used: number;
  end?: 'brackets' | { closeLength: number };
}

class CallBody {
  readonly codec: BodyCodec;
  readonly #headLength: number;
  readonly #marks: ReturnType<typeof bodyMarksOf>;
  readonly #scanner = createBracketScanner();
  #parts: string[] = [];
  #length = 0;
  #ends: BodyCodec['ends'];
  #isInMarks = false;

  constructor(syntax: CallSyntax, codec: BodyCodec, headLength: number) {
    this.codec = codec;
    this.#headLength = headLength;
    this.#marks = bodyMarksOf(syntax);
    this.#ends = codec.ends;
  }

  get text(): string {
    const text = this.#parts.join('');
    this.#parts = [text];
    return text;
  }

  get lacksAtMostOneBracket(): boolean {
    return this.#scanner.depth <= 1 && /[}\])]\s*$/.test(this.text);
  }

  /** Reads on to the closing marker, because we could not parse the text up to the closing bracket. */
  continueToMarker(): void {
    this.#ends = 'mark';
  }

  consume(text: string, isLast: boolean): BodyStep {
    const step = this.#findEnd(text, isLast);
    if (step.used > 0) this.#parts.push(text.slice(0, step.used));
    this.#length += step.used;
    return step;
  }

  #findEnd(text: string, isLast: boolean): BodyStep {
    const isRaw = this.#ends === 'mark' || this.#ends === 'line';
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#ends === 'line' && code === 10 && this.#length + at >= this.#headLength)
        return { used: at, end: { closeLength: 0 } };
      const isOutside = isRaw || this.#isInMarks || this.#scanner.isOutside(code);
      if (isOutside && this.#length + at > 0 && this.#marks.begins(code)) {
        const { mark, length, isOpen } = this.#marks.at(text, at);
        if (isOpen && !isLast) return { used: at };
        if (mark?.type === 'string' || mark?.type === 'word') {
          if (mark.type === 'string') this.#isInMarks = !this.#isInMarks;
          at += length - 1;
          continue;
        }
        if (mark && !this.#isInMarks) {
          // Text between tags may contain closing tags of other formats, for example in HTML.
          if (mark.type === 'close' && mark.isForeign && this.codec.ends === 'mark') continue;
          if (mark.type === 'close') return { used: at, end: { closeLength: length } };
          if (mark.type === 'open') return { used: at, end: { closeLength: 0 } };
        }
      }
      if (!isRaw && !this.#isInMarks && this.#scanner.take(code) && this.#ends === 'brackets')
        return { used: at + 1, end: 'brackets' };
    }
    return { used: text.length };
  }
}

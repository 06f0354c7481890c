/**
 * A very small model decides which tool to call; what it says without one is mostly wrong. So where it calls none, the page answers in
 * its place, and keeps what it wrote for "Details". And what only needs to be copied, plain sums and their results, is dictated to it.
 */
import { type AssistantMessage, type Message, pageWriter, type ToolCall } from '../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import type { Doubt } from '../contracts/reading';
import { textOf } from '../contracts/text-of';
import {
  type DoubtOptions,
  type Finish,
  isInDoubt,
  mayMeanCall,
  settleDoubt,
} from './settle-doubt';
import { readAsSearch } from './as-search';
import type { Reading } from './gather-readings';
import type { ModelStage } from '../contracts/pipeline';
import { copiedCalls } from './copied-calls';
import { isGrounded } from './is-grounded';
import { isPasted } from './is-pasted';
import { toolSaidOff } from './said-off';
import type { PageReply } from './write-page-reply';

export interface SpeakOptions {
  /** Whether what answers at this moment is such a model: another may have taken its place. */
  isSmall: () => boolean;
  /** The calls that the newest request plainly spells out; undefined where the model is to decide. */
  calls: readonly Pick<ToolCall, 'name' | 'arguments'>[] | undefined;
  /** Where the model calls nothing; `said` is what it wrote. */
  reply: (history: readonly Message[], said: string) => PageReply;
  /** What is to be said of the newest results, to the letter; undefined where the model is to speak. */
  answer: (history: readonly Message[]) => string | undefined;
  /** Whether a call that touches nothing would fail; false of any other. */
  fails: (call: ToolCall, signal: AbortSignal) => Promise<boolean>;
  /** What is done where the model is not sure of its call. */
  doubt: DoubtOptions;
  newId: () => string;
  /** Where the person meant none of the readings that they were shown. */
  rephrase: (history: readonly Message[]) => PageReply;
  /** Tools that could be on in the chat are off: then the model may say so. */
  hasToolsOff: boolean;
}

export function pageReplyStage(options: SpeakOptions): ModelStage {
  return {
    name: 'page-replies',
    isActive: options.isSmall,
    async *wrapStream(request, signal, model) {
      const last = request.messages.at(-1)?.role;
      const isFree = !options.isSmall() || request.toolChoice !== 'auto';
      const answer = answerLeft(request.messages, options);
      if (!isFree && last === 'user' && options.calls) {
        yield* model.respond({ ...request, dictated: { calls: [...options.calls] } }, signal);
      } else if (!isFree && last === 'user') {
        const copied = copiedCalls(request.messages, request.tools);
        yield* withoutBluff(model, { ...request, copied }, options, signal);
      } else if (!isFree && answer !== undefined) {
        yield* model.respond({ ...request, dictated: { text: answer } }, signal);
      } else if (!isFree) yield* withoutHaste(model, request, options, signal);
      else yield* model.respond(request, signal);
    },
  };
}

/** What is to be said to the letter of the newest results, or what is left of it where a reply was broken off. */
function answerLeft(messages: readonly Message[], { answer }: SpeakOptions): string | undefined {
  const before = messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
  if (messages[before - 1]?.role !== 'tool') return undefined;
  const whole = answer(messages.slice(0, before));
  const said = messages
    .slice(before)
    .map((message) => (message.role === 'assistant' ? textIn(message) : ''))
    .join('');
  return whole?.startsWith(said) ? whole.slice(said.length) : undefined;
}

/** Words are told as they come; calls beside results once it is known whether they stand. */
async function* withoutHaste(
  model: ChatModel,
  request: ReplyRequest,
  options: SpeakOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const held: ModelEvent[] = [];
  let end: Finish | undefined;
  for await (const event of model.respond(request, signal)) {
    if (event.type === 'finish') end = event;
    else if (event.type === 'call-delta' || event.type === 'tool-call') held.push(event);
    else yield event;
  }
  // Once this reply is over: a worker gives one at a time.
  if (end) yield* unlessInDoubt(model, request, end, held, options, signal);
}

/** Tells a reply, of which `held` was not told yet, where the model is sure of its calls; else what comes of asking again. */
async function* unlessInDoubt(
  model: ChatModel,
  request: ReplyRequest,
  end: Finish,
  held: readonly ModelEvent[],
  options: SpeakOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  // What is copied would be called so in any case: how likely the model was to write it says nothing.
  const isOfPage = callsIn(end.message).every((call) => isCopied(call, request.copied));
  if (isOfPage || !isInDoubt(end, options.doubt)) yield* [...held, end];
  else yield* askAgain(model, request, end, held, options, signal);
}

async function* askAgain(
  model: ChatModel,
  request: ReplyRequest,
  end: Finish,
  held: readonly ModelEvent[],
  options: SpeakOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const isQuestion = messages.at(-1)?.role === 'user';
  const isInWords = callsIn(end.message).length === 0;
  // What was taken for talk at first would be searched for by all too many readings.
  const isPossible = (call: ToolCall) =>
    (!isQuestion || isCopied(call, request.copied) || isGrounded(call, messages)) &&
    (!isInWords || options.doubt.staysHere(call));
  const alsoRead = (readings: readonly Reading[]) =>
    readAsSearch(readings, messages, request.tools, options.newId);
  const doubt = { ...options.doubt, isPossible, ...(isQuestion && { alsoRead }) };
  const settled = yield* settleDoubt(model, request, end, doubt, signal);
  if (settled.type === 'stands') yield* [...held, end];
  else if (settled.type === 'nothing') yield* instead(end, options.reply(messages, textIn(end.message)));
  else if (settled.type === 'none-of-these') {
    yield* instead(end, options.rephrase(messages), settled.doubt);
  }
}

/** Holds back the reply, which is a line, until it is known whether it stands. */
async function* withoutBluff(
  model: ChatModel,
  request: ReplyRequest,
  options: SpeakOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { messages, tools } = request;
  const held: ModelEvent[] = [];
  let end: Finish | undefined;
  for await (const event of model.respond(request, signal)) {
    if (ofPrompt.has(event.type)) yield event;
    else if (event.type === 'finish') end = event;
    else held.push(event);
  }
  if (!end) return;
  const denied = toolSaidOff(textIn(end.message));
  const isOffered = tools.some(({ name }) => name === denied);
  if (denied !== undefined && isOffered && request.toolChoice === 'auto') {
    // It knew which tool it needs, and is wrong that it is off. Asked once this reply is over: a worker gives one at a time.
    yield* withoutBluff(model, { ...request, toolChoice: { name: denied } }, options, signal);
    return;
  }
  // Made to call that tool, it wrote no call of it: it did not need the tool either.
  const isForcedInVain =
    request.toolChoice !== 'auto' && end.message.content.some(({ type }) => type === 'invalid-tool-call');
  const [spelledOut] = Object.keys(request.copied ?? {});
  if (!isForcedInVain && (await stands(end, request, options, signal)))
    yield* unlessInDoubt(model, request, end, held, options, signal);
  // It had nothing to say of what it could have called.
  else if (spelledOut !== undefined && request.toolChoice === 'auto') {
    yield* withoutBluff(model, { ...request, toolChoice: { name: spelledOut } }, options, signal);
  } else if (mayMeanCall(end, options.doubt)) yield* askAgain(model, request, end, held, options, signal);
  else yield* instead(end, options.reply(messages, textIn(end.message)));
}

/** What it says before the reply: of the prompt, and of what it waits for. */
const ofPrompt: ReadonlySet<ModelEvent['type']> = new Set([
  'context',
  'tool-offer',
  'summing-up',
  'summary',
  'server-wait',
  'prompt-progress',
]);

async function stands(
  end: Finish,
  { messages: history, copied }: ReplyRequest,
  { fails, hasToolsOff, doubt }: SpeakOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { message, usage } = end;
  if (message.finishReason === 'error' || message.finishReason === 'aborted') return true;
  const calls = callsIn(message);
  if (!calls.every((call) => isCopied(call, copied) || isGrounded(call, history))) return false;
  // In doubt it is asked again, and a call that fails is none of its readings.
  if (calls.length > 0 && (usage.logProbability ?? 0) < doubtful && !isInDoubt(end, doubt)) {
    const failing = await Promise.all(calls.map((call) => fails(call, signal)));
    return !failing.every(Boolean);
  }
  const isInvalid = message.content.some(({ type }) => type === 'invalid-tool-call');
  // Made to call that tool once more, it would send some piece of the text that was pasted.
  if (isInvalid) return !isPasted(askedIn(history));
  if (message.content.some(({ type }) => type !== 'text')) return true;
  const said = textIn(message);
  return (hasToolsOff && toolSaidOff(said) !== undefined) || repeatsResult(said, history);
}

/** Less sure than this, a call that would fail is taken for a message that was not understood. */
const doubtful = -0.3;

function* instead(event: Finish, reply: PageReply, doubt?: Doubt): Generator<ModelEvent> {
  yield { type: 'text-delta', text: reply.text };
  const message = writtenByPage(reply, event.message.raw);
  yield { ...event, message: doubt ? { ...message, doubt } : message };
}

/** As a model's reply; `replaced` is what a model had written. */
export function writtenByPage(
  { text, suggestions, isBeyond }: PageReply,
  replaced?: string,
): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    writer: pageWriter,
    ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
    ...(isBeyond && { isBeyond }),
    ...(replaced !== undefined && { instead: replaced }),
    finishReason: 'stop',
  };
}

function callsIn({ content }: AssistantMessage): ToolCall[] {
  return content.filter((part) => part.type === 'tool-call');
}

function askedIn(history: readonly Message[]): string {
  const last = history.at(-1);
  return last?.role === 'user' ? textOf(last.content) : '';
}

function isCopied({ name }: ToolCall, copied: ReplyRequest['copied']): boolean {
  return copied?.[name] !== undefined;
}

function textIn({ content }: AssistantMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** A question about what a tool has said: its number stands in an earlier result. */
function repeatsResult(said: string, history: readonly Message[]): boolean {
  const numbers = said.match(/\d+(?:[.,:]\d+)*/g) ?? [];
  const results = history.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ content }) => textOf(content)) : [],
  );
  return numbers.length > 0 && numbers.every((number) => results.some((result) => result.includes(number)));
}

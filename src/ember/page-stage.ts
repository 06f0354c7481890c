/**
 * The stage that answers on behalf of the small model. The model decides which tool to call, but its prose is mostly wrong. If it makes no call,
 * the page answers and keeps the model's text for "Details". Texts that only need copying (plain sums and their results) are dictated to the
 * model.
 */
import type { AssistantMessage, Message, ToolCall, Doubt } from '../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';
import type { PlainCall } from '../contracts/small-model-policy';
import { textOf } from '../contracts/message-parts';
import { copiedCalls, isGrounded } from './grounding';
import { type PageReply, writtenByPage } from './page-replies';
import { isPasted, toolSaidOff } from './read-intent';
import {
  type DoubtOptions,
  type Finish,
  isInDoubt,
  mayMeanCall,
  readAsSearch,
  type Reading,
  settleDoubt,
} from './uncertain-calls';

export interface PageStageOptions {
  /** Whether the model that answers at this moment is small: a fallback may replace it. */
  isSmall: () => boolean;
  calls: readonly PlainCall[] | undefined;
  /** The reply if the model makes no call. `said`: the model's own text. */
  reply: (history: readonly Message[], said: string) => PageReply;
  /** The exact answer to the newest results. Undefined: the model answers. */
  answer: (history: readonly Message[]) => string | undefined;
  /** Whether a call without side effects or requests would fail. False for any other call. */
  fails: (call: ToolCall, signal: AbortSignal) => Promise<boolean>;
  doubt: DoubtOptions;
  newId: () => string;
  rephrase: (history: readonly Message[]) => PageReply;
  /** Some tools that could be on in the chat are off: then the model may say so. */
  hasToolsOff: boolean;
}

export function pageStage(options: PageStageOptions): ModelStage {
  return {
    name: 'page-replies',
    isActive: options.isSmall,
    async *wrapStream(request, signal, model) {
      const last = request.messages.at(-1)?.role;
      const isFree = !options.isSmall() || request.toolChoice !== 'auto';
      const answer = remainingAnswer(request.messages, options);
      if (!isFree && last === 'user' && options.calls) {
        yield* model.respond({ ...request, dictated: { calls: [...options.calls] } }, signal);
      } else if (!isFree && last === 'user') {
        const copied = copiedCalls(request.messages, request.tools);
        yield* replaceUnsupportedReply(model, { ...request, copied }, options, signal);
      } else if (!isFree && answer !== undefined) {
        yield* model.respond({ ...request, dictated: { text: answer } }, signal);
      } else if (!isFree) yield* holdToolCalls(model, request, options, signal);
      else yield* model.respond(request, signal);
    },
  };
}

/** The exact answer to the newest results, or the rest of it after an interrupted reply. */
function remainingAnswer(messages: readonly Message[], { answer }: PageStageOptions): string | undefined {
  const before = messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
  if (messages[before - 1]?.role !== 'tool') return undefined;
  const whole = answer(messages.slice(0, before));
  const said = messages
    .slice(before)
    .map((message) => (message.role === 'assistant' ? textIn(message) : ''))
    .join('');
  return whole?.startsWith(said) ? whole.slice(said.length) : undefined;
}

/** Streams words as they arrive, but holds calls back until the model is known to be sure of them. */
async function* holdToolCalls(
  model: ChatModel,
  request: ReplyRequest,
  options: PageStageOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const held: ModelEvent[] = [];
  let end: Finish | undefined;
  for await (const event of model.respond(request, signal)) {
    if (event.type === 'finish') end = event;
    else if (event.type === 'call-delta' || event.type === 'tool-call') held.push(event);
    else yield event;
  }
  if (end) yield* resolveIfUncertain(model, request, end, held, options, signal);
}

async function* resolveIfUncertain(
  model: ChatModel,
  request: ReplyRequest,
  end: Finish,
  held: readonly ModelEvent[],
  options: PageStageOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  // The page copied this call from the request and would make it anyway, so the model's probability does not matter.
  const isOfPage = callsIn(end.message).every((call) => isCopied(call, request.copied));
  if (isOfPage || !isInDoubt(end, options.doubt)) yield* [...held, end];
  else yield* askAgain(model, request, end, held, options, signal);
}

async function* askAgain(
  model: ChatModel,
  request: ReplyRequest,
  end: Finish,
  held: readonly ModelEvent[],
  options: PageStageOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { messages } = request;
  const isQuestion = messages.at(-1)?.role === 'user';
  const isInWords = callsIn(end.message).length === 0;
  // If the first reply was prose, too many readings would search the web for small talk.
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

/** Holds back the one-line reply until we know whether it is kept. */
async function* replaceUnsupportedReply(
  model: ChatModel,
  request: ReplyRequest,
  options: PageStageOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { messages, tools } = request;
  const held: ModelEvent[] = [];
  let end: Finish | undefined;
  for await (const event of model.respond(request, signal)) {
    if (beforeReply.has(event.type)) yield event;
    else if (event.type === 'finish') end = event;
    else held.push(event);
  }
  if (!end) return;
  const denied = toolSaidOff(textIn(end.message));
  const isOffered = tools.some(({ name }) => name === denied);
  if (denied !== undefined && isOffered && request.toolChoice === 'auto') {
    // The model wrongly claims that the tool it needs is off, so make it call that tool.
    yield* replaceUnsupportedReply(model, { ...request, toolChoice: { name: denied } }, options, signal);
    return;
  }
  // The model was forced to call that tool and did not, so it did not need it.
  const isForcedInVain =
    request.toolChoice !== 'auto' && end.message.content.some(({ type }) => type === 'invalid-tool-call');
  const [spelledOut] = Object.keys(request.copied ?? {});
  if (!isForcedInVain && (await isReplyKept(end, request, options, signal)))
    yield* resolveIfUncertain(model, request, end, held, options, signal);
  else if (spelledOut !== undefined && request.toolChoice === 'auto') {
    yield* replaceUnsupportedReply(model, { ...request, toolChoice: { name: spelledOut } }, options, signal);
  } else if (mayMeanCall(end, options.doubt)) yield* askAgain(model, request, end, held, options, signal);
  else yield* instead(end, options.reply(messages, textIn(end.message)));
}

const beforeReply: ReadonlySet<ModelEvent['type']> = new Set([
  'context',
  'tool-offer',
  'summing-up',
  'summary',
  'server-wait',
  'prompt-progress',
]);

async function isReplyKept(
  end: Finish,
  { messages: history, copied }: ReplyRequest,
  { fails, hasToolsOff, doubt }: PageStageOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { message, usage } = end;
  if (message.finishReason === 'error' || message.finishReason === 'aborted') return true;
  const calls = callsIn(message);
  if (!calls.every((call) => isCopied(call, copied) || isGrounded(call, history))) return false;
  // If the model is unsure, it is asked again, and readings with a failing call are dropped.
  if (calls.length > 0 && (usage.logProbability ?? 0) < minLogProbability && !isInDoubt(end, doubt)) {
    const failing = await Promise.all(calls.map((call) => fails(call, signal)));
    return !failing.every(Boolean);
  }
  const isInvalid = message.content.some(({ type }) => type === 'invalid-tool-call');
  // A retry would send a part of the pasted text.
  if (isInvalid) return !isPasted(askedIn(history));
  if (message.content.some(({ type }) => type !== 'text')) return true;
  const said = textIn(message);
  return (hasToolsOff && toolSaidOff(said) !== undefined) || repeatsResult(said, history);
}

/** Below this log probability, a call that would fail counts as a misunderstood message. */
const minLogProbability = -0.3;

function* instead(event: Finish, reply: PageReply, doubt?: Doubt): Generator<ModelEvent> {
  yield { type: 'text-delta', text: reply.text };
  const message = writtenByPage(reply, event.message.raw);
  yield { ...event, message: doubt ? { ...message, doubt } : message };
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

/** Whether the reply only repeats numbers of earlier results, so that it can answer a question about them. */
function repeatsResult(said: string, history: readonly Message[]): boolean {
  const numbers = said.match(/\d+(?:[.,:]\d+)*/g) ?? [];
  const results = history.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ content }) => textOf(content)) : [],
  );
  return numbers.length > 0 && numbers.every((number) => results.some((result) => result.includes(number)));
}

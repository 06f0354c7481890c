/**
 * Answers for the small model, whose own text is mostly wrong: the model chooses which tool to call, and the page writes the reply. If a
 * request spells out a call, such as a plain sum, the page dictates that call. "Details" still shows the model's text.
 */
import type { AssistantMessage, Message, ToolCall, AmbiguousRequest, PlainCall } from '../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import { type ModelStage, unknownUsage } from '../contracts/pipeline';
import type { PageDecision } from '../contracts/small-model-policy';
import { textOf } from '../contracts/message-parts';
import { type PageReply, toPageMessage } from './page-replies';
import { isPasted, lastTurnOf, findNewestQuestion, resultsIn, findToolReportedAsOff } from './read-intent';
import {
  callsIn,
  type UncertainCallOptions,
  type FinishEvent,
  holdBackEvents,
  isCallEvent,
  isUnsure,
  createSearchReading,
  resolveDoubt,
  type ResolveDoubtOptions,
} from './uncertain-calls';
import type { ToolSpec } from '../contracts/tool';
import { readSingleSum, removeDatesAndCodes, removeNumbersInNames } from '../text/arithmetic';
import { splitNumberWords } from '../text/number-words';
import { expandPattern, type PatternName, patternOf } from './phrases';

export interface PageStageOptions {
  /** A function, because a fallback model may take over during the turn. */
  isSmall: () => boolean;
  /** The calls that the page dictates, if it read the question before the turn. */
  calls: readonly PlainCall[] | undefined;
  /** Reads the question now. Only set if nobody read it before the turn, because a larger model was to answer. */
  decide?: (history: readonly Message[], signal: AbortSignal) => Promise<PageDecision | undefined>;
  /** The page's reply if the model makes no call. `said` is the model's own text. */
  reply: (history: readonly Message[], said: string) => PageReply;
  /** The page's answer to the newest tool results. Undefined if the model should answer. */
  answer: (history: readonly Message[]) => string | undefined;
  /** Whether a call fails in a trial. False for a call with side effects, which we do not try. */
  fails: (call: ToolCall, signal: AbortSignal) => Promise<boolean>;
  doubt: UncertainCallOptions;
  newId: () => string;
  rephrase: (history: readonly Message[]) => PageReply;
  hasToolsOff: boolean;
}

interface StageContext extends PageStageOptions {
  model: ChatModel;
  signal: AbortSignal;
}

export function createPageStage(options: PageStageOptions): ModelStage {
  return {
    name: 'page-replies',
    isActive: options.isSmall,
    async *wrapStream(request, signal, model) {
      const { messages, tools, toolChoice } = request;
      const asking = { ...options, model, signal };
      const answer = findRestOfAnswer(messages, options);
      const isFree = toolChoice === 'auto' || (toolChoice === 'none' && answer !== undefined);
      if (!options.isSmall() || !isFree) {
        yield* model.respond(request, signal);
        return;
      }
      if (messages.at(-1)?.role !== 'user') {
        if (answer === undefined) yield* holdToolCalls(request, asking);
        else yield* model.respond({ ...request, dictated: { text: answer } }, signal);
        return;
      }
      const decision = options.calls ? { calls: options.calls } : await options.decide?.(messages, signal);
      if (!decision)
        yield* replaceUnsupported({ ...request, copied: findArgumentsIn(messages, tools) }, asking);
      else if ('reply' in decision) yield* replyWithoutModel(decision.reply);
      else yield* model.respond({ ...request, dictated: { calls: [...decision.calls] } }, signal);
    },
  };
}

function* replyWithoutModel(message: AssistantMessage): Generator<ModelEvent> {
  yield { type: 'text-delta', text: replyTextOf(message) };
  yield { type: 'finish', message, usage: unknownUsage };
}

/** The page's answer to the newest tool results. If an interrupted reply already contains its beginning, only the rest. */
function findRestOfAnswer(messages: readonly Message[], { answer }: PageStageOptions): string | undefined {
  const before = messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
  if (messages[before - 1]?.role !== 'tool') return undefined;
  const whole = answer(messages.slice(0, before));
  const said = messages
    .slice(before)
    .map((message) => (message.role === 'assistant' ? replyTextOf(message) : ''))
    .join('');
  return whole?.startsWith(said) ? whole.slice(said.length) : undefined;
}

/** Passes text on at once. Holds calls back until we know that the model is sure of them. */
async function* holdToolCalls(request: ReplyRequest, asking: StageContext): AsyncGenerator<ModelEvent> {
  const { held, end } = yield* holdBackEvents(asking.model.respond(request, asking.signal), isCallEvent);
  if (end) yield* resolveIfUncertain(request, held, end, asking);
}

async function* resolveIfUncertain(
  request: ReplyRequest,
  held: readonly ModelEvent[],
  end: FinishEvent,
  asking: StageContext,
): AsyncGenerator<ModelEvent> {
  // The page, not the model, chose the arguments of these calls, so it does not matter whether the model is unsure of them.
  const isOfPage = callsIn(end.message).every((call) => hasDictatedArguments(call, request.copied));
  if (isOfPage || !isUnsure(end, 'tool-calls', asking.doubt)) yield* [...held, end];
  else yield* askModelAgain(request, held, end, asking);
}

async function* askModelAgain(
  request: ReplyRequest,
  held: readonly ModelEvent[],
  end: FinishEvent,
  { model, doubt, newId, reply, rephrase, signal }: StageContext,
): AsyncGenerator<ModelEvent> {
  const { messages, tools, copied } = request;
  const isQuestion = messages.at(-1)?.role === 'user';
  const isInWords = callsIn(end.message).length === 0;
  const options: ResolveDoubtOptions = {
    ...doubt,
    // If the first reply was prose, allow only local calls. Otherwise small talk would often lead to a web search.
    isPossible: (call) =>
      (!isQuestion || hasDictatedArguments(call, copied) || isGroundedCall(call, messages)) &&
      (!isInWords || doubt.staysHere(call)),
    ...(isQuestion && { alsoRead: (readings) => createSearchReading(readings, messages, tools, newId) }),
  };
  const settled = yield* resolveDoubt(model, request, end, options, signal);
  if (settled.type === 'stands') yield* [...held, end];
  else if (settled.type === 'nothing') yield* replaceReply(end, reply(messages, replyTextOf(end.message)));
  else if (settled.type === 'none-of-these') yield* replaceReply(end, rephrase(messages), settled.doubt);
}

/** Holds the whole reply back, usually one line, until we decide whether to keep it. */
async function* replaceUnsupported(request: ReplyRequest, asking: StageContext): AsyncGenerator<ModelEvent> {
  const { messages, tools, toolChoice, copied = {} } = request;
  const reply = asking.model.respond(request, asking.signal);
  const { held, end } = yield* holdBackEvents(reply, ({ type }) => replyEvents.has(type));
  if (!end) return;
  const said = replyTextOf(end.message);
  const denied = findToolReportedAsOff(said);
  const isOffered = tools.some(({ name }) => name === denied);
  if (denied !== undefined && isOffered && toolChoice === 'auto') {
    // The model named the right tool, but wrongly says that it is off.
    yield* replaceUnsupported({ ...request, toolChoice: { name: denied } }, asking);
    return;
  }
  // We required a call, but the model wrote no valid one. The request therefore needs no tool.
  const isForcedInVain =
    toolChoice !== 'auto' && end.message.content.some(({ type }) => type === 'invalid-tool-call');
  const [spelledOut] = Object.keys(copied);
  if (!isForcedInVain && (await shouldKeepReply(end, request, asking)))
    yield* resolveIfUncertain(request, held, end, asking);
  else if (spelledOut !== undefined && toolChoice === 'auto') {
    yield* replaceUnsupported({ ...request, toolChoice: { name: spelledOut } }, asking);
  } else if (isUnsure(end, 'stop', asking.doubt)) yield* askModelAgain(request, held, end, asking);
  else yield* replaceReply(end, asking.reply(messages, said));
}

const replyEvents = new Set<ModelEvent['type']>(['text-delta', 'reasoning-delta', 'call-delta', 'tool-call']);

async function shouldKeepReply(
  end: FinishEvent,
  { messages: history, copied }: ReplyRequest,
  { fails, hasToolsOff, doubt, signal }: StageContext,
): Promise<boolean> {
  const { message, usage } = end;
  if (message.finishReason === 'error' || message.finishReason === 'aborted') return true;
  const calls = callsIn(message);
  if (!calls.every((call) => hasDictatedArguments(call, copied) || isGroundedCall(call, history)))
    return false;
  // Do not try uncertain calls here, because `askModelAgain` tries them later.
  const isUnlikely = calls.length > 0 && (usage.logProbability ?? 0) < minCallLogProbability;
  if (isUnlikely && !isUnsure(end, 'tool-calls', doubt)) {
    const failing = await Promise.all(calls.map((call) => fails(call, signal)));
    return !failing.every(Boolean);
  }
  const isInvalid = message.content.some(({ type }) => type === 'invalid-tool-call');
  // Keep an invalid call, so the model tries again. If the user pasted a text, do not: the next call would only pass on part of that text.
  if (isInvalid) return !isPasted(findNewestQuestion(history) ?? '');
  if (message.content.some(({ type }) => type !== 'text')) return true;
  const said = replyTextOf(message);
  return (hasToolsOff && findToolReportedAsOff(said) !== undefined) || hasOnlyResultNumbers(said, history);
}

/** If a call fails and its log probability is lower than this, we assume that the model misunderstood the message. */
const minCallLogProbability = -0.3;

function* replaceReply(end: FinishEvent, reply: PageReply, doubt?: AmbiguousRequest): Generator<ModelEvent> {
  yield { type: 'text-delta', text: reply.text };
  const message = toPageMessage(reply, end.message.raw);
  yield { ...end, message: doubt ? { ...message, doubt } : message };
}

function hasDictatedArguments({ name }: ToolCall, copied: ReplyRequest['copied']): boolean {
  return copied?.[name] !== undefined;
}

function replyTextOf({ content }: AssistantMessage): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function hasOnlyResultNumbers(said: string, history: readonly Message[]): boolean {
  const numbers = said.match(/\d+(?:[.,:]\d+)*/g) ?? [];
  const results = resultsIn(history).map(({ content }) => textOf(content));
  return numbers.length > 0 && numbers.every((number) => results.some((result) => result.includes(number)));
}

export function isGroundedCall({ name, arguments: given }: ToolCall, history: readonly Message[]): boolean {
  const asked = findNewestQuestion(history) ?? '';
  if (name === 'calculator') return isSumFromMessages(String(given['expression']), asked, history);
  if (name === 'clock') return isTimeRequest(asked) || isClockFollowUp(asked, history);
  // Never search for pasted text: the query would send part of it.
  if (name === 'web_search') return !isPasted(asked);
  if (name !== 'fetch_page') return hasNoRepeatedText(given, asked);
  const isAddress = /[\p{L}\p{N}][.:][\p{L}\p{N}]|localhost/u.test(String(given['url']));
  return isAddress && !isPasted(asked);
}

function isTimeRequest(asked: string): boolean {
  if (patternOf('grounds.asks-time').test(asked)) return true;
  // "What should I cook tonight?" needs no clock.
  if (patternOf('grounds.asks-advice').test(asked) && !patternOf('grounds.names-time').test(asked))
    return false;
  const isTime = patternOf('grounds.about-time').test(asked) && !patternOf('grounds.about-span').test(asked);
  return isTime && !isPasted(asked);
}

/** Arguments that we can read from the newest message without the model, by tool. Undefined if the model should write the call itself. */
export function findArgumentsIn(history: readonly Message[], tools: readonly Pick<ToolSpec, 'name'>[]) {
  const request = findNewestQuestion(history) ?? '';
  if (!tools.some(({ name }) => name === 'calculator') || isPasted(request)) return undefined;
  const expression = readSingleSum(request);
  return expression === undefined ? undefined : { calculator: { expression } };
}

/** True if the chat contains each number of the expression. A number in the newest message counts once for each time it occurs there. */
function isSumFromMessages(expression: string, asked: string, history: readonly Message[]): boolean {
  const names = expression.toLowerCase().match(/[a-z]+/g) ?? [];
  if (!names.every((name) => calculatorNamePattern.test(name))) return false;
  const used = numbersIn(expression);
  if (!patternOf('grounds.measures').test(asked) && hasNonOperandNumbers(used, asked)) return false;
  const typed = numbersIn(asked);
  const parts = splitNumberWords(asked);
  const isPart = used.some((number) => parts.has(number) && !typed.includes(number));
  const isInWords = patternOf('grounds.number-words').test(asked) && !isPart;
  if (isInWords || patternOf('grounds.shortened').test(asked)) return true;
  const standing = numbersByWord.flatMap(([name, numbers]) => (patternOf(name).test(asked) ? numbers : []));
  // If this message has no numbers, it must refer back to an earlier message.
  if (typed.length === 0 && standing.length === 0 && !patternOf('grounds.goes-back').test(asked))
    return false;
  const earlier = new Set(history.slice(0, -1).flatMap((message) => numbersIn(messageTextOf(message))));
  const isShare = patternOf('grounds.share').test(asked);
  const isAverage = patternOf('grounds.average').test(asked);
  const free = [...typed];
  return used.every((number) => {
    const at = free.indexOf(number);
    if (at !== -1) free.splice(at, 1);
    // A percentage may use a number twice: the growth from 250 to 320 is `(320 - 250) / 250`.
    const isReused = isShare && typed.includes(number);
    const isCount = isAverage && Number(number) === typed.length;
    return at !== -1 || standing.includes(number) || isReused || isCount || earlier.has(number);
  });
}

const numbersByWord: readonly [PatternName, string[]][] = [
  ['number.half', ['2', '0.5']],
  ['number.third', ['3']],
  ['number.quarter', ['4', '0.25']],
  ['number.percent', ['100', '1']],
  ['number.hours', ['60', '24', '3600']],
  ['number.days', ['24', '7', '30', '365']],
  ['number.weeks', ['7', '52']],
  ['number.months', ['12', '52', '30', '365']],
  ['number.dozen', ['12']],
];

const calculatorNamePattern =
  /^(?:abs|sqrt|cbrt|root|pow|round|floor|ceil|min|max|sum|avg|mod|gcd|lcm|factorial|comb|perm|exp|ln|log|sin|cos|tan|asin|acos|atan|pi|e|tau|of|x|times|plus|minus)$/;

/** True if the sum uses a number that is not an amount in the message: `We won 3-1`, `chapter 3, verse 16`. */
function hasNonOperandNumbers(used: readonly string[], asked: string): boolean {
  const counting = numbersIn(removeNumbersInNames(removeDatesAndCodes(asked)));
  const written = numbersIn(asked);
  return used.some((number) => written.includes(number) && !counting.includes(number));
}

/** False if the call uses a text twice that the user wrote once, for example `from: km, to: km`. */
function hasNoRepeatedText(given: ToolCall['arguments'], asked: string): boolean {
  const texts = Object.values(given).filter((value) => typeof value === 'string' && value !== '');
  const written = asked.toLowerCase();
  return texts.every((text, index) => {
    const isAgain = texts.indexOf(text) !== index;
    return !isAgain || written.split(String(text).toLowerCase()).length > 2;
  });
}

function isClockFollowUp(asked: string, history: readonly Message[]): boolean {
  const { results } = lastTurnOf(history.slice(0, -1));
  if (!results.some(({ toolName }) => toolName === 'clock')) return false;
  const fewWords = expandPattern(String.raw`^\W*{going-on}?\W*(?:\S+\W+){0,3}\S+\W*$`, 'i');
  return fewWords.test(asked) || patternOf('grounds.goes-on').test(asked);
}

function messageTextOf(message: Message): string {
  if (message.role === 'system') return '';
  if (message.role !== 'tool') return textOf(message.content);
  return message.results.map(({ content }) => textOf(content)).join('\n');
}

/** Returns all numbers in the calculator's notation: no thousands separators, and `0.5` for `0.50`. */
function numbersIn(text: string): string[] {
  const found = text.normalize('NFKC').match(/\d[\d,]*(?:\.\d+)?|\.\d+/g) ?? [];
  return found.map((written) => String(Number(written.replaceAll(',', ''))));
}

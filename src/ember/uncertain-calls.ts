/** Asks an unsure small model again, or asks the user which interpretation ("reading") is right: docs/decisions/2026-11-26-unsure.md. */
import {
  type AssistantMessage,
  type Message,
  pageWriterId,
  type ToolCall,
  type AmbiguousRequest,
  type CertaintyThresholds,
} from '../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import type { ModelStage } from '../contracts/pipeline';
import { textOf } from '../contracts/message-parts';
import type { ToolOutput, ToolSpec } from '../contracts/tool';
import { isPasted, findNewestQuestion, searchQueryOf } from './read-intent';

/** One possible meaning of the user's request: the calls that it needs, and the first reply that contained them. */
export interface RequestReading {
  calls: readonly ToolCall[];
  message: AssistantMessage;
  votes: number;
  /** The text result of each call, in the same order. Undefined if we did not try the call. */
  results: readonly (string | undefined)[];
}

export type FinishEvent = Extract<ModelEvent, { type: 'finish' }>;

export interface UncertainCallOptions {
  /** Below these log probabilities we ask the model again. Undefined if we never ask the current model again. */
  thresholds: () => CertaintyThresholds | undefined;
  staysHere: (call: ToolCall) => boolean;
  /** Runs a call without side effects. Resolves to undefined for any other call, or if it takes too long. */
  tryOut: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutput | undefined>;
  /** Asks the user which reading is right. Resolves to its index in `readings`, or undefined if none is. Rejects when `signal` aborts. */
  choose: (
    readings: readonly RequestReading[],
    history: readonly Message[],
    signal: AbortSignal,
  ) => Promise<number | undefined>;
  by: AmbiguousRequest['by'];
}

export interface ResolveDoubtOptions extends UncertainCallOptions {
  isPossible: (call: ToolCall) => boolean;
  alsoRead?: (readings: readonly RequestReading[]) => RequestReading | undefined;
}

/** `stands`: use the first reply. `told`: we sent another reply. `nothing`: no call makes sense. `none-of-these`: the user chose none. */
export type DoubtOutcome =
  | { type: 'stands' | 'told' | 'nothing' }
  | { type: 'none-of-these'; doubt: AmbiguousRequest };

const retryTemperature = 1;
/** One seed per extra reply. They are constant, so replies are reproducible. Close seeds would give similar random numbers. */
const retrySeeds = Array.from({ length: 8 }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 0);
/** Number of replies to a request that the model is unsure of, with the first one. */
export const maxDoubtReplies = retrySeeds.length + 1;
/** Maximum number of possible meanings to offer to the user, who can compare three at a glance. */
const maxOfferedReadings = 3;

/** True if the reply ended as `ending` says, with calls or as prose (`stop`), and the model is unsure of this reply. */
export function isUnsure(
  { message, usage }: FinishEvent,
  ending: 'tool-calls' | 'stop',
  { thresholds }: Pick<UncertainCallOptions, 'thresholds'>,
): boolean {
  const minimum = message.finishReason === ending ? thresholds() : undefined;
  return minimum !== undefined && !isSureOfCalls(callsIn(message), usage.logProbability, minimum);
}

export function callsIn({ content }: AssistantMessage): ToolCall[] {
  return content.filter((part) => part.type === 'tool-call');
}

/** True if the model is sure of its calls, or sure that no call is needed. A reply without a log probability counts as sure. */
export function isSureOfCalls(
  calls: readonly Pick<ToolCall, 'name'>[],
  logProbability: number | undefined,
  { words, byTool, others }: CertaintyThresholds,
): boolean {
  if (logProbability === undefined) return true;
  if (calls.length === 0) return logProbability >= words;
  const minimum = calls.reduce((sum, { name }) => sum + (byTool[name] ?? others), 0);
  return logProbability >= minimum;
}

/** Asks the model again, because it was unsure. `first` is the finish event of the unsure reply, whose calls we still hold back. */
export async function* resolveDoubt(
  model: ChatModel,
  request: ReplyRequest,
  first: FinishEvent,
  options: ResolveDoubtOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, DoubtOutcome> {
  const finishes = [first];
  for (const seed of retrySeeds) {
    const again = { ...request, sampling: { temperature: retryTemperature, seed } };
    const finish = await waitForFinish(model.respond(again, signal));
    if (signal.aborted || !finish) {
      yield { ...first, message: stoppedReply };
      return { type: 'told' };
    }
    finishes.push(finish);
  }
  const { messages } = request;
  const replies = finishes.map(({ message }) => message);
  const drawn = await gatherReadings(replies, options, signal);
  const [commonest] = drawn;
  if (!commonest || isLikelySmallTalk(commonest, replies, options)) return { type: 'nothing' };
  if (commonest.votes === replies.length) return { type: 'stands' };
  const other = drawn.length < maxOfferedReadings ? options.alsoRead?.(drawn) : undefined;
  const readings = other ? [...drawn, other] : drawn;

  const chosen = await options.choose(readings, messages, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return 'stopped' as const;
  });
  if (chosen === 'stopped') {
    yield { ...first, message: stoppedReply };
    return { type: 'told' };
  }
  const doubt: AmbiguousRequest = {
    readings: readings.map(({ calls, votes }) => ({
      calls: calls.map(({ name, arguments: input }) => ({ name, arguments: input })),
      votes,
    })),
    replies: replies.length,
    by: options.by,
  };
  const reading = chosen === undefined ? undefined : readings[chosen];
  if (!reading) return { type: 'none-of-these', doubt };
  const finish = finishes.find(({ message }) => message === reading.message) ?? first;
  for (const part of reading.message.content) {
    if (part.type === 'text') yield { type: 'text-delta', text: part.text };
    if (part.type === 'tool-call') yield { type: 'tool-call', call: part };
  }
  yield { ...finish, message: { ...reading.message, doubt: { ...doubt, chosen } } };
  return { type: 'told' };
}

/** If at least this share of the replies is prose, we do not offer calls that send data elsewhere. */
const minProseShare = 1 / 3;

function isLikelySmallTalk(
  { calls }: RequestReading,
  replies: readonly AssistantMessage[],
  { staysHere }: Pick<UncertainCallOptions, 'staysHere'>,
): boolean {
  const inWords = replies.filter(({ content }) => content.every(({ type }) => type === 'text')).length;
  return inWords >= replies.length * minProseShare && !calls.every(staysHere);
}

const stoppedReply: AssistantMessage = { role: 'assistant', content: [], finishReason: 'aborted' };

export async function waitForFinish(reply: AsyncIterable<ModelEvent>): Promise<FinishEvent | undefined> {
  for await (const event of reply) if (event.type === 'finish') return event;
  return undefined;
}

/** Groups replies with equal calls or results: each group is a possible meaning of the request. Most common first. Drops failing calls. */
export async function gatherReadings(
  replies: readonly AssistantMessage[],
  { isPossible, tryOut }: Pick<ResolveDoubtOptions, 'isPossible' | 'tryOut'>,
  signal: AbortSignal,
): Promise<RequestReading[]> {
  const tried = new Map<string, Promise<ToolOutput | undefined>>();
  const outcomeOf = (call: ToolCall) => {
    const key = callKeyOf(call);
    const outcome = tried.get(key) ?? tryOut(call, signal);
    tried.set(key, outcome);
    return outcome;
  };
  const readings = new Map<string, RequestReading>();
  for (const message of replies) {
    const calls = callsIn(message);
    const isReadable = message.content.every(({ type }) => type !== 'invalid-tool-call');
    if (!isReadable || calls.length === 0 || !calls.every(isPossible)) continue;
    const outcomes = await Promise.all(calls.map(outcomeOf));
    if (outcomes.some((outcome) => outcome?.isError)) continue;
    const results = outcomes.map((outcome) => outcome && textOf(outcome.content));
    // Put two sums with the same result into the same group, because the user sees no difference between them.
    const key = calls.map((call, at) => `${call.name} ${results[at] ?? callKeyOf(call)}`).join('\n');
    const known = readings.get(key);
    readings.set(key, known ? { ...known, votes: known.votes + 1 } : { calls, message, votes: 1, results });
  }
  return [...readings.values()].sort((one, other) => other.votes - one.votes).slice(0, maxOfferedReadings);
}

function callKeyOf({ name, arguments: input }: ToolCall): string {
  return JSON.stringify([name, Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

const searchToolName = 'web_search';

/** Offers a web search as one more meaning of the request. Undefined for sums, without a search tool, or if `readings` has this search. */
export function createSearchReading(
  readings: readonly RequestReading[],
  history: readonly Message[],
  tools: readonly Pick<ToolSpec, 'name'>[],
  newId: () => string,
): RequestReading | undefined {
  const asked = findNewestQuestion(history) ?? '';
  const query = isPasted(asked) ? '' : searchQueryOf(asked);
  const calls = readings.flatMap((reading) => reading.calls);
  const isSum = calls.every(({ name }) => name === 'calculator');
  const isAmong = calls.some((call) => call.name === searchToolName && call.arguments['query'] === query);
  if (query === '' || isSum || isAmong || !tools.some(({ name }) => name === searchToolName))
    return undefined;
  const call: ToolCall = { type: 'tool-call', id: newId(), name: searchToolName, arguments: { query } };
  return {
    calls: [call],
    message: { role: 'assistant', content: [call], writer: pageWriterId, finishReason: 'tool-calls' },
    votes: 0,
    results: [undefined],
  };
}

/** Passes a reply on, except its end and the events that `isHeld` selects. Returns those. */
export async function* holdBackEvents(
  reply: AsyncIterable<ModelEvent>,
  isHeld: (event: ModelEvent) => boolean,
): AsyncGenerator<ModelEvent, { held: ModelEvent[]; end: FinishEvent | undefined }> {
  const held: ModelEvent[] = [];
  let end: FinishEvent | undefined;
  for await (const event of reply) {
    if (event.type === 'finish') end = event;
    else if (isHeld(event)) held.push(event);
    else yield event;
  }
  return { held, end };
}

export function isCallEvent({ type }: ModelEvent): boolean {
  return type === 'call-delta' || type === 'tool-call';
}

/** For sub-agents, which cannot ask the user: if the model is unsure of its calls, picks the likeliest ones and marks the reply. */
export function createDoubtStage(options: UncertainCallOptions): ModelStage {
  return {
    name: 'doubt',
    isActive: () => options.thresholds() !== undefined,
    async *wrapStream(request, signal, model) {
      if (!options.thresholds()) {
        yield* model.respond(request, signal);
        return;
      }
      const { held, end } = yield* holdBackEvents(model.respond(request, signal), isCallEvent);
      if (!end) return;
      if (request.toolChoice === 'auto' && isUnsure(end, 'tool-calls', options)) {
        const doubt = { ...options, isPossible: () => true };
        const settled = yield* resolveDoubt(model, request, end, doubt, signal);
        if (settled.type === 'told') return;
      }
      yield* [...held, end];
    },
  };
}

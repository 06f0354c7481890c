/**
 * Asks the small model again if it is not sure of its call. Lets the user choose among the model's interpretations of the request
 * ("readings"). Measurements: docs/decisions/2026-11-26-unsure.md.
 */
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

export interface RequestReading {
  calls: readonly ToolCall[];
  message: AssistantMessage;
  votes: number;
  /** The text result of each call, in the same order. Undefined if we did not try the call. */
  results: readonly (string | undefined)[];
}

export type FinishEvent = Extract<ModelEvent, { type: 'finish' }>;

export interface DoubtOptions {
  /** Below these log probabilities we ask the model again. Undefined if we never ask the current model again. */
  thresholds: () => CertaintyThresholds | undefined;
  staysHere: (call: ToolCall) => boolean;
  /** Runs a call without side effects. Resolves to undefined for any other call, or if it takes too long. */
  tryOut: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutput | undefined>;
  /** Resolves to the index of the chosen reading, or to undefined if the user chooses none. Rejects when `signal` aborts. */
  choose: (
    readings: readonly RequestReading[],
    history: readonly Message[],
    signal: AbortSignal,
  ) => Promise<number | undefined>;
  by: AmbiguousRequest['by'];
}

export interface ResolveDoubtOptions extends DoubtOptions {
  isPossible: (call: ToolCall) => boolean;
  alsoRead?: (readings: readonly RequestReading[]) => RequestReading | undefined;
}

/** `stands`: the first reply is right. `told`: we sent a reply. `nothing`: no call makes sense. `none-of-these`: the user rejected all. */
export type DoubtOutcome =
  | { type: 'stands' | 'told' | 'nothing' }
  | { type: 'none-of-these'; doubt: AmbiguousRequest };

const extraTemperature = 1;
/** One seed per extra reply. They are constant, so replies are reproducible. Close seeds would give similar random numbers. */
const extraSeeds = Array.from({ length: 8 }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 0);
/** Maximum number of readings to offer, so the user can compare them at a glance. */
const maxOfferedReadings = 3;

/** True if the reply ended like this, with calls or as prose (`stop`), and the model is unsure of it. */
export function isUnsure(
  { message, usage }: FinishEvent,
  ending: 'tool-calls' | 'stop',
  { thresholds }: Pick<DoubtOptions, 'thresholds'>,
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

/** Asks the model again. `first`: the end of the uncertain reply to `request`. We still hold back that reply's calls. */
export async function* resolveDoubt(
  model: ChatModel,
  request: ReplyRequest,
  first: FinishEvent,
  options: ResolveDoubtOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, DoubtOutcome> {
  const finishes = [first];
  for (const seed of extraSeeds) {
    const again = { ...request, sampling: { temperature: extraTemperature, seed } };
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
  { staysHere }: Pick<DoubtOptions, 'staysHere'>,
): boolean {
  const inWords = replies.filter(({ content }) => content.every(({ type }) => type === 'text')).length;
  return inWords >= replies.length * minProseShare && !calls.every(staysHere);
}

const stoppedReply: AssistantMessage = { role: 'assistant', content: [], finishReason: 'aborted' };

async function waitForFinish(reply: AsyncIterable<ModelEvent>): Promise<FinishEvent | undefined> {
  for await (const event of reply) if (event.type === 'finish') return event;
  return undefined;
}

/** Groups replies with the same calls or results into readings, the most common first. Drops replies whose calls fail. */
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
    // Two sums with the same result are one reading: the user sees no difference.
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

/** A web search for the question itself. Undefined if a search is impossible, already a reading, or useless for sums. */
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

/** A sub-agent cannot ask the user, so this stage takes the most common reading and marks the reply as unsure. */
export function createDoubtStage(options: DoubtOptions): ModelStage {
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

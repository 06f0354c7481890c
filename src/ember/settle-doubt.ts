/**
 * What is done where a model is not sure of its call: it is asked some more times, and of the ways in which it then reads the request one
 * is chosen. A wrong call is nearly always an unsure one, and the right one is mostly among its commonest.
 * Why, in figures: docs/decisions/2026-11-26-unsure.md.
 */
import type { AssistantMessage, Message, ToolCall } from '../contracts/message';
import type { ChatModel, ModelEvent, ReplyRequest } from '../contracts/model';
import type { Doubt, Thresholds } from '../contracts/reading';
import { gatherReadings, type GatherOptions, mostReadings, type Reading } from './gather-readings';
import { isSure } from './is-sure';

export type Finish = Extract<ModelEvent, { type: 'finish' }>;

export interface DoubtOptions extends Pick<GatherOptions, 'tryOut'> {
  /** Of what answers at this moment. Undefined where that is never asked again. */
  thresholds: () => Thresholds | undefined;
  /** Whether a call would send nothing anywhere. */
  staysHere: (call: ToolCall) => boolean;
  /**
   * Resolves to the place of the reading that is gone on with; undefined where it is none of them. Rejects when `signal` aborts.
   */
  choose: (
    readings: readonly Reading[],
    history: readonly Message[],
    signal: AbortSignal,
  ) => Promise<number | undefined>;
  by: Doubt['by'];
}

interface SettleOptions extends DoubtOptions, Pick<GatherOptions, 'isPossible'> {
  /** One more, where fewer than can be shown were drawn. */
  alsoRead?: (readings: readonly Reading[], request: ReplyRequest) => Reading | undefined;
}

/** What came of it: the reply stands, one was told in its place, nothing can be meant, or the person meant something else. */
export type Settled = { type: 'stands' | 'told' | 'nothing' } | { type: 'none-of-these'; doubt: Doubt };

/** Replies that are drawn beside the first, each as likely as it is to the model. */
const drawn = 8;
const temperature = 1;
/** Far from each other, since dice that begin at numbers near one another fall alike; the same each time, so that the replies are. */
const seeds = Array.from({ length: drawn }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 0);

/** Whether it makes calls that had better not be run as they are. */
export function isInDoubt(finish: Finish, options: Pick<DoubtOptions, 'thresholds'>): boolean {
  return finish.message.finishReason === 'tool-calls' && isBelow(finish, options);
}

/** Whether it is in words, where a call may have been meant. */
export function mayMeanCall(finish: Finish, options: Pick<DoubtOptions, 'thresholds'>): boolean {
  return finish.message.finishReason === 'stop' && isBelow(finish, options);
}

function isBelow({ message, usage }: Finish, { thresholds }: Pick<DoubtOptions, 'thresholds'>): boolean {
  const least = thresholds();
  const calls = message.content.filter((part) => part.type === 'tool-call');
  return least !== undefined && !isSure(calls, usage.logProbability, least);
}

/** `first` is the reply in doubt to `request`, of which nothing was told yet. */
export async function* settleDoubt(
  model: ChatModel,
  request: ReplyRequest,
  first: Finish,
  options: SettleOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, Settled> {
  const finishes = [first];
  for (const seed of seeds) {
    const finish = await finishOf(model, { ...request, sampling: { temperature, seed } }, signal);
    if (signal.aborted || !finish) {
      yield { ...first, message: stopped };
      return { type: 'told' };
    }
    finishes.push(finish);
  }
  const { messages } = request;
  const replies = finishes.map(({ message }) => message);
  const drawnReadings = await gatherReadings(replies, messages, options, signal);
  const [commonest] = drawnReadings;
  if (!commonest || isRatherTalk(commonest, replies, options)) return { type: 'nothing' };
  if (commonest.votes === replies.length) return { type: 'stands' };
  const other = drawnReadings.length < mostReadings ? options.alsoRead?.(drawnReadings, request) : undefined;
  const readings = other ? [...drawnReadings, other] : drawnReadings;

  const chosen = await options.choose(readings, messages, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return 'stopped' as const;
  });
  if (chosen === 'stopped') {
    yield { ...first, message: stopped };
    return { type: 'told' };
  }
  const doubt: Doubt = {
    readings: readings.map(({ calls, votes }) => ({ calls: calls.map(bare), votes })),
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

/** Of the replies, so many in words and more: a call that sends something elsewhere is not even offered. */
const talk = 1 / 3;

/** Small talk that was nearly taken for a search. */
function isRatherTalk(
  { calls }: Reading,
  replies: readonly AssistantMessage[],
  { staysHere }: Pick<DoubtOptions, 'staysHere'>,
): boolean {
  const inWords = replies.filter(({ content }) => content.every(({ type }) => type === 'text')).length;
  return inWords >= replies.length * talk && !calls.every(staysHere);
}

function bare({ name, arguments: input }: ToolCall): Doubt['readings'][number]['calls'][number] {
  return { name, arguments: input };
}

/** By the person, before anything of it was told. */
const stopped: AssistantMessage = { role: 'assistant', content: [], finishReason: 'aborted' };

async function finishOf(
  model: ChatModel,
  request: ReplyRequest,
  signal: AbortSignal,
): Promise<Finish | undefined> {
  for await (const event of model.respond(request, signal)) {
    if (event.type === 'finish') return event;
  }
  return undefined;
}

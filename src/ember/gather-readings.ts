/** Makes of several replies to one request the ways in which they read it. */
import type { AssistantMessage, Message, ToolCall } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import type { ToolOutput } from '../contracts/tool';

/** One way to read a request. */
export interface Reading {
  calls: readonly ToolCall[];
  /** The first reply that read it so. */
  message: AssistantMessage;
  /** How many replies did. */
  votes: number;
  /** What came of each call, as text, where it touches nothing; undefined where it was not tried. In the order of the calls. */
  results: readonly (string | undefined)[];
}

/** A person compares no more at a glance. */
export const mostReadings = 3;

export interface GatherOptions {
  /** Whether a call can be meant at all. */
  isPossible: (call: ToolCall, history: readonly Message[]) => boolean;
  /** What comes of a call that touches nothing; undefined of any other, and of one that takes too long. */
  tryOut: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutput | undefined>;
}

/** The commonest first, the first reply's before others that are as common. A call that would fail is none. */
export async function gatherReadings(
  replies: readonly AssistantMessage[],
  history: readonly Message[],
  { isPossible, tryOut }: GatherOptions,
  signal: AbortSignal,
): Promise<Reading[]> {
  const tried = new Map<string, Promise<ToolOutput | undefined>>();
  const outcomeOf = (call: ToolCall) => {
    const key = keyOf(call);
    const outcome = tried.get(key) ?? tryOut(call, signal);
    tried.set(key, outcome);
    return outcome;
  };
  const readings = new Map<string, Reading>();
  for (const message of replies) {
    const calls = callsIn(message);
    if (!calls?.every((call) => isPossible(call, history))) continue;
    const outcomes = await Promise.all(calls.map(outcomeOf));
    if (outcomes.some((outcome) => outcome?.isError)) continue;
    const results = outcomes.map((outcome) => outcome && textOf(outcome.content));
    // Two sums that come to the same are one to whoever asked.
    const key = calls.map((call, at) => `${call.name} ${results[at] ?? keyOf(call)}`).join('\n');
    const known = readings.get(key);
    readings.set(key, known ? { ...known, votes: known.votes + 1 } : { calls, message, votes: 1, results });
  }
  return [...readings.values()].sort((one, other) => other.votes - one.votes).slice(0, mostReadings);
}

/** Undefined where it calls nothing, or something that cannot be read. */
function callsIn({ content }: AssistantMessage): ToolCall[] | undefined {
  const calls = content.filter((part) => part.type === 'tool-call');
  const isReadable = content.every(({ type }) => type !== 'invalid-tool-call');
  return isReadable && calls.length > 0 ? calls : undefined;
}

function keyOf({ name, arguments: input }: ToolCall): string {
  return JSON.stringify([name, Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1))]);
}

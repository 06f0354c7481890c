/**
 * Makes sure that a turn with a result ends with an answer. If the model wrote none, the page tells the results. If its answer leaves the
 * value of the last result out, the page adds it: a small model says `Sure. What is 18% of 350?` with the sum in front of it.
 */
import type { Message, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import type { ToolSpec } from '../contracts/tool';
import type { TurnEnd } from '../contracts/turn';
import { isSameNumber, numbersIn } from '../text/numbers';
import { answeredCallsIn, isGoingInCircles } from './turn-guard';

/** Writes the results at the end of `history` as an answer. Undefined if it has no sentence for them. */
export type TellResults = (history: readonly Message[]) => string | undefined;

/** After these ends, the turn needs no answer: the user ended it, or can ask again. */
const endsWithoutAnswer: ReadonlySet<TurnEnd> = new Set(['stopped', 'failed', 'steered']);

/** Returns what the page must add to the turn. Undefined if the model's answer is enough. `turn` begins with the user's message. */
export function findMissingAnswer(
  turn: readonly Message[],
  end: TurnEnd,
  { tools, tell }: { tools: readonly ToolSpec[]; tell: TellResults },
): string | undefined {
  if (endsWithoutAnswer.has(end)) return undefined;
  const made = answeredCallsIn(turn).filter(({ result }) => result.isRepeated !== true);
  if (made.length === 0) return undefined;
  const answer = turn
    .slice(turn.findLastIndex(({ role }) => role === 'tool') + 1)
    .flatMap((message) => (message.role === 'assistant' ? textOf(message.content) : []))
    .join('\n');
  if (answer.trim() === '') return tellAll(turn, made, tell);
  if (end !== 'answered') return undefined;
  const isReading = (name: string) =>
    tools.some((tool) => tool.name === name && tool.annotations?.readOnlyHint === true);
  const values = made.filter(({ call, result }) => isReading(call.name) && !result.isError);
  // After calls that led nowhere, the last result is no better than the others.
  const asked = isGoingInCircles(turn.slice(0, turn.findLastIndex(({ role }) => role === 'tool') + 1));
  const wanted = asked ? values : values.slice(-1);
  const isLeftOut = wanted.length > 0 && wanted.every(({ result }) => leavesOut(answer, result));
  const told = isLeftOut ? tellAll(turn, wanted.slice(0, 1), tell) : undefined;
  // The prompt of the next turn joins it to the model's words.
  return told && `\n\n${told}`;
}

/** Tells results as if the model had asked for all of them in one reply. */
function tellAll(
  [request]: readonly Message[],
  made: ReturnType<typeof answeredCallsIn>,
  tell: TellResults,
): string | undefined {
  if (!request) return undefined;
  const calls = made.map(({ call }) => call);
  const results = made.map(({ result }) => result);
  const said = tell([
    request,
    { role: 'assistant', content: calls, finishReason: 'tool-calls' },
    { role: 'tool', results },
  ]);
  return said ?? quoteLast(results);
}

const maxQuotedCharacters = 1_000;

function quoteLast(results: readonly ToolResult[]): string | undefined {
  const last = results.findLast(({ isError }) => !isError) ?? results.at(-1);
  const text = last ? textOf(last.content).trim() : '';
  if (text === '') return undefined;
  return text.length > maxQuotedCharacters ? `${text.slice(0, maxQuotedCharacters)} …` : text;
}

/** A longer result is a text to read. An answer need not repeat it. */
const maxValueCharacters = 80;

/** True if the result is a short line with a number, and the answer has none of its numbers and words. */
function leavesOut(answer: string, { content }: ToolResult): boolean {
  const [first] = content;
  const value = first?.type === 'text' ? first.text.trim() : '';
  const numbers = numbersIn(value);
  if (value.length > maxValueCharacters || value.includes('\n') || numbers.length === 0) return false;
  const said = numbersIn(answer);
  const words = value.match(/\p{L}{3,}/gu) ?? [];
  const lower = answer.toLowerCase();
  return (
    !numbers.some((number) => said.some((one) => isSameNumber(one, number))) &&
    !words.some((word) => lower.includes(word.toLowerCase()))
  );
}

/**
 * A reading that no model has to think of: a question can be searched for as it stands. A very small model looks at the clock for what has
 * a `now` in it, and leaves out of a search what would have found the answer.
 */
import { type Message, pageWriter, type ToolCall } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import type { ToolSpec } from '../contracts/tool';
import { isPasted } from './is-pasted';
import { queryOf } from './query-of';
import type { Reading } from './gather-readings';

const search = 'web_search';

/** Undefined where nothing can be searched for, or it is among the readings. A sum is worked out, and not searched for. */
export function readAsSearch(
  readings: readonly Reading[],
  history: readonly Message[],
  tools: readonly Pick<ToolSpec, 'name'>[],
  newId: () => string,
): Reading | undefined {
  const last = history.at(-1);
  const asked = last?.role === 'user' ? textOf(last.content) : '';
  const query = isPasted(asked) ? '' : queryOf(asked);
  const calls = readings.flatMap((reading) => reading.calls);
  const isSum = calls.every(({ name }) => name === 'calculator');
  const isAmong = calls.some(({ name, arguments: given }) => name === search && given['query'] === query);
  if (query === '' || isSum || isAmong || !tools.some(({ name }) => name === search)) return undefined;
  const call: ToolCall = { type: 'tool-call', id: newId(), name: search, arguments: { query } };
  return {
    calls: [call],
    message: { role: 'assistant', content: [call], writer: pageWriter, finishReason: 'tool-calls' },
    votes: 0,
    results: [undefined],
  };
}

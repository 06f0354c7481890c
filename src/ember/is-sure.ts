/** PURE: whether a model was sure enough of its calls that they can simply be run, or that none was meant. */
import type { ToolCall } from '../contracts/message';
import type { Thresholds } from '../contracts/reading';

/** `logProbability` is that of the whole reply; a model that cannot tell counts as sure. */
export function isSure(
  calls: readonly Pick<ToolCall, 'name'>[],
  logProbability: number | undefined,
  { words, byTool, others }: Thresholds,
): boolean {
  if (logProbability === undefined) return true;
  if (calls.length === 0) return logProbability >= words;
  // Each call adds its tokens to the sum.
  const least = calls.reduce((sum, { name }) => sum + (byTool[name] ?? others), 0);
  return logProbability >= least;
}

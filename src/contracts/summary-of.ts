/** What stands for the beginning of a branch. Apart, as typing does without it. */
import type { MessageNode } from './chat';
import type { BranchSummary } from './summary';

/** Of a branch, the oldest first: each stands for all that those before it stood for, so the last one counts. */
export function summariesOf(branch: readonly MessageNode[]): BranchSummary[] {
  return branch.flatMap(({ summary }, at) => (summary ? [{ ...summary, messages: at + 1 }] : []));
}

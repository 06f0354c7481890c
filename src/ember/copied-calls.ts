/** What a call must be, whichever the model chooses: what the newest request spells out is copied, not made up. */
import type { Message } from '../contracts/message';
import type { ReplyRequest } from '../contracts/model';
import { textOf } from '../contracts/text-of';
import type { ToolSpec } from '../contracts/tool';
import { readOnlySum } from '../text/arithmetic';
import { isPasted } from './is-pasted';

/** Undefined where the model writes every call itself. */
export function copiedCalls(
  history: readonly Message[],
  tools: readonly Pick<ToolSpec, 'name'>[],
): ReplyRequest['copied'] {
  const last = history.at(-1);
  const request = last?.role === 'user' ? textOf(last.content) : '';
  if (!tools.some(({ name }) => name === 'calculator') || isPasted(request)) return undefined;
  const expression = readOnlySum(request);
  return expression === undefined ? undefined : { calculator: { expression } };
}

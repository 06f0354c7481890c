/** Answers calls that were left behind: what changes nothing is run again, what may have changed something is not. */
import type { InvalidToolCall, ToolCall, ToolResult } from '../contracts/message';
import { failure } from './failure';
import { asksAgent, changesSomething, resolveCall } from './resolve-call';
import type { Replay } from './replay';
import { type CallOptions, runToolCall } from './run-tool-call';

/** A sub-agent goes on where it was, one after the other: there is one model. In a replay none was left behind: what is not known is made. */
export function rerunCalls(
  calls: readonly (ToolCall | InvalidToolCall)[],
  options: CallOptions,
  replay?: Replay,
): Promise<ToolResult[]> {
  let lastAgent: Promise<unknown> = Promise.resolve();
  return Promise.all(
    calls
      .map((call) => resolveCall(call, options.tools))
      .map((resolved) => {
        const known = replay?.resultOf(resolved.call.id);
        if (known) {
          options.emit({ type: 'tool-result', result: known });
          return Promise.resolve(known);
        }
        if (changesSomething(resolved) && !replay) return answerUnknown(resolved.call, options);
        if (!asksAgent(resolved)) return runToolCall(resolved, options);
        const result = lastAgent.then(() => runToolCall(resolved, options));
        lastAgent = result;
        return result;
      }),
  );
}

function answerUnknown(call: ToolCall | InvalidToolCall, { emit }: CallOptions): Promise<ToolResult> {
  const output = failure(
    'Interrupted. It is not known whether this was done: ask the person before doing it again.',
    'interrupted',
  );
  const result = { toolCallId: call.id, toolName: call.name ?? 'unknown', ...output };
  emit({ type: 'tool-result', result });
  return Promise.resolve(result);
}

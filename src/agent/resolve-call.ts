/**
 * Looks up the tool and the effects of a call, once for the queue, the interceptors and the run. Also the results of calls that fail
 * before they start.
 */
import type { InvalidToolCall, ToolCall } from '../contracts/message';
import type { Tool, ToolEffects, ToolOutput } from '../contracts/tool';
import type { ToolFailure } from '../contracts/tool-failure';

export type ResolvedCall =
  | { type: 'runnable'; call: ToolCall; tool: Tool; effects: ToolEffects }
  /** Cannot run. `answer` tells the model why. */
  | { type: 'answered'; call: ToolCall | InvalidToolCall; answer: ToolOutput };

export function resolveCall(call: ToolCall | InvalidToolCall, tools: readonly Tool[]): ResolvedCall {
  if (call.type === 'invalid-tool-call') {
    return { type: 'answered', call, answer: failure(call.reason, 'arguments') };
  }
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ');
    const known = names ? `There are: ${names}.` : 'No tool is on.';
    const answer = failure(`There is no tool "${call.name}". ${known}`, 'no-such-tool');
    return { type: 'answered', call, answer };
  }
  try {
    return { type: 'runnable', call, tool, effects: tool.effects(call.arguments) };
  } catch (error) {
    return { type: 'answered', call, answer: brokenDown(error) };
  }
}

/** Whether the call waits for the end of the reply and all earlier calls, and later calls wait for it. */
export function runsAlone(resolved: ResolvedCall): boolean {
  return changesSomething(resolved) || asksAgent(resolved);
}

/** Whether the call needs the page's only model to answer it. */
export function asksAgent(resolved: ResolvedCall): boolean {
  return resolved.type === 'runnable' && resolved.effects.type === 'agent';
}

export function changesSomething(resolved: ResolvedCall): boolean {
  return resolved.type === 'runnable' && resolved.effects.type === 'side-effect';
}

export function failure(text: string, failure: ToolFailure = 'failed'): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true, failure };
}

/** A bug in a tool or interceptor must not leave a call unanswered. */
export function brokenDown(error: unknown): ToolOutput {
  return failure(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
}

/** Results for calls that failed before they returned anything: sentences that the model can act on. */
import type { ToolOutput } from '../contracts/tool';
import type { ToolFailure } from '../contracts/tool-failure';

export function failure(text: string, failure: ToolFailure = 'failed'): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true, failure };
}

/** A bug in a tool or interceptor must not leave a call unanswered. */
export function brokenDown(error: unknown): ToolOutput {
  return failure(`The tool failed: ${error instanceof Error ? error.message : String(error)}`);
}

/**
 * Runs the calls of one reply in the right order. Every call gets a result. Calls that change nothing run concurrently, as soon as they
 * are written. A call that changes something, or asks a sub-agent, waits for the end of the reply and for all earlier calls, and later
 * calls wait for it.
 */
import type { InvalidToolCall, ToolCall, ToolResult } from '../contracts/message';
import { type CallOptions, resolveCall, runsAlone, runToolCall } from './run-tool-call';

export interface CallQueue {
  add(call: ToolCall | InvalidToolCall): void;
  /** Marks the reply as complete, so that calls with side effects may run. Resolves to the results in the order of the calls. */
  finish(): Promise<ToolResult[]>;
}

export function createCallQueue(options: CallOptions): CallQueue {
  const results: Promise<ToolResult>[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let lastChange: Promise<unknown> = Promise.resolve();

  return {
    add(call) {
      const resolved = resolveCall(call, options.tools);
      const isAlone = runsAlone(resolved);
      const before = isAlone ? Promise.all([released, ...results]) : lastChange;
      const result = before.then(() => runToolCall(resolved, options));
      results.push(result);
      if (isAlone) lastChange = result;
    },
    finish() {
      release();
      return Promise.all(results);
    },
  };
}

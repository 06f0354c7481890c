/** Counts what comes of each tool's calls. Innermost, so that it counts only those that ran, and how long they did. */
import type { Interceptor } from '../../contracts/turn';
import type { ToolCall } from '../../contracts/message';
import type { ToolStatistics } from '../../contracts/tool';

/** `record` is given what one call adds. `now` in milliseconds, from any start. */
export function createCallStatistics(
  record: (added: ToolStatistics) => void,
  now: () => number,
): Interceptor {
  const started = new WeakMap<ToolCall, number>();
  return {
    before(call) {
      started.set(call, now());
      return Promise.resolve('go');
    },
    after(call, output) {
      record({
        name: call.name,
        calls: 1,
        failures: output.isError ? 1 : 0,
        repairs: call.repairs?.length ? 1 : 0,
        totalMs: now() - (started.get(call) ?? now()),
      });
      return Promise.resolve(output);
    },
  };
}

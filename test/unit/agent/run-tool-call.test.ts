/** The timeouts of one call, as a remote tool uses it: with progress, questions to the user, and Stop. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../../src/contracts/turn';
import type { Tool, ToolContext, ToolOutput } from '../../../src/contracts/tool';
import { resolveCall, runToolCall } from '../../../src/agent/run-tool-call';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const done: ToolOutput = {
  content: [{ type: 'text', text: 'Done.' }],
  isError: false,
  origins: [{ door: 'hearth' }],
};
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function run(execute: (context: ToolContext) => Promise<ToolOutput>, signal = new AbortController().signal) {
  const tool: Tool = {
    name: 'remote',
    title: 'Remote',
    description: '',
    inputSchema: {},
    effects: () => ({ type: 'remote', server: 'Notes', serverId: 'server', host: 'mcp.example.org' }),
    execute: (_input, context) => execute(context),
  };
  const events: AgentEvent[] = [];
  const call = { type: 'tool-call' as const, id: 'c', name: 'remote', arguments: {} };
  const result = runToolCall(resolveCall(call, { tools: [tool] }), {
    tools: [tool],
    interceptors: [],
    messages: [],
    promptOrigins: [],
    signal,
    date: Date.now,
    callMs: 1_000,
    longestCallMs: 5_000,
    emit: (event) => events.push(event),
  });
  const said = () => events.flatMap((event) => (event.type === 'tool-progress' ? [event.text] : []));
  return { result, said };
}

/** Runs for this number of steps and reports progress after each. */
const steps = (count: number) => async (context: ToolContext) => {
  for (let step = 1; step <= count; step++) {
    await pause(900);
    context.onProgress(`${step}`);
  }
  return done;
};

test('a tool call without progress times out', async () => {
  const { result } = run(() => pause(60_000).then(() => done));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await result).toMatchObject({
    isError: true,
    failure: 'time-limit',
    content: [{ text: 'No answer within 1 s.' }],
    timing: { durationMs: 1_000 },
    origins: [{ door: 'hearth' }],
  });
});

test('a tool call that reports progress does not time out', async () => {
  const { result, said } = run(steps(5));
  await vi.advanceTimersByTimeAsync(4_500);
  expect(await result).toMatchObject({ ...done, timing: { durationMs: 4_500 } });
  expect(said()).toEqual(['1', '2', '3', '4', '5']);
});

test('a tool call that reports progress still times out at the total limit', async () => {
  const { result } = run(steps(100));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await result).toMatchObject({
    failure: 'time-limit',
    content: [{ text: 'No answer within 5 s.' }],
    timing: { durationMs: 5_000 },
  });
});

test("waiting for the user's answer does not count towards a tool call's time limit", async () => {
  const { result } = run(async ({ whileAsking }) => {
    await whileAsking?.(() => pause(600_000));
    await pause(900);
    return done;
  });
  await vi.advanceTimersByTimeAsync(600_900);
  expect(await result).toMatchObject(done);
  expect(vi.getTimerCount()).toBe(0);
});

test("Stop ends a tool call, even while it waits for the user's answer", async () => {
  const stop = new AbortController();
  const { result } = run(
    ({ whileAsking }) => whileAsking!(() => new Promise<never>(() => undefined)),
    stop.signal,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  stop.abort();
  expect(await result).toMatchObject({ failure: 'stopped' });
  expect(vi.getTimerCount()).toBe(0);
});

test('progress reported after the end of a tool call is ignored', async () => {
  let late: ToolContext | undefined;
  const { result, said } = run(async (context) => {
    late = context;
    return done;
  });
  await result;
  late?.onProgress('Still here');
  expect(said()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

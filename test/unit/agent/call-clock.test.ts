/** The timeouts of a call: progress restarts the first one, up to a total limit, and a question to the user stops the clock. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startCallTimer } from '../../../src/agent/run-tool-call';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const start = () => startCallTimer(1_000, 5_000, Date.now);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Returns a task that runs until `end` is called. */
function held() {
  let end: () => void = () => undefined;
  const work = new Promise<void>((resolve) => (end = resolve));
  return { work: () => work, end: () => end() };
}

test('a tool call without progress times out', async () => {
  const { signal } = start();
  await pass(999);
  expect(signal.aborted).toBe(false);
  await pass(1);
  expect(signal.aborted).toBe(true);
});

test('each progress report restarts the timeout of a tool call, up to the total limit', async () => {
  const { signal, restart } = start();
  for (let ms = 0; ms < 4_500; ms += 900) {
    await pass(900);
    restart();
  }
  expect(signal.aborted).toBe(false);
  await pass(499);
  expect(signal.aborted).toBe(false);
  restart();
  await pass(1);
  expect(signal.aborted).toBe(true);
});

test('a tool call that stops reporting progress times out before the total limit', async () => {
  const { signal, restart } = start();
  await pass(900);
  restart();
  await pass(1_000);
  expect(signal.aborted).toBe(true);
});

test('the timeout of a tool call pauses during a question to the user and then restarts', async () => {
  const { signal, whileAsking, restart } = start();
  const question = held();
  await pass(900);
  const asking = whileAsking(question.work);
  await pass(1e7);
  restart();
  await pass(1e7);
  expect(signal.aborted).toBe(false);
  question.end();
  await asking;
  await pass(999);
  expect(signal.aborted).toBe(false);
  await pass(1);
  expect(signal.aborted).toBe(true);
});

test('time before a question to the user counts towards the total time limit of a tool call', async () => {
  const { signal, whileAsking, restart } = start();
  for (let ms = 0; ms < 3_600; ms += 900) {
    await pass(900);
    restart();
  }
  const question = held();
  const asking = whileAsking(question.work);
  await pass(60_000);
  question.end();
  await asking;
  await pass(900);
  restart();
  await pass(499);
  expect(signal.aborted).toBe(false);
  await pass(1);
  expect(signal.aborted).toBe(true);
});

test('with two open questions to the user, the timeout resumes after the last answer', async () => {
  const { signal, whileAsking } = start();
  const [first, second] = [held(), held()];
  const asking = [whileAsking(first.work), whileAsking(second.work)];
  first.end();
  await asking[0];
  await pass(60_000);
  expect(signal.aborted).toBe(false);
  second.end();
  await asking[1];
  await pass(1_000);
  expect(signal.aborted).toBe(true);
});

test('the timeout of a tool call resumes after a question to the user fails', async () => {
  const { signal, whileAsking } = start();
  await expect(whileAsking(() => Promise.reject(new Error('No')))).rejects.toThrow('No');
  await pass(1_000);
  expect(signal.aborted).toBe(true);
  expect(await whileAsking(async () => 'yes')).toBe('yes');
});

test('the timer of a finished tool call never times out, even with an open question', async () => {
  const clock = start();
  clock.end();
  const asked = start();
  const question = held();
  const asking = asked.whileAsking(question.work);
  asked.end();
  question.end();
  await asking;
  expect(vi.getTimerCount()).toBe(0);
  await pass(60_000);
  expect([clock.signal.aborted, asked.signal.aborted]).toEqual([false, false]);
});

test('a progress report does not restart the timer of a finished tool call', () => {
  const { restart, end } = start();
  end();
  restart();
  expect(vi.getTimerCount()).toBe(0);
});

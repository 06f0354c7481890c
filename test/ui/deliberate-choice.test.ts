/** Presses in a browser that does not count taps: every click has detail 1. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeliberateChoice } from '../../src/ui/permissions/deliberate-choice.svelte';

const chosen: string[] = [];
let choice: DeliberateChoice<string>;
let end: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  chosen.length = 0;
  choice = new DeliberateChoice((answer) => chosen.push(answer));
  end = choice.watchVisibility();
  await vi.advanceTimersByTimeAsync(2000);
  expect(choice.canAnswer).toBe(true);
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

/** Sets the `timeStamp` of an event. */
function press(answer: string, timeStamp: number, detail = 1): void {
  const down = new PointerEvent('pointerdown');
  Object.defineProperty(down, 'timeStamp', { value: timeStamp });
  document.dispatchEvent(down);
  choice.press(answer);
  choice.click(answer, { isTrusted: true, detail } as MouseEvent);
}

test('a permission answer is chosen a moment after a single press', async () => {
  press('once', 10_000);
  expect(chosen).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  expect(chosen).toEqual(['once']);
});

test.for([
  { what: 'on the same answer', second: 'once' },
  { what: 'on another answer', second: 'always' },
])('two quick presses on permission answers cancel each other: second press $what', async ({ second }) => {
  press('once', 10_000);
  await vi.advanceTimersByTimeAsync(200);
  press(second, 10_200);
  await vi.advanceTimersByTimeAsync(2000);
  expect(chosen).toEqual([]);
  expect(choice.pendingChoice).toBeUndefined();
});

test('three fast presses on a permission answer choose nothing', async () => {
  press('once', 10_000);
  press('once', 10_150);
  press('once', 10_300);
  await vi.advanceTimersByTimeAsync(2000);
  expect(chosen).toEqual([]);
});

test('a key press cancels a permission answer that is still pending', async () => {
  press('once', 10_000);
  choice.click('always', { isTrusted: true, detail: 0 } as MouseEvent);
  await vi.advanceTimersByTimeAsync(2000);
  expect(chosen).toEqual([]);
});

test('after a pause, the next press on a permission answer counts again', async () => {
  press('once', 10_000);
  press('once', 10_100);
  await vi.advanceTimersByTimeAsync(1000);
  press('chat', 11_100);
  await vi.advanceTimersByTimeAsync(300);
  expect(chosen).toEqual(['chat']);
});

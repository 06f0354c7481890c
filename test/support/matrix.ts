/**
 * Selects tests, so that `npm test` is fast enough to run before every commit. `npm run verify`, which CI runs, adds slow tests, and
 * `npm run test:all` adds every case of the long tables, most of which run the whole app.
 */
import { test } from 'vitest';

/** Some tests also use this to decide whether to continue offline: in `npm test`, only main-job.test.ts does. */
export const takesAll = import.meta.env['HEARTH_TESTS'] === 'all';
export const takesSlow = takesAll || import.meta.env['HEARTH_TESTS'] === 'slow';

/** Returns the first case and every `step`-th after it, or all cases. */
export function everyNth<Case>(step: number, cases: readonly Case[]): readonly Case[] {
  return takesAll ? cases : cases.filter((_, place) => place % step === 0);
}

/** A test that takes long: `npm test` leaves it out. Keep a fast test of the same part where you can. */
export const slow = test.runIf(takesSlow);

/** A test that only runs in `npm run test:all`, because another test in its file covers nearly the same path. */
export const thorough = test.runIf(takesAll);

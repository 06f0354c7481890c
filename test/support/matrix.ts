/**
 * Selects from many similar cases, most of which run the whole app. `npm test` runs a fixed part of them, so it is fast enough to run
 * before every commit. `npm run test:all` runs all.
 */
import { test } from 'vitest';

/** Some tests also use this to decide whether to continue offline: in `npm test`, only main-job.test.ts does. */
export const takesAll = import.meta.env['HEARTH_TESTS'] === 'all';

/** Returns the first case and every `step`-th after it, or all cases. */
export function everyNth<Case>(step: number, cases: readonly Case[]): readonly Case[] {
  return takesAll ? cases : cases.filter((_, place) => place % step === 0);
}

/** A test that only runs in `npm run test:all`, because another test in its file covers nearly the same path. */
export const thorough = test.runIf(takesAll);

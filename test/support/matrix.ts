/**
 * Many cases of one kind, most of them driven through the whole app. `npm test` takes a part of them, always the same, so that it stays short
 * enough to be run before every commit. `npm run test:all` takes them all.
 */
import { test } from 'vitest';

/** Tests also ask it where they would go on without a network: main-job.test.ts shows that in `npm test`. */
export const takesAll = import.meta.env['HEARTH_TESTS'] === 'all';

/** The first case, and every so many behind it; or all of them. */
export function everyNth<Case>(step: number, cases: readonly Case[]): readonly Case[] {
  return takesAll ? cases : cases.filter((_, place) => place % step === 0);
}

/** A test of `npm run test:all` alone: of a way most of which another one in its file goes. */
export const thorough = test.runIf(takesAll);

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariantsIn, writeInvariants } from '../../../scripts/list-invariants.js';

test('docs/invariants.md lists every invariant test; `npm run docs` regenerates it', () => {
  expect(readFileSync('docs/invariants.md', 'utf8')).toBe(writeInvariants());
});

test('every invariant is short, and no two are the same', () => {
  const lines = writeInvariants().match(/^- .+(?= \()/gm) ?? [];
  expect(lines.length).toBeGreaterThan(70);
  expect(new Set(lines).size).toBe(lines.length);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(120);
});

test('an invariant is listed without the name of its test case', () => {
  const text = `test.for(cases)('invariant: nothing is lost: $name', run); test("invariant: a’s b", run);`;
  expect(invariantsIn(text)).toEqual(['Nothing is lost', 'A’s b']);
});

test('an invariant title is rejected if a placeholder comes before its last colon', () => {
  expect(() => invariantsIn(`test.for(cases)('invariant: $name is kept', run);`)).toThrow(
    'after the last colon',
  );
});

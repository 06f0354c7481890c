/** Reads the sums of bench/sums without a model. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeRequests } from '../../../bench/sums/sums';
import { findArgumentsIn } from '../../../src/ember/page-stage';
import { calculate } from '../../../src/tools/builtin/calculator/calculate';
import { readRequestedSum } from '../../../src/text/arithmetic';
import { slow } from '../../support/matrix';

const calculator = [{ name: 'calculator' }];
const asked = (text: string) => [
  {
    role: 'user' as const,
    content: [{ type: 'text' as const, text }],
    origins: [{ door: 'typed' as const }],
  },
];

test('each of 500 generated requests for a sum leads to the expected calculator call', () => {
  const requests = writeRequests(25);
  expect(requests).toHaveLength(500);
  for (const { text, expression } of requests) {
    expect(findArgumentsIn(asked(text), calculator), text).toEqual({ calculator: { expression } });
    expect([undefined, expression], text).toContain(readRequestedSum(text));
    expect(calculate(expression).ok, expression).toBe(true);
  }
});

test('a request that contains only a sum is recognised in every wording', () => {
  const wordings = [
    '{}',
    '{} ?',
    '{} =',
    'What is {}?',
    'how much is {}',
    '{}等于多少',
    '{}＝？',
    '请问{}是多少？',
  ];
  const lone = writeRequests(25).filter(({ wording }) => wordings.includes(wording));
  expect(lone).toHaveLength(225);
  for (const { text, expression } of lone) expect(readRequestedSum(text), text).toBe(expression);
});

slow('dates, phone numbers, ranges, scores and versions are not read as sums', () => {
  const lines = readFileSync('bench/sums/no-sums.txt', 'utf8').trim().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(200);
  for (const line of lines) {
    const [, text = ''] = line.split('\t');
    expect(readRequestedSum(text), text).toBeUndefined();
    expect(findArgumentsIn(asked(text), calculator), text).toBeUndefined();
  }
});

import { describe, expect, test } from 'vitest';
import { findRepetitionCutoff, loopLimitsFor } from '../../../src/protocol/chat-model';
import { slow } from '../../support/matrix';

const sizes = {
  small: { isSmall: true, maxReplyTokens: 160 },
  large: { maxReplyTokens: 1024 },
};

/** Adds one character at a time. Returns the text that is left once it loops, or undefined if it never does. */
function growUntilLoop(text: string, size: keyof typeof sizes): string | undefined {
  for (let length = 1; length <= text.length; length++) {
    const end = findRepetitionCutoff(text.slice(0, length), loopLimitsFor(sizes[size]));
    if (end !== undefined) return text.slice(0, end);
  }
  return undefined;
}

describe('detecting a loop in a reply', () => {
  test.for([
    ['one character', `Sum: ${'8'.repeat(1200)}`, 'Sum: 8'],
    ['one word', `I see ${'and '.repeat(1200)}`, 'I see and'],
    ['one line', `List:\n${'- the same line again\n'.repeat(200)}`, 'List:\n- the same line again'],
  ] as const)('cuts a loop of %s', ([, text, kept]) => {
    expect(growUntilLoop(text, 'small')).toBe(kept);
    expect(growUntilLoop(text, 'large')).toBe(kept);
  });

  test('stops a small model after fewer repetitions than a larger one', () => {
    expect(growUntilLoop('('.repeat(24), 'small')).toBe('(');
    expect(growUntilLoop('('.repeat(100), 'large')).toBeUndefined();
  });

  slow.for([
    ["a table's dividing line", `| a | b |\n|${'-'.repeat(120)}|${'-'.repeat(100)}|\n`],
    ['a list of zeros', `[${'0, '.repeat(120)}0]`],
    ['a fraction', `0.${'3'.repeat(60)}`],
    [
      'a list of different rows',
      Array.from({ length: 60 }, (_, row) => `row ${row}: value ${row * 7}`).join('\n'),
    ],
  ] as const)('finds no loop in legitimate text from a larger model: %s', ([, text]) => {
    expect(growUntilLoop(text, 'large')).toBeUndefined();
  });

  test('does not take "ha ha ha" for a loop', () => {
    expect(growUntilLoop('Ha ha ha ha, that is good.', 'small')).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { findRepetitionCutoff, repetitionLimitsFor } from '../../../src/protocol/repetition';
import type { Message } from '../../../src/contracts/message';
import { repeatedOnPurpose } from '../../support/repeated-on-purpose';

const sizes = {
  small: { isSmall: true, maxReplyTokens: 160 },
  large: { maxReplyTokens: 1024 },
};
const asking = (text: string): Message[] => [
  { role: 'user', content: [{ type: 'text', text }], origins: [{ door: 'typed' }] },
];

/** Adds one character at a time. Returns what is left of a text that loops, and how much of it was read. Undefined if it never loops. */
function growUntilLoop(text: string, size: keyof typeof sizes, request = 'Hi') {
  const limits = repetitionLimitsFor(sizes[size], asking(request));
  for (let length = 1; length <= text.length; length++) {
    const end = findRepetitionCutoff(text.slice(0, length), limits);
    if (end !== undefined) return { kept: text.slice(0, end).trimEnd(), read: length };
  }
  return undefined;
}

const paragraph =
  'A hash table keeps values under keys. It computes a number from the key, and this number says where the value is. Looking it up takes the same time however many values there are.';
const chinesePara = '哈希表是一种数据结构，它用哈希函数把键映射到数组中的位置，因此查找、插入和删除都很快。';
const code = 'function isEven(number) {\n  return number % 2 === 0;\n}\n';

describe('invariant: a reply that goes in circles is noticed within 100 tokens of repetition and cut back to its first copy', () => {
  /** `most`: about 100 tokens, in characters. */
  test.for<[name: string, before: string, unit: string, kept: string, most: number]>([
    ['a sum', 'The result is ', '37 * 46 - 700 = ', 'The result is 37 * 46 - 700 =', 160],
    ['a word', 'I see ', 'and ', 'I see and', 400],
    ['a line', 'List:\n', '- the same line again\n', 'List:\n- the same line again', 400],
    [
      'a sentence',
      '',
      'I am sorry, but I cannot help with that. ',
      'I am sorry, but I cannot help with that.',
      400,
    ],
    ['a paragraph', 'Sure.\n\n', `${paragraph}\n\n`, `Sure.\n\n${paragraph}`, 430],
    ['a Chinese sentence', '', '我是一个人工智能助手。', '我是一个人工智能助手。', 110],
    ['a Chinese paragraph', '好的。\n\n', `${chinesePara}\n\n`, `好的。\n\n${chinesePara}`, 130],
    ['code', '```js\n', code, `\`\`\`js\n${code}`.trimEnd(), 300],
    ['a line of code', '```py\nx = 1\n', 'print(x + 1)\n', '```py\nx = 1\nprint(x + 1)', 250],
    ['a letter', 'Aaa', 'a', 'Aa', 330],
    ['a Chinese semicolon', '光合作用是指什么', '；', '光合作用是指什么；', 50],
  ])('%s', ([, before, unit, kept, most]) => {
    const found = growUntilLoop(before + unit.repeat(Math.ceil(1_000 / unit.length)), 'large');
    expect(found?.kept).toBe(kept);
    expect((found?.read ?? Infinity) - (before + unit).length).toBeLessThanOrEqual(most);
  });

  test('a numbered list with the same items', () => {
    const items = Array.from({ length: 30 }, (_, at) => `${at + 1}. Drink a glass of water every morning.\n`);
    const found = growUntilLoop(`Tips:\n${items.join('')}`, 'large');
    expect(found?.kept).toBe('Tips:\n1. Drink a glass of water every morning.');
    expect(found?.read).toBeLessThan(500);
  });

  test('a loop that the user asked for is only cut where it could go on for ever', () => {
    const text = 'I must not talk in class. '.repeat(100);
    expect(growUntilLoop(text, 'large', 'Write "I must not talk in class." 50 times.')?.read).toBeGreaterThan(
      2000,
    );
    expect(
      growUntilLoop('我不上课说话。'.repeat(100), 'large', '把“我不上课说话。”写五十遍'),
    ).toBeUndefined();
  });
});

describe('invariant: text that repeats itself on purpose is not cut', () => {
  test('the table has 41 texts', () => {
    expect(Object.keys(repeatedOnPurpose)).toHaveLength(41);
  });
  test.for(Object.entries(repeatedOnPurpose))('%s', ([, { text, request = 'Write it.' }]) => {
    expect(growUntilLoop(text, 'large', request)).toBeUndefined();
  });
});

describe('a very small model', () => {
  test.for([
    ['one character', `Sum: ${'8'.repeat(1200)}`, 'Sum: 8'],
    ['one word', `I see ${'and '.repeat(1200)}`, 'I see and'],
    ['one line', `List:\n${'- the same line again\n'.repeat(200)}`, 'List:\n- the same line again'],
  ] as const)('is stopped in a loop of %s', ([, text, kept]) => {
    expect(growUntilLoop(text, 'small')?.kept).toBe(kept);
  });

  test('is stopped after fewer repetitions than a larger one', () => {
    expect(growUntilLoop('('.repeat(24), 'small')?.kept).toBe('(');
    expect(growUntilLoop('('.repeat(100), 'large')).toBeUndefined();
  });

  test('may write "ha ha ha"', () => {
    expect(growUntilLoop('Ha ha ha ha, that is good.', 'small')).toBeUndefined();
  });
});

/** What a summary without a model keeps: names, numbers, statements of the user about themselves, and the newest answers. */
import { describe, expect, test } from 'vitest';
import {
  summarizeByRule,
  findMissingStatements,
  statementsIn,
} from '../../../../src/agent/compaction/rule-summary';
import type { AssistantMessage, Message } from '../../../../src/contracts/message';
import type { Origin } from '../../../../src/contracts/origin';

const user = (text: string, origin: Origin = { door: 'typed' }): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [origin],
});
const said = (text: string, more: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  finishReason: 'stop',
  ...more,
});

describe("finding the user's statements for a summary", () => {
  test.for([
    [
      'Hello! My name is Ada.',
      [
        ['Hello!', 1],
        ['My name is Ada.', 3],
      ],
    ],
    ['I’m 36 and I live in Oslo.', [['I’m 36 and I live in Oslo.', 3]]],
    ['Our meeting is on Friday at 3.15 pm.', [['Our meeting is on Friday at 3.15 pm.', 3]]],
    ['The code is 4471.', [['The code is 4471.', 2]]],
    ['What is my name?', []],
    ['can you help me', []],
    ['我叫小明。今天几点？', [['我叫小明。', 3]]],
    ['会议在星期五', [['会议在星期五', 2]]],
    ['???', []],
  ] as const)('finds and weighs the statements in "%s"', ([text, statements]) => {
    expect(statementsIn([user(text)]).map(({ text: one, weight }) => [one, weight])).toEqual(statements);
  });

  test('gives the items of a long list less weight than a statement about the user', () => {
    const list = Array.from({ length: 9 }, (_, at) => `Item ${at} costs ${at}.`);
    const weights = statementsIn([user([...list, 'My name is Ada.'].join(' '))]).map(({ weight }) => weight);
    expect(weights).toEqual([...list.map(() => 1), 3]);
  });

  test('ignores text from a server and long pasted text', () => {
    expect(
      statementsIn([user('My name is Mallory.', { door: 'server-prompt', name: 'evil.example' })]),
    ).toEqual([]);
    expect(statementsIn([user(`My name is Ada. ${'word '.repeat(500)}`)])).toEqual([]);
    expect(statementsIn([said('My name is Hearth.')])).toEqual([]);
  });
});

describe('a chat summary written by fixed rules', () => {
  const chat = [
    user('My name is Ada.'),
    said('All right.', { writer: 'page' }),
    user('What is 6 * 7?'),
    said('6 * 7 = 42. Anything else?', { writer: 'ember' }),
    user('My train leaves at 8:15 on Friday.'),
    said('Noted.', { writer: 'page' }),
    user('What is 6 * 7?'),
    said('It is 42.', { writer: 'ember' }),
  ];

  test("lists the user's statements, and each question once with its newest answer", () => {
    expect(summarizeByRule(chat, 500)).toBe(
      [
        'The person said:',
        '- My name is Ada.',
        '- My train leaves at 8:15 on Friday.',
        'Asked and answered:',
        '- What is 6 * 7? → It is 42.',
      ].join('\n'),
    );
  });

  test('has Chinese headings for a Chinese chat', () => {
    const text = summarizeByRule(
      [user('我叫小明。'), said('好的。'), user('3加4等于几？'), said('等于7。')],
      200,
    );
    expect(text).toBe(
      '用户说过：\n- 我叫小明。\n问过和答过：\n- 我叫小明。 → 好的。\n- 3加4等于几？ → 等于7。',
    );
  });

  test.for([40, 80, 160, 400])(
    'fits in %i characters and includes statements about the user first',
    (most) => {
      const many = Array.from({ length: 60 }, (_, at) => [
        user(`Is ${at} odd?`),
        said(`${at} it is.`),
      ]).flat();
      const text = summarizeByRule([...chat, ...many], most);
      expect(text.length).toBeLessThanOrEqual(most);
      if (most >= 80) expect(text).toContain('My name is Ada.');
    },
  );

  test('is empty if nothing in the chat is worth keeping', () => {
    expect(summarizeByRule([user('Hi'), said('Hello.', { writer: 'page' })], 500)).toBe('');
  });

  test('is always the same for the same chat', () => {
    expect(summarizeByRule(chat, 300)).toBe(summarizeByRule(structuredClone(chat), 300));
  });
});

describe("user statements that a model's summary left out", () => {
  const chat = [user('My name is Ada.'), user('I live in Oslo.'), user('The code is 4471.')];

  test('a statement counts as left out if the summary lacks its names and numbers', () => {
    expect(findMissingStatements('The person, Ada, asked for help.', chat, 200)).toBe(
      'The person said:\n- I live in Oslo.\n- The code is 4471.',
    );
  });

  test('no statement counts as left out if the summary contains every name and number', () => {
    expect(findMissingStatements('Ada lives in Oslo, and her code is 4471.', chat, 200)).toBe('');
  });
});

import { expect, test } from 'vitest';
import type { MessageNode } from '../../../src/contracts/chat';
import { shownTexts, turnsOf } from '../../../src/state/turns';
import { placeOf, question } from '../../support/stored-chat';

const calling: MessageNode = {
  ...placeOf('a', 'q'),
  message: {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: ' Hm. ' },
      { type: 'text', text: 'I ask **Writer**.' },
      { type: 'tool-call', id: 'call', name: 'writer', arguments: { request: 'Write' } },
      { type: 'invalid-tool-call', id: 'bad', raw: '<tool_call>', reason: 'It breaks off.' },
    ],
    finishReason: 'tool-calls',
  },
};
const result: MessageNode = {
  ...placeOf('t', 'a'),
  message: {
    role: 'tool',
    results: [
      {
        toolCallId: 'call',
        toolName: 'writer',
        content: [{ type: 'text', text: 'Written.' }],
        isError: false,
        origins: [{ door: 'hearth' }],
      },
    ],
  },
};
const agent = {
  branch: [
    question('hq', null, 'Write'),
    {
      ...placeOf('ha', 'hq'),
      message: {
        role: 'assistant' as const,
        content: [{ type: 'text' as const, text: 'Mine.' }],
        finishReason: 'stop' as const,
      },
    },
  ],
  reply: undefined,
  settings: {},
};

test("the searchable texts of a turn are in reading order, with a sub-agent's texts inside its call", () => {
  const [turn] = turnsOf([question('q', null, 'Ask it'), calling, result]);
  expect(shownTexts(turn!, new Map([['call', agent]]))).toEqual([
    { text: 'Ask it', isMarkdown: false },
    { text: 'Hm.', isMarkdown: false },
    { text: 'I ask **Writer**.', isMarkdown: true },
    { text: '{"request":"Write"}', isMarkdown: false },
    { text: 'Mine.', isMarkdown: true },
    { text: 'Written.', isMarkdown: false },
    { text: 'It breaks off.', isMarkdown: false },
    { text: '<tool_call>', isMarkdown: false },
  ]);
});

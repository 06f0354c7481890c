/** What is read to check a turn: its own results first, then if necessary the rest of the chat, up to a limit. */
import { expect, test } from 'vitest';
import type { MessageNode } from '../../../../src/contracts/chat';
import {
  type AssistantMessage,
  type Message,
  pageWriterId,
  type ToolResult,
} from '../../../../src/contracts/message';
import { findClaims } from '../../../../src/state/claims/turn-claims';
import { turnsOf } from '../../../../src/state/turns';
import { thorough } from '../../../support/matrix';

const you = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const hearth = (text: string, changed: Partial<AssistantMessage> = {}): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  finishReason: 'stop',
  ...changed,
});
const calls = (name: string, text: string, changed: Partial<ToolResult> = {}): Message[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', id: name, name, arguments: {} }],
    finishReason: 'tool-calls',
  },
  {
    role: 'tool',
    results: [
      {
        toolCallId: name,
        toolName: name,
        content: [{ type: 'text', text }],
        isError: false,
        origins: [{ door: 'hearth' }],
        ...changed,
      },
    ],
  },
];

async function claimsOf(messages: readonly Message[], tools: Parameters<typeof findClaims>[0]['tools'] = []) {
  const branch = messages.map((message, index): MessageNode => ({
    id: `n${index}`,
    chatId: 'c',
    parentId: null,
    createdAt: 0,
    message,
  }));
  const turn = turnsOf(branch).at(-1);
  let rests = 0;
  const rest = async () => void (rests += 1);
  const found = turn
    ? await findClaims({ turn, branch, tools, instructions: 'Room 77 is yours.', rest })
    : [];
  return { texts: found.flatMap(({ marks }) => marks.map(({ text }) => text)), rests };
}

test('a number that occurs in a tool result, a message or the instructions is not marked as unsupported', async () => {
  const chat = [you('I am in 1473.'), hearth('I see.'), you('Where?'), ...calls('look', 'Gate 512')];
  expect((await claimsOf([...chat, hearth('Gate 512, room 1473 or 77, floor 24.')])).texts).toEqual(['24']);
});

test('numbers in an answer are not checked if no tool was called', async () => {
  expect((await claimsOf([you('Hi'), hearth('There are 206 bones.')])).texts).toEqual([]);
});

test('searching a long tool result for numbers pauses regularly and reaches the end', async () => {
  const text = `${'word '.repeat(60_000)} 8127`;
  const { texts, rests } = await claimsOf([
    you('?'),
    ...calls('look', text),
    hearth('It is 8127, not 8128.'),
  ]);
  expect(texts).toEqual(['8128']);
  expect(rests).toBeGreaterThan(10);
});

thorough('numbers in an answer are not marked if the chat is too long to search', async () => {
  const before = Array.from({ length: 5 }, (_, index) => [
    you(`word ${index} `.repeat(70_000)),
    hearth('Yes.'),
  ]).flat();
  const chat = [...before, you('?'), ...calls('web_search', '8127'), hearth("It is 8128. I've sent it.")];
  expect((await claimsOf(chat)).texts).toEqual(["I've sent it"]);
});

test('an action claimed in a reply is marked if its tool call failed or only read data', async () => {
  const said = () => hearth("I've sent Anna an email.");
  const sent = (changed: Partial<ToolResult>) => [you('Mail Anna'), ...calls('mail', 'x', changed), said()];
  expect((await claimsOf(sent({}))).texts).toEqual([]);
  expect((await claimsOf(sent({ isError: true, failure: 'refused' }))).texts).toHaveLength(1);
  expect(
    (await claimsOf(sent({}), [{ name: 'mail', annotations: { readOnlyHint: true } }])).texts,
  ).toHaveLength(1);
});

test('replies written by the app instead of the model are not checked', async () => {
  const chat = [you('Mail Anna'), hearth("I've sent Anna an email.", { writer: pageWriterId })];
  expect((await claimsOf(chat)).texts).toEqual([]);
});

import { expect, test } from 'vitest';
import type { Message, ToolResult } from '../../../src/contracts/message';
import type { PromptMessage, TextEngine } from '../../../src/contracts/model';
import { createChatModel } from '../../../src/protocol/chat-model';
import { maskOldResults } from '../../../src/protocol/fit-prompt';
import { small as large } from '../../support/web-llm-model';
import { slow } from '../../support/matrix';

/** An engine where each character is one token. */
function engine() {
  const prompts: (readonly PromptMessage[])[] = [];
  const one: TextEngine = {
    load: async () => undefined,
    async *generate({ messages }) {
      prompts.push(messages);
      const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 1 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
    count: async (messages) => messages.map(({ content }) => content.length),
  };
  return { one, prompts };
}

const result = (toolCallId: string, text: string, more: Partial<ToolResult> = {}): ToolResult => ({
  toolCallId,
  toolName: 'fetch_page',
  content: [{ type: 'text', text }],
  isError: false,
  origins: [{ door: 'hearth' }],
  ...more,
});
const turn = (at: number): Message[] => [
  { role: 'user', content: [{ type: 'text', text: `Question ${at}` }], origins: [{ door: 'typed' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', id: `c${at}`, name: 'fetch_page', arguments: {} }],
    raw: `<call ${at}>`,
    finishReason: 'tool-calls',
  },
  { role: 'tool', nonce: 'n', results: [result(`c${at}`, `Page ${at}. ${'word '.repeat(120)}`)] },
  { role: 'assistant', content: [], raw: `Answer ${at}`, finishReason: 'stop' },
];

/** A model that is told of a tool sees calls and results. */
const tools = [{ name: 'clock', title: 'Clock', description: 'Tells the time.', inputSchema: {} }];

/** The prompts of a model over a chat with this many turns. */
async function promptsOf(turns: number, isSmall: boolean) {
  const { one, prompts } = engine();
  const spec = { ...large, contextTokens: 5800, maxReplyTokens: 200, isSmall };
  const model = createChatModel(one, spec, () => 'id');
  const chat = Array.from({ length: turns }, (_, at) => turn(at)).flat();
  const masked: number[] = [];
  for (let length = 1; length <= chat.length; length++) {
    if (chat[length]?.role !== 'assistant') continue;
    const request = { messages: chat.slice(0, length), tools, toolChoice: 'none' as const };
    for await (const event of model.respond(request, new AbortController().signal)) {
      if (event.type === 'context') masked.push(event.context.maskedMessages ?? 0);
    }
  }
  return { prompts, masked };
}

test('old tool results shrink to one line, except in the two newest turns', async () => {
  const { prompts } = await promptsOf(8, false);
  const last = prompts
    .at(-1)!
    .map(({ content }) => content)
    .join('\n');
  expect(last).toContain(
    '[An earlier result of fetch_page, 608 characters, is left out here. To read it again call read_result with its handle r1 and a query.]',
  );
  for (let at = 0; at < 8; at++) expect(last).toContain(`Question ${at}`);
  for (const at of [6, 7]) expect(last).toContain(`Page ${at}. word word`);
  expect(last).not.toContain('Page 0.');
});

test('each prompt starts with the previous one until more results are masked', async () => {
  const { prompts, masked } = await promptsOf(30, false);
  let steps = 0;
  for (const [index, prompt] of prompts.entries()) {
    const before = prompts[index - 1];
    if (!before) continue;
    const isSame = before.every((message, at) => prompt[at]?.content.startsWith(message.content));
    if (!isSame) steps++;
    else expect(masked[index]).toBe(masked[index - 1]);
  }
  // 30 turns write about 20,000 tokens into a context that holds 5,000.
  expect(prompts).toHaveLength(60);
  expect(steps).toBeGreaterThan(2);
  expect(steps).toBeLessThanOrEqual(12);
});

slow('for a small model, old turns are removed completely, and no tool results are masked', async () => {
  const { prompts, masked } = await promptsOf(12, true);
  expect(masked.every((count) => count === 0)).toBe(true);
  expect(JSON.stringify(prompts.at(-1))).not.toContain('left out here');
});

test('errors, tool lists and short results are not masked', () => {
  const long = 'x'.repeat(1000);
  const results = [
    result('a', long, { isError: true }),
    result('b', long, { foundTools: ['mail'] }),
    result('c', 'short'),
    result('d', long),
    result('e', long, {
      toolName: 'read_result',
      whole: { handle: 'r1', id: 'row', toolName: 'fetch_page', characters: 9000, given: [] },
    }),
  ];
  const user: Message = { role: 'user', content: [], origins: [{ door: 'typed' }] };
  const [, masked] = maskOldResults([user, { role: 'tool', results }, user, user]);
  const texts = masked?.role === 'tool' ? masked.results.map(({ content }) => content[0]) : [];
  expect(texts.slice(0, 3)).toEqual(results.slice(0, 3).map(({ content }) => content[0]));
  expect(texts[3]).toMatchObject({ text: expect.stringContaining('handle r4') });
  // When a result is read again, it keeps the name of its source.
  expect(texts[4]).toMatchObject({
    text: expect.stringMatching(/of fetch_page, 9000 characters.*handle r1/),
  });
  expect(maskOldResults([user, { role: 'tool', results }, user])[1]).toEqual({ role: 'tool', results });
});

test('masked tool results keep their numbered handles when a summary replaces earlier results', async () => {
  const { one, prompts } = engine();
  const model = createChatModel(one, { ...large, contextTokens: 5800, maxReplyTokens: 200 }, () => 'id');
  const messages = [...Array.from({ length: 10 }, (_, at) => turn(at)).flat(), ...turn(10).slice(0, 1)];
  const summary = { text: 'Pages were read.', by: 'rule' as const, origins: [], nonce: 'n', messages: 4 * 4 };
  const request = { messages, summary, tools, toolChoice: 'none' as const };
  for await (const event of model.respond(request, new AbortController().signal)) {
    if (event.type === 'context')
      expect(event.context).toMatchObject({ droppedMessages: 0, summedUpMessages: 16, maskedMessages: 32 });
  }
  const [, notes, answered, ...chat] = prompts[0]!.map(({ content }) => content);
  expect(notes).toMatch(
    /^Notes on the first 16 messages.*<notes id="n">\nPages were read\.\n<\/notes id="n">$/s,
  );
  expect(answered).toBe('Understood.');
  expect(chat[0]).toBe('Question 4');
  // The fifth result of the chat is the first one that is masked.
  expect(chat[2]).toContain('with its handle r5 and a query');
  expect(chat.join('\n')).not.toMatch(/handle r[1-4] /);
});

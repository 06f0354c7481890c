/** A model that is told of no tools, because another model calls them, writes words or code but no call. */
import { expect, test } from 'vitest';
import type { GenerateRequest, ModelEvent, TextEngine } from '../../../src/contracts/model';
import { specOf } from '../../../src/contracts/tool';
import { createStartPosition } from '../../../src/engines/gguf/gbnf-matcher';
import { createChatModel } from '../../../src/protocol/chat-model';
import { constrainOpeningToWords } from '../../../src/protocol/constraint';
import { tool } from '../../support/tools';
import { small } from '../../support/web-llm-model';

async function respond(question: string, reply: string) {
  const requests: GenerateRequest[] = [];
  const engine: TextEngine = {
    constraints: 'grammar',
    load: async () => undefined,
    async *generate(request) {
      requests.push(request);
      yield { type: 'text-delta', text: reply };
      const usage = { promptTokens: 1, prefilledTokens: 1, outputTokens: 1 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
    count: async (messages) => messages.map(({ content }) => content.length),
  };
  const model = createChatModel(engine, small, () => 'id');
  const messages = [
    { role: 'user' as const, content: [{ type: 'text' as const, text: question }], origins: [] },
  ];
  const tools = [specOf(tool('clock', async () => ''))];
  const request = { messages, tools, listed: [], toolChoice: 'none' as const };
  const items: ModelEvent[] = [];
  for await (const event of model.respond(request, new AbortController().signal)) items.push(event);
  const text = items.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  return { text, request: requests[0]! };
}

test.each(['Write hello world in C', 'What is JSON?', 'hi'])(
  'the prompt lists no tools, and only the beginning of the reply is constrained: %s',
  async (question) => {
    const { request } = await respond(question, 'Here.');
    expect(request.messages.map(({ content }) => content).join('\n')).not.toContain('clock');
    expect(request.constraint?.grammar).toBe(constrainOpeningToWords().grammar);
  },
);

test('a call after words is not shown', async () => {
  const { text } = await respond(
    'hi',
    'Hello. <tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>',
  );
  expect(text.trim()).toBe('Hello.');
});

test.each([
  ['Hello.', true],
  ['\n```c\n#include <stdio.h>\nint main() {\n}\n```', true],
  ['<think>Well.</think> Hi.', true],
  ['你好，<b>', true],
  ['<tool_call>', false],
  [' {"name"', false],
  ['[{', false],
])('the beginning %j is allowed: %s', (text, isAllowed) => {
  const reached = createStartPosition(constrainOpeningToWords().grammar).advance(
    new TextEncoder().encode(text),
  );
  expect(reached?.canEnd ?? false).toBe(isAllowed);
});

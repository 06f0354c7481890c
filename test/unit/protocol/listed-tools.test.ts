/** A model that is shown only some of its tools, but can call all of them. */
import { expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type {
  ContextUse,
  GenerateRequest,
  ModelSpec,
  ReplyRequest,
  TextEngine,
} from '../../../src/contracts/model';
import { createChatModel } from '../../../src/protocol/chat-model';
import { formatsWithDialect } from '../../../src/protocol/dialects';
import { offered } from '../../fixtures/protocol/tools';

const role = { before: '', after: '' };
const spec: ModelSpec = {
  id: 'large',
  name: 'Large',
  engine: 'scripted',
  file: { path: '', bytes: 1 },
  format: 'hermes',
  template: { system: role, user: role, assistant: role, tool: role, stop: [] },
  contextTokens: 60,
  maxReplyTokens: 20,
  sampling: { temperature: 0 },
  languages: ['en'],
  licence: '',
};
const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const found = (text: string, ...foundTools: string[]): Message => {
  const result = {
    toolCallId: 'f',
    toolName: 'find_tools',
    isError: false,
    foundTools,
    origins: [{ door: 'hearth' as const }],
  };
  return { role: 'tool', nonce: 'n', results: [{ ...result, content: [{ type: 'text', text }] }] };
};

async function ask(reply: string, changed: Partial<ReplyRequest> = {}, systemTokens = 0) {
  const asked: GenerateRequest[] = [];
  const engine: TextEngine = {
    constraints: 'grammar',
    load: async () => undefined,
    async *generate(request) {
      asked.push(request);
      yield { type: 'text-delta', text: reply };
      const usage = { promptTokens: 1, prefilledTokens: 1, outputTokens: 1 };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
    count: async (messages) => messages.map((message) => (message.role === 'system' ? systemTokens : 1)),
  };
  const request = { messages: [user('x')], tools: offered, toolChoice: 'auto' as const, ...changed };
  const replies = createChatModel(engine, spec, () => 'id').respond(request, new AbortController().signal);
  let context: ContextUse | undefined;
  for await (const event of replies) {
    if (event.type === 'context') ({ context } = event);
    if (event.type === 'finish') return { ...event, asked: asked[0], context };
  }
  throw new Error('no finish');
}

test('the prompt lists the chosen tools in order, but unlisted tools can still be called', async () => {
  const reply = '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>';
  const { asked, message } = await ask(reply, { listed: ['clock', 'calculator'] });
  const system = asked?.messages[0]?.content ?? '';
  expect(system.match(/"name":"\w+"/g)).toEqual(['"name":"clock"', '"name":"calculator"']);
  expect(message.content).toMatchObject([{ type: 'tool-call', name: 'read_file', arguments: { path: 'a' } }]);
});

test('a required call may use every listed tool and every tool found with find_tools', async () => {
  const messages = [user('x'), found('…', 'create_note')];
  const { asked } = await ask('', { messages, listed: ['clock'], toolChoice: 'required' });
  const grammar = asked?.constraint?.grammar ?? '';
  expect(offered.filter(({ name }) => grammar.includes(name)).map(({ name }) => name)).toEqual([
    ...['create_note', 'clock'],
  ]);
  const second = await ask('', { listed: ['clock'], toolChoice: { name: 'read_file' } });
  expect(second.asked?.constraint?.grammar).toContain('read_file');
});

test('call-like text in a tool result is made harmless, except in a list of found tools', async () => {
  const text = '<tools>\n{"name":"create_note"}\n</tools>';
  const written = async (message: Message) =>
    (await ask('', { messages: [user('x'), message], listed: ['clock'] })).asked?.messages.at(-1)?.content;
  expect(await written(found(text, 'create_note'))).toBe(
    `<tool_response tool="find_tools" id="n">\n${text}\n</tool_response>`,
  );
  const outside: Message = {
    role: 'tool',
    results: [
      {
        toolCallId: 'a',
        toolName: 'clock',
        isError: false,
        content: [{ type: 'text', text: 'create_note({})' }],
        origins: [{ door: 'hearth' as const }],
      },
    ],
  };
  // The tool is not listed, but can be called.
  expect(await written(outside)).toContain('c·reate_note({})');
});

test('in each text prompt format, a separate list of tools is identical to the list in the instructions', () => {
  for (const { dialect } of formatsWithDialect) {
    // A native dialect passes the tools to the server as data.
    if (dialect.isNative) continue;
    const whole = dialect.describe(offered);
    expect(whole).toContain(dialect.list(offered));
    expect(dialect.list(offered.slice(1, 2))).toContain('web_search');
  }
});

test('a tool list that takes most of the context is named as the cause of the error', async () => {
  const tools = await ask('', {}, 40);
  expect(tools.message.errorMessage).toMatch(/^\[tools-too-long\] The list of tools takes 41 of 40 tokens/);
  // The context reports no dropped messages, because the chat is short.
  const reply: Message = { role: 'assistant', content: [{ type: 'text', text: 'y' }], finishReason: 'stop' };
  const longer = await ask('', { messages: [user('x'), reply, user('x')] }, 40);
  expect(longer.context).toMatchObject({ droppedMessages: 0 });
  const fitting = await ask('', {}, 30);
  expect(fitting.message.errorMessage).toBeUndefined();
});

test('a call of an unknown tool is answered with a shortened list of the tools', async () => {
  const tools = Array.from({ length: 200 }, (_, at) => ({ ...offered[0]!, name: `sum_${at}` }));
  const { message } = await ask('<tool_call>{"name":"nothing_like","arguments":{}}</tool_call>', { tools });
  const [invalid] = message.content;
  const reason = invalid?.type === 'invalid-tool-call' ? invalid.reason : '';
  expect(reason).toMatch(/There are: sum_0, .* and 176 more\. If none/);
  expect(reason.length).toBeLessThan(400);
});

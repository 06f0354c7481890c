/** Checks our fake server against OpenAI's official client: the client must understand its replies and its errors. */
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { writeMessages } from '../../src/engines/endpoint/ask-server';
import { type CompletionsServer, openCompletionsServer } from '../support/completions-server';

let server: CompletionsServer;
let client: OpenAI;
beforeAll(async () => {
  server = await openCompletionsServer();
  client = new OpenAI({ apiKey: 'sk-test', baseURL: server.url, maxRetries: 0 });
});
afterEach(() => server.forget());
afterAll(() => server.close());

const model = 'test-model';
const messages = [{ role: 'user' as const, content: 'What is 6 * 7?' }];
const calculator = {
  type: 'function' as const,
  function: { name: 'calculator', description: 'Computes.', parameters: { type: 'object', properties: {} } },
};

test('the official OpenAI client reads the list of models', async () => {
  server.models = ['one', 'two'];
  const ids = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ids).toEqual(['one', 'two']);
});

test('the official OpenAI client reads a complete reply with its token counts', async () => {
  server.say({ text: 'It is 42.' });
  const reply = await client.chat.completions.create({ model, messages });
  expect(reply.choices[0]).toMatchObject({
    message: { role: 'assistant', content: 'It is 42.' },
    finish_reason: 'stop',
  });
  expect(reply.usage).toMatchObject({ completion_tokens: 3 });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-test');
});

test('the official OpenAI client assembles a streamed reply', async () => {
  server.say({ text: 'It is 42, as far as I know.' });
  const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } });
  const pieces: string[] = [];
  stream.on('content', (delta) => pieces.push(delta));
  expect(await stream.finalContent()).toBe('It is 42, as far as I know.');
  expect(pieces.length).toBeGreaterThan(5);
  expect(await stream.totalUsage()).toMatchObject({ completion_tokens: 8 });
});

test('the official OpenAI client reads two streamed tool calls, and the server accepts both results', async () => {
  const calls = ['6*7', '2+2'].map((expression) => ({
    name: 'calculator',
    arguments: JSON.stringify({ expression }),
  }));
  server.say({ calls }, { text: '42 and 4.' });
  const first = await client.chat.completions
    .stream({ model, messages, tools: [calculator] })
    .finalChatCompletion();
  expect(first.choices[0]?.finish_reason).toBe('tool_calls');
  const made = first.choices[0]?.message.tool_calls ?? [];
  expect(made.map((call) => call.function)).toMatchObject(calls);
  const { role, content } = first.choices[0]!.message;
  const results = made.map(({ id }, at) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: ['42', '4'][at]!,
  }));
  const second = await client.chat.completions.create({
    model,
    messages: [...messages, { role, content, tool_calls: made }, ...results],
    tools: [calculator],
  });
  expect(second.choices[0]?.message.content).toBe('42 and 4.');
});

test('a reply that reaches its token limit has the finish reason "length"', async () => {
  server.say({ text: 'one two three four' });
  const reply = await client.chat.completions.create({ model, messages, max_completion_tokens: 2 });
  expect(reply.choices[0]).toMatchObject({ message: { content: 'one two' }, finish_reason: 'length' });
});

describe('errors that the official OpenAI client understands', () => {
  test('a wrong API key causes an authentication error', async () => {
    server.key = 'another';
    await expect(client.chat.completions.create({ model, messages })).rejects.toThrow(
      OpenAI.AuthenticationError,
    );
  });
  test('an unknown model causes a not-found error', async () => {
    const asking = client.chat.completions.create({ model: 'missing', messages });
    await expect(asking).rejects.toThrow(OpenAI.NotFoundError);
  });
  test('a tool result without its call causes a bad-request error', async () => {
    const odd = [...messages, { role: 'tool' as const, tool_call_id: 'call_9', content: '42' }];
    const asking = client.chat.completions.create({ model, messages: odd });
    await expect(asking).rejects.toThrow(OpenAI.BadRequestError);
  });
  test('a tool call without a result causes a bad-request error', async () => {
    const call = {
      id: 'call_0',
      type: 'function' as const,
      function: { name: 'calculator', arguments: '{}' },
    };
    const odd = [...messages, { role: 'assistant' as const, content: '', tool_calls: [call] }, ...messages];
    const asking = client.chat.completions.create({ model, messages: odd });
    await expect(asking).rejects.toThrow(OpenAI.BadRequestError);
  });
  test('too many requests cause a rate-limit error', async () => {
    server.say({
      status: 429,
      headers: { 'content-type': 'application/json', 'retry-after': '30' },
      body: JSON.stringify({
        error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' },
      }),
    });
    await expect(client.chat.completions.create({ model, messages })).rejects.toThrow(OpenAI.RateLimitError);
  });
  test('the client reports an error if a stream breaks off', async () => {
    server.say({ text: 'one two three', cutAfter: 2 });
    const stream = client.chat.completions.stream({ model, messages });
    await expect(stream.finalContent()).rejects.toThrow();
  });
});

describe('pictures in a request', () => {
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  const shown = (role: 'user' | 'system', picture: string) =>
    client.chat.completions.create({
      model,
      messages: [
        {
          role,
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: picture } },
          ],
        } as OpenAI.ChatCompletionUserMessageParam,
      ],
    });

  test("the server receives pictures separately from the user's text", async () => {
    const reply = await shown('user', url);
    expect(reply.choices[0]?.message.content).toBe('What is this?');
    expect(server.requests.at(-1)?.body.messages[0]?.parts).toHaveLength(2);
  });
  test.for([
    { name: 'a picture in a system message is refused', role: 'system', picture: url },
    {
      name: 'a data URL that is not a picture is refused',
      role: 'user',
      picture: 'data:text/html;base64,aGk=',
    },
  ] as const)('$name', async ({ role, picture }) => {
    await expect(shown(role, picture)).rejects.toMatchObject({ status: 400 });
  });

  test('Hearth sends a picture in the same format as the official client', () => {
    const [message] = writeMessages([
      {
        role: 'user',
        content: 'What is this?',
        parts: {
          type: 'question',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
          ],
          pictureTokens: 1,
        },
      },
    ]);
    const sent: OpenAI.ChatCompletionUserMessageParam = {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ],
    };
    expect(message).toEqual(sent);
  });
});

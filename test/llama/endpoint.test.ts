/** A model on a server, with real weights: Ember's GGUF file in llama.cpp, in the agent loop and in the built site. */
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runAgent } from '../../src/agent/run-agent';
import { createExamTools } from '../../src/app/exam/run-exam';
import { type AgentEvent, defaultAgentLimits } from '../../src/contracts/turn';
import type { Message } from '../../src/contracts/message';
import type { ModelSpec, TextDelta } from '../../src/contracts/model';
import { createEndpoint } from '../../src/engines/endpoint/engine';
import { ember } from '../../src/ember/spec';
import { createChatModel } from '../../src/protocol/chat-model';
import { textOf } from '../../src/contracts/message-parts';
import { calculate } from '../../src/tools/builtin/calculator/calculate';
import { typeEndpoint } from '../e2e/endpoint-steps';
import { ask, lastReply, openSite, type Site, turnEnds } from '../e2e/site';
import { collect } from '../support/collect';
import { openDoor } from '../support/endpoint-server';
import { findPartsHere } from '../support/find-parts';
import { type Llama, openLlama } from './llama';
import { type LlamaServer, openLlamaServer } from './llama-server';

let llama: Llama;
let server: LlamaServer;
beforeAll(async () => {
  // Node 20 has no navigator.
  vi.stubGlobal('navigator', { onLine: true });
  llama = await openLlama('public/models/ember.gguf');
  server = await openLlamaServer(llama);
});
beforeEach(() => {
  server.requests.length = 0;
  server.key = undefined;
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
  await llama.close();
});

const never = new AbortController().signal;
const asks = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});

const tools = createExamTools({ id: '', kind: 'sums', language: 'en', text: '' }, (expression) => {
  const read = calculate(expression);
  return read.ok ? Promise.resolve(read.value) : Promise.reject(new Error(read.reason));
});

describe("llama.cpp's server with the official OpenAI client", () => {
  const messages = (content: string) => [{ role: 'user' as const, content }];
  const client = () => new OpenAI({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });

  test('streams text in pieces and reports the token counts', async () => {
    const stream = client().chat.completions.stream({
      model: 'ember',
      messages: messages('Hello'),
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    stream.on('content', (delta) => pieces.push(delta));
    expect(await stream.finalContent()).toBe(pieces.join(''));
    expect(pieces.length).toBeGreaterThan(2);
    expect((await stream.totalUsage()).completion_tokens).toBeGreaterThan(2);
  });

  test('streams a tool call', async () => {
    const wire = tools.map(({ name, description, inputSchema: parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters },
    }));
    const asked = { model: 'ember', messages: messages('What is 17 * 23?'), tools: wire };
    const { choices } = await client().chat.completions.stream(asked).finalChatCompletion();
    expect(choices[0]?.finish_reason).toBe('tool_calls');
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({ function: { name: 'calculator', arguments: '{"expression":"17*23"}' } });
  });
});

const ignore: (event: AgentEvent) => void = () => undefined;
/** Without the page's help, Ember writes endless text after a result, so limit it. */
const mostTokens = 40;

describe.for([true, false])("llama.cpp's server in the agent loop, with native calls: %s", (isNative) => {
  /** With tools in the prompt, calls have Ember's own format, which the server passes on unchanged. */
  const spec = (): ModelSpec => ({
    ...ember,
    engine: 'endpoint',
    served: 'ember',
    file: { path: server.url, bytes: 0 },
    maxReplyTokens: mostTokens,
    ...(isNative && { format: 'native', isSmall: false }),
  });

  async function turn(
    history: readonly Message[],
    { signal = never, onEvent = ignore, rounds = 2, most = mostTokens } = {},
  ) {
    const engine = createEndpoint({ egress: openDoor(server.origin), keyOf: () => undefined });
    const loaded = { ...spec(), maxReplyTokens: most };
    await engine.load(loaded, { signal: never, onProgress: () => undefined });
    let ids = 0;
    const running = runAgent(history, {
      model: createChatModel(engine, loaded, () => `id${ids++}`),
      recover: () => Promise.resolve(undefined),
      tools: { tools: [...tools], interceptors: [] },
      promptOrigins: [],
      limits: { ...defaultAgentLimits, rounds },
      signal,
      date: () => 1,
      newNonce: () => 'nonce',
      findParts: findPartsHere,
      storeWholeText: () => Promise.resolve({ lost: 'full' as const }),
    });
    for (;;) {
      const next = await running.next();
      if (next.done) return callsIn(next.value);
      onEvent(next.value);
    }
  }

  /** The calls of each round, and the results that the model received. */
  function callsIn(added: readonly Message[]) {
    const replies = added.filter((message) => message.role === 'assistant');
    const results = added.flatMap((message) => (message.role === 'tool' ? message.results : []));
    return {
      added,
      rounds: replies.map(({ content }) =>
        content.flatMap((part) => (part.type === 'tool-call' ? [[part.name, part.arguments]] : [])),
      ),
      results: results.map(({ content }) => textOf(content)),
      last: replies.at(-1),
    };
  }
  const bodies = () => server.requests.map(({ body }) => body);

  test('gives an answer without a tool call', async () => {
    const { rounds, last } = await turn([asks('Hello')]);
    expect(rounds).toEqual([[]]);
    expect(textOf(last?.content.filter((part) => part.type === 'text') ?? [])).toMatch(/\S/);
    expect(['stop', 'length']).toContain(last?.finishReason);
    expect(bodies()[0]?.tools !== undefined).toBe(isNative);
  });

  test('makes a tool call', async () => {
    const { rounds, results } = await turn([asks('What is 17 * 23?')]);
    expect(rounds[0]).toEqual([['calculator', { expression: '17*23' }]]);
    expect(results[0]).toBe('391');
    const last = bodies()[1]?.messages.at(-1);
    expect(last?.role).toBe(isNative ? 'tool' : 'user');
    expect(last?.content).toContain('391');
  });

  test('makes two tool calls at once', async () => {
    const { rounds, results } = await turn([asks('What time is it in Tokyo and in Paris?')]);
    expect(rounds[0]).toEqual([
      ['clock', { place: 'Tokyo' }],
      ['clock', { place: 'Paris' }],
    ]);
    expect(results.slice(0, 2).map((text) => /Tokyo|Paris/.exec(text)?.[0])).toEqual(['Tokyo', 'Paris']);
    const told = JSON.stringify(bodies()[1]?.messages.slice(-2));
    for (const place of ['Tokyo', 'Paris']) expect(told).toContain(place);
  });

  test('gets a prompt that starts with the previous prompt in each of three rounds', async () => {
    let history: Message[] = [];
    for (const question of ['What is 17 * 23?', 'What is 12 * 12?', 'What is 90 / 6?']) {
      history = [...history, asks(question)];
      const { added, rounds } = await turn(history, { rounds: 1 });
      // The model may choose how to write the sum.
      expect(rounds[0]?.[0]?.[0]).toBe('calculator');
      history = [...history, ...added];
    }
    expect(bodies()).toHaveLength(3);
    for (const [at, { messages }] of bodies().slice(1).entries()) {
      const before = bodies()[at]?.messages ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
  });

  test('ends the reply when the user presses Stop, and the text so far is kept', async () => {
    const stop = new AbortController();
    const { last } = await turn([asks('Hello')], {
      signal: stop.signal,
      onEvent: ({ type }) => type === 'text-delta' && stop.abort(),
    });
    expect(last?.finishReason).toBe('aborted');
    await expect.poll(() => server.requests[0]?.isLeft).toBe(true);
  });

  test('gets the request again if it was busy, and then answers', async () => {
    const waits: number[] = [];
    const onEvent = (event: AgentEvent) => event.type === 'server-wait' && waits.push(event.seconds);
    const [one, other] = await Promise.all([
      turn([asks('Hello')], { onEvent, most: 3 }),
      turn([asks('Hello')], { onEvent, most: 3 }),
    ]);
    expect(waits).toContain(1);
    expect(server.requests.map(({ status }) => status)).toContain(429);
    for (const { last } of [one, other]) expect(['stop', 'length']).toContain(last?.finishReason);
  });

  test.for([
    {
      name: 'no such model',
      served: 'other',
      says: /^\[endpoint-missing\] HTTP 404: model "other" not found/,
    },
    { name: 'a key that is missing', key: 'secret', says: /^\[endpoint-key\] HTTP 401: Invalid API Key/ },
    {
      name: 'more than it reads at once',
      text: 'Of the sea. '.repeat(2500),
      says: /^\[endpoint-refused\] HTTP 400: the request exceeds the available context size/,
    },
  ])(
    'sends an error that is reported to the user: $name',
    async ({ served = 'ember', key, text = 'Hello', says }) => {
      server.key = key;
      const engine = createEndpoint({ egress: openDoor(server.origin), keyOf: () => undefined });
      await engine.load({ ...spec(), served }, { signal: never, onProgress: () => undefined });
      const request = {
        messages: [{ role: 'user' as const, content: text }],
        sampling: { temperature: 0 },
        maxTokens: 4,
      };
      const { items } = await collect(engine.generate(request, never) as AsyncGenerator<TextDelta>);
      expect(items.at(-1)).toMatchObject({
        finishReason: 'error',
        errorMessage: expect.stringMatching(says) as string,
      });
    },
  );
});

test('in the built site, a llama.cpp server can be added, and its model calls the calculator', async () => {
  const site: Site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  try {
    const form = await typeEndpoint(page, { address: server.origin });
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByRole('button', { name: `Allow ${server.origin}, and try` }).click();
    await form.getByText('ember answers.').waitFor({ timeout: 100_000 });
    await form.getByText('Its words come as they are written.').waitFor();
    await form.getByRole('switch', { name: 'Native tool calls' }).setChecked(true);
    await form.getByRole('button', { name: 'Save' }).click();
    // The built-in Ember already has that id.
    const id = `ember (${new URL(server.origin).host})`;
    const article = page.getByRole('article').filter({ hasText: 'a server on this device' });
    await article.getByText('Native tool calls.').waitFor();
    expect(await article.getAttribute('aria-label')).toBe(id);
    await article.getByRole('button', { name: 'Use', exact: true }).click();
    await article.getByRole('status').getByText('Running').waitFor();
    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, 'What is 17 * 23?');
    const card = lastReply(page)
      .getByRole('group', { name: /^calculator:/ })
      .first();
    await expect.poll(() => card.getByLabel('Result', { exact: true }).textContent()).toBe('391');
    await turnEnds(page);
    expect(server.requests.some(({ body }) => body.tools !== undefined)).toBe(true);
  } finally {
    await site.close();
  }
});

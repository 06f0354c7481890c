/** An engine that runs on the page fits without a change to the host: one of the browser's own, and one that is elsewhere. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ModelEvent, ModelSpec } from '../../src/contracts/model';
import { endpoint } from '../../src/engines/endpoint/kind';
import type { EngineKind } from '../../src/engines/engine';
import { createModelHost, type HostPhase } from '../../src/engines/host/model-host';
import { createPageModel } from '../../src/engines/host/page-model';
import { models } from '../../src/engines/library/built-in';
import { createChatModel } from '../../src/protocol/chat-model';
import { collect } from '../support/collect';
import { type EndpointServer, openEndpointServer } from '../support/endpoint-server';

const usage = { promptTokens: 3, prefilledTokens: 3, outputTokens: 1 };
const never = new AbortController().signal;
const spec: ModelSpec = { ...models[0], format: 'hermes', isSmall: false };

/** One that the browser brings along: it says word by word what it was told last. */
const inBrowser: EngineKind = {
  id: 'browser-model',
  place: 'browser',
  runsIn: 'page',
  obstacles: () => [],
  remarks: () => [],
  canRun: () => true,
  create: async () => ({
    load: async () => undefined,
    count: async (messages) => messages.map(({ content }) => content.length),
    async *generate({ messages }, signal) {
      for (const word of (messages.at(-1)?.content ?? '').split(' ')) {
        if (signal.aborted) break;
        yield { type: 'text-delta', text: `${word} ` };
      }
      yield { type: 'finish', finishReason: signal.aborted ? 'aborted' : 'stop', usage, prompt: '' };
    },
  }),
};

let server: EndpointServer;
beforeAll(async () => {
  // Node 20 has none.
  vi.stubGlobal('navigator', { onLine: true });
  server = await openEndpointServer();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

function hostOf(kind: EngineKind) {
  const phases: HostPhase['type'][] = [];
  const host = createModelHost({
    spec: { ...spec, engine: kind.id, served: 'test-model', file: { path: server.url, bytes: 0 } },
    tools: [],
    open: () =>
      createPageModel(async (loading, _tools, options) => {
        if (kind.runsIn !== 'page') throw new Error(`${kind.id} runs in a worker.`);
        const engine = await kind.create({ egress: server.egress, keyOf: () => server.key });
        await engine.load(loading, options);
        return createChatModel(engine, loading, () => 'id');
      }),
    onPhase: ({ type }) => phases.push(type),
    onQueued: () => undefined,
    onSlow: () => undefined,
    limits: { loadMs: 10_000, firstTokenMs: 10_000, betweenTokensMs: 10_000, slowMs: 10_000 },
  });
  const ask = (text: string, signal = never) => {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }];
    return collect(
      host.respond({ messages, tools: [], toolChoice: 'auto' }, signal) as AsyncGenerator<ModelEvent>,
    );
  };
  return { host, ask, phases };
}
const textOf = ({ items }: { items: ModelEvent[] }) =>
  items.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
const finishes = ({ items }: { items: ModelEvent[] }) => items.filter(({ type }) => type === 'finish');

describe.for([inBrowser, endpoint])('$id', (kind) => {
  test('answers, with one finish at the end, and is loaded once', async () => {
    const { ask, phases } = hostOf(kind);
    const reply = await ask('one two three');
    expect(textOf(reply)).toContain('one two three');
    expect(finishes(reply)).toEqual([reply.items.at(-1)]);
    await ask('again');
    expect(phases).toEqual(['loading', 'ready']);
  });

  test('says how much of its context a chat takes', async () => {
    const { host } = hostOf(kind);
    const use = await host.measure([{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }], []);
    expect(use.promptTokens).toBeGreaterThan(0);
  });
});

/** A reply whose first words have come, and that hangs. */
async function hanging({ host }: ReturnType<typeof hostOf>, signal = never) {
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'one hang two' }] }];
  const events = host.respond({ messages, tools: [], toolChoice: 'auto' }, signal)[Symbol.asyncIterator]();
  for (;;) {
    const next = await events.next();
    if (next.done) throw new Error('It did not hang.');
    if (next.value.type === 'text-delta') return { events, request: server.requests.at(-1)! };
  }
}

test('a reply under way ends with the life of the model, and the next question begins another', async () => {
  const hosted = hostOf(endpoint);
  await hosted.ask('one');
  const { events } = await hanging(hosted);
  const lost = expect(events.next()).rejects.toMatchObject({ code: 'load-cancelled' });
  hosted.host.cancel();
  await lost;
  expect(textOf(await hosted.ask('two'))).toContain('two');
  expect(hosted.phases).toEqual(['loading', 'ready', 'idle', 'loading', 'ready']);
});

test('Stop ends a reply from elsewhere with what was there, and the server hears it', async () => {
  const stop = new AbortController();
  const { events, request } = await hanging(hostOf(endpoint), stop.signal);
  const next = events.next();
  stop.abort();
  const { value } = (await next) as { value: ModelEvent };
  expect(value).toMatchObject({
    type: 'finish',
    message: { finishReason: 'aborted', content: [{ type: 'text', text: 'one' }] },
  });
  expect(await request.closed).toBe(false);
});

test('the key of a server is sent to it, and does not come back', async () => {
  const reply = await hostOf(endpoint).ask('my key is secret');
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${server.key}`);
  expect(textOf(reply)).toBe('my [key] is secret');
});

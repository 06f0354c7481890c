/** Checks that the host runs engines on the page unchanged: the browser's own model and a model on a server. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ModelEvent, ModelSpec } from '../../src/contracts/model';
import { browserModel } from '../../src/engines/browser-model/kind';
import { endpoint } from '../../src/engines/endpoint/kind';
import type { EngineKind } from '../../src/engines/engine';
import { createModelHost, type HostPhase } from '../../src/engines/host/model-host';
import { createPageModel } from '../../src/engines/host/running-model';
import { ember } from '../../src/ember/spec';
import { createChatModel } from '../../src/protocol/chat-model';
import { collect } from '../support/collect';
import { type EndpointServer, openEndpointServer } from '../support/endpoint-server';
import { installPromptApi } from '../support/fake-prompt-api';

const neverAborts = new AbortController().signal;
const spec: ModelSpec = { ...ember, format: 'hermes', isSmall: false };

let server: EndpointServer;
beforeAll(async () => {
  // Node 20 has no `navigator`.
  vi.stubGlobal('navigator', { onLine: true });
  installPromptApi({ contextWindow: 9216 });
  server = await openEndpointServer();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
});

function hostOf(kind: EngineKind) {
  const phases: HostPhase['type'][] = [];
  let ready: Extract<HostPhase, { type: 'ready' }> | undefined;
  const host = createModelHost({
    spec: { ...spec, engine: kind.id, served: 'test-model', file: { path: server.url, bytes: 0 } },
    open: () =>
      createPageModel(async (loading, options) => {
        if (kind.runsIn !== 'page') throw new Error(`${kind.id} runs in a worker.`);
        const engine = await kind.create({ egress: server.egress, keyOf: () => server.key });
        await engine.load(loading, options);
        const model = createChatModel(engine, loading, () => 'id');
        return { ...model, contextTokens: engine.contextTokens };
      }),
    onPhase(phase) {
      phases.push(phase.type);
      if (phase.type === 'ready') ready = phase;
    },
    onQueued: () => undefined,
    onSlow: () => undefined,
    onSilent: () => false,
    onSilenceEnd: () => undefined,
    limits: {
      loadMs: 10_000,
      firstTokenMs: 10_000,
      unknownSpeedMs: 10_000,
      betweenTokensMs: 10_000,
      slowMs: 10_000,
    },
  });
  const ask = (text: string, signal = neverAborts) => {
    const messages = [
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text }],
        origins: [{ door: 'typed' as const }],
      },
    ];
    return collect(
      host.respond({ messages, tools: [], toolChoice: 'auto' }, signal) as AsyncGenerator<ModelEvent>,
    );
  };
  return { host, ask, phases, ready: () => ready };
}
const textOf = ({ items }: { items: ModelEvent[] }) =>
  items.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
const finishes = ({ items }: { items: ModelEvent[] }) => items.filter(({ type }) => type === 'finish');

describe.for([browserModel, endpoint])('the engine $id', (kind) => {
  test('loads once for several questions, and each reply ends with one finish event', async () => {
    const { ask, phases } = hostOf(kind);
    const reply = await ask('one two three');
    expect(textOf(reply)).toContain('one two three');
    expect(finishes(reply)).toEqual([reply.items.at(-1)]);
    await ask('again');
    expect(phases).toEqual(['loading', 'ready']);
  });

  test('measures how much of the context a chat uses', async () => {
    const { host } = hostOf(kind);
    const use = await host.measure(
      [{ role: 'user', content: [{ type: 'text', text: 'Hello' }], origins: [{ door: 'typed' }] }],
      [],
    );
    expect(use.promptTokens).toBeGreaterThan(0);
  });
});

test("an engine that knows its model's context size reports it after loading", async () => {
  const browsers = hostOf(browserModel);
  await browsers.ask('one');
  expect(browsers.ready()).toEqual({ type: 'ready', contextTokens: 9216 });
  const servers = hostOf(endpoint);
  await servers.ask('one');
  expect(servers.ready()).toEqual({ type: 'ready' });
});

/** Starts a reply that hangs after its first words. */
async function hanging({ host }: ReturnType<typeof hostOf>, signal = neverAborts) {
  const messages = [
    {
      role: 'user' as const,
      content: [{ type: 'text' as const, text: 'one hang two' }],
      origins: [{ door: 'typed' as const }],
    },
  ];
  const events = host.respond({ messages, tools: [], toolChoice: 'auto' }, signal)[Symbol.asyncIterator]();
  for (;;) {
    const next = await events.next();
    if (next.done) throw new Error('It did not hang.');
    if (next.value.type === 'text-delta') return { events, request: server.requests.at(-1)! };
  }
}

test('closing the model ends its reply, and the next question loads the model again', async () => {
  const hosted = hostOf(endpoint);
  await hosted.ask('one');
  const { events } = await hanging(hosted);
  const lost = expect(events.next()).rejects.toMatchObject({ code: 'load-cancelled' });
  hosted.host.cancel();
  await lost;
  expect(textOf(await hosted.ask('two'))).toContain('two');
  expect(hosted.phases).toEqual(['loading', 'ready', 'idle', 'loading', 'ready']);
});

test('Stop keeps the text received so far and closes the connection to the model server', async () => {
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

test("a model server's API key is sent with the request and hidden in the reply", async () => {
  const reply = await hostOf(endpoint).ask('my key is secret');
  expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${server.key}`);
  expect(textOf(reply)).toBe('my [key] is secret');
});

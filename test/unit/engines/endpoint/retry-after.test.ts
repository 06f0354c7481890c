/** How long we wait for a busy server, and what we report meanwhile. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ModelEvent, ModelSpec, TextDelta } from '../../../../src/contracts/model';
import type { RetryClock } from '../../../../src/engines/endpoint/ask-server';
import { createEndpoint } from '../../../../src/engines/endpoint/engine';
import { readRetryAfterMs, findRetryWaitMs } from '../../../../src/engines/endpoint/faults';
import { ownModelSpecOf } from '../../../../src/engines/library/find-model';
import { createChatModel } from '../../../../src/protocol/chat-model';
import { collect } from '../../../support/collect';
import { type CompletionsServer, openCompletionsServer } from '../../../support/completions-server';
import { openDoor } from '../../../support/endpoint-server';

const now = Date.UTC(2026, 10, 26, 12, 0, 0);

describe('the delay in a Retry-After header', () => {
  test.for<[string | undefined, number | undefined]>([
    ['30', 30_000],
    [' 0 ', 0],
    ['Thu, 26 Nov 2026 12:00:20 GMT', 20_000],
    ['Thursday, 26-Nov-26 12:00:20 GMT', 20_000],
    ['Thu, 26 Nov 2026 11:59:00 GMT', 0],
    ['soon', undefined],
    ['1.5', undefined],
    ['-3', undefined],
    ['99999999', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('it is parsed: "%s" means %s ms', ([header, wait]) => expect(readRetryAfterMs(header, now)).toBe(wait));
});

describe('the delay before Hearth repeats a request to a busy server', () => {
  test.for<[string, string | undefined, number, number | undefined]>([
    ['the server chooses the delay', '30', 0, 30_000],
    ['the engine waits at most a minute', '61', 0, undefined],
    ['the engine waits at most three times', '1', 3, undefined],
    ['the first default delay is one second', undefined, 0, 1_000],
    ['the second default delay is three seconds', undefined, 1, 3_000],
    ['there is no third default delay', undefined, 2, undefined],
    ['an unreadable header counts as missing', 'soon', 0, 1_000],
  ])('%s', ([, header, times, wait]) => expect(findRetryWaitMs(header, times, now)).toBe(wait));
});

describe('a request to a busy server', () => {
  let server: CompletionsServer;
  beforeAll(async () => {
    // Node 20 has no `navigator`.
    vi.stubGlobal('navigator', { onLine: true });
    server = await openCompletionsServer();
  });
  afterEach(() => server.forget());
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });

  const never = new AbortController().signal;
  const busy = (retryAfter?: string) => ({
    status: 429,
    headers: {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
    body: JSON.stringify({ error: { message: 'Rate limit reached' } }),
  });
  const spec = (): ModelSpec =>
    ownModelSpecOf(
      {
        id: 'mine',
        engine: 'endpoint',
        modelUrl: server.url,
        overrides: {},
        endpoint: { model: 'test-model', isNative: false },
      },
      [],
    );

  async function ask(patience: Partial<RetryClock> = {}, signal = never) {
    const waits: number[] = [];
    const engine = createEndpoint(
      { egress: openDoor(server.origin), keyOf: () => undefined },
      { now: () => now, wait: async (ms) => void waits.push(ms), ...patience },
    );
    await engine.load(spec(), { signal: never, onProgress: () => undefined });
    const request = {
      messages: [{ role: 'user' as const, content: 'Hi' }],
      sampling: { temperature: 0 },
      maxTokens: 20,
    };
    const { items } = await collect(engine.generate(request, signal) as AsyncGenerator<TextDelta>);
    return { items, waits, finish: items.at(-1) };
  }

  test('it is repeated after the delay that the server asks for, and an event reports the delay', async () => {
    server.say(busy('7'), busy('Thu, 26 Nov 2026 12:00:09 GMT'), { text: 'Hello.' });
    const { items, waits, finish } = await ask();
    expect(waits).toEqual([7_000, 9_000]);
    expect(items.slice(0, 3)).toEqual([
      { type: 'server-wait', seconds: 7 },
      { type: 'server-wait', seconds: 9 },
      { type: 'text-delta', text: 'Hello.' },
    ]);
    expect(finish).toMatchObject({ finishReason: 'stop' });
  });

  test.for([
    { name: 'after three repetitions', replies: ['1', '1', '1', '5'], asked: 4, says: '[endpoint-busy] 5' },
    {
      name: 'at once if the server asks for too long a wait',
      replies: ['300'],
      asked: 1,
      says: '[endpoint-busy] 300',
    },
    {
      name: 'at once if the server names a date too far away',
      replies: ['Thu, 26 Nov 2026 13:00:00 GMT'],
      asked: 1,
      says: '[endpoint-busy] 3600',
    },
    {
      name: 'after two repetitions if the server names no delay',
      replies: [undefined, undefined, undefined],
      asked: 3,
      says: '[endpoint-busy] ',
    },
  ])('it fails $name', async ({ replies, asked, says }) => {
    server.say(...replies.map(busy));
    const { finish } = await ask();
    expect(finish).toMatchObject({ finishReason: 'error', errorMessage: says });
    expect(server.requests).toHaveLength(asked);
  });

  test('it is not repeated after Stop', async () => {
    const stop = new AbortController();
    server.say(busy('50'));
    const wait: RetryClock['wait'] = (_, signal) => {
      stop.abort();
      return signal.aborted ? Promise.reject(new Error('stopped')) : Promise.resolve();
    };
    const { finish } = await ask({ wait }, stop.signal);
    expect(finish).toMatchObject({ finishReason: 'aborted' });
    expect(server.requests).toHaveLength(1);
  });

  test('its wait is reported as an event, not as part of the message', async () => {
    const engine = createEndpoint(
      { egress: openDoor(server.origin), keyOf: () => undefined },
      { now: () => now, wait: () => Promise.resolve() },
    );
    await engine.load(spec(), { signal: never, onProgress: () => undefined });
    const model = createChatModel(engine, spec(), () => 'id');
    server.say(busy('7'), { text: 'Hello.' });
    const messages = [
      {
        role: 'user' as const,
        content: [{ type: 'text' as const, text: 'Hi' }],
        origins: [{ door: 'typed' as const }],
      },
    ];
    const reply = model.respond({ messages, tools: [], toolChoice: 'auto' }, never);
    const { items } = await collect(reply as AsyncGenerator<ModelEvent>);
    expect(items.map(({ type }) => type)).toEqual(['context', 'server-wait', 'text-delta', 'finish']);
    expect(items.at(-1)).toMatchObject({ message: { content: [{ type: 'text', text: 'Hello.' }] } });
  });
});

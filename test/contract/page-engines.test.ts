/** An engine that runs on the page fits without a change to the host: one of the browser's own, and one that is elsewhere. */
import { describe, expect, test } from 'vitest';
import type { ModelEvent, ModelSpec, TextEngine } from '../../src/contracts/model';
import type { EngineKind, PageParts } from '../../src/engines/engine';
import { createModelHost, type HostPhase } from '../../src/engines/host/model-host';
import { createPageModel } from '../../src/engines/host/page-model';
import { models } from '../../src/engines/library/built-in';
import { dressEngine } from '../../src/protocol/dress-engine';
import { collect } from '../support/collect';

const usage = { promptTokens: 3, prefilledTokens: 3, outputTokens: 1 };
const never = new AbortController().signal;
const spec: ModelSpec = { ...models[0], format: 'hermes', isSmall: false };

/** Words that come one after another, until it is stopped. `say` gets what the person said last. */
function speaking(say: (text: string, signal: AbortSignal) => AsyncIterable<string>): TextEngine {
  return {
    load: async () => undefined,
    count: async (messages) => messages.map(({ content }) => content.length),
    async *generate({ messages }, signal) {
      const prompt = messages.map(({ content }) => content).join('\n');
      for await (const text of say(messages.at(-1)?.content ?? '', signal)) {
        if (signal.aborted) break;
        yield { type: 'text-delta', text };
      }
      yield { type: 'finish', finishReason: signal.aborted ? 'aborted' : 'stop', usage, prompt };
    },
  };
}

const common = { obstacles: () => [], remarks: () => [], canRun: () => true } as const;

const inBrowser: EngineKind = {
  ...common,
  id: 'browser-model',
  place: 'browser',
  runsIn: 'page',
  create: async () =>
    speaking(async function* (text) {
      for (const word of text.split(' ')) yield `${word} `;
    }),
};

const elsewhere: EngineKind = {
  ...common,
  id: 'endpoint',
  place: 'elsewhere',
  runsIn: 'page',
  create: async ({ egress }) =>
    speaking(async function* (text, signal) {
      const request = { url: 'https://models.example/', method: 'POST' as const, headers: {}, body: text };
      const limits = {
        tool: 'endpoint',
        accept: ['text/plain'],
        maxBytes: 10_000,
        timeoutMs: 10_000,
        redirect: 'never' as const,
      };
      yield (await egress.send({ ...request, ...limits }, signal)).text;
    }),
};

/** A server that never answers what holds the word "hang", and says that it was asked. */
const egressTo = (onHang: () => void): PageParts['egress'] => ({
  send: ({ url, body = '' }, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
      if (body.includes('hang')) onHang();
      else resolve({ url, status: 200, headers: {}, text: `You said: ${body}`, isCut: false });
    }),
});

function hostOf(kind: EngineKind) {
  const phases: HostPhase['type'][] = [];
  let onHang = () => {};
  const asking = new Promise<void>((resolve) => (onHang = resolve));
  const host = createModelHost({
    spec: { ...spec, engine: kind.id },
    tools: [],
    open: () =>
      createPageModel(async (loading, _tools, options) => {
        if (kind.runsIn !== 'page') throw new Error(`${kind.id} runs in a worker.`);
        const engine = await kind.create({ egress: egressTo(onHang) });
        await engine.load(loading, options);
        return dressEngine(engine, loading, () => 'id');
      }),
    claim: async () => () => undefined,
    onPhase: ({ type }) => phases.push(type),
    onSlow: () => undefined,
    limits: { loadMs: 10_000, firstTokenMs: 10_000, betweenTokensMs: 10_000, slowMs: 10_000 },
  });
  const ask = (text: string, signal = never) => {
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }];
    return collect(
      host.respond({ messages, tools: [], toolChoice: 'auto' }, signal) as AsyncGenerator<ModelEvent>,
    );
  };
  return { host, ask, phases, asking };
}
const textOf = ({ items }: { items: ModelEvent[] }) =>
  items.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
const finishes = ({ items }: { items: ModelEvent[] }) => items.filter(({ type }) => type === 'finish');

describe.for([inBrowser, elsewhere])('$id', (kind) => {
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
    expect(use.promptTokens).toBe('Hello'.length);
  });
});

test('a reply under way ends with the life of the model, and the next question begins another', async () => {
  const { host, ask, phases, asking } = hostOf(elsewhere);
  await ask('one');
  const lost = expect(ask('hang on')).rejects.toMatchObject({ code: 'load-cancelled' });
  await asking;
  host.cancel();
  await lost;
  expect(textOf(await ask('two'))).toContain('two');
  expect(phases).toEqual(['loading', 'ready', 'idle', 'loading', 'ready']);
});

test('Stop reaches what is elsewhere', async () => {
  const { ask, asking } = hostOf(elsewhere);
  const stop = new AbortController();
  const asked = ask('hang on', stop.signal);
  await asking;
  stop.abort();
  const reply = await asked;
  expect(reply.items.at(-1)).toMatchObject({ type: 'finish', message: { finishReason: 'aborted' } });
});

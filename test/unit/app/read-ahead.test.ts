/** Reading ahead: the model reads the beginning of the next prompt before the user asks. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createReadAhead,
  type ReadAheadOptions,
  toDay,
  type TurnDependencies,
} from '../../../src/app/run-turn';
import type { GenerateRequest, ModelSpec, TextEngine } from '../../../src/contracts/model';
import type { Tool } from '../../../src/contracts/tool';
import { untilAborted } from '../../../src/contracts/until-aborted';
import { createChatModel } from '../../../src/protocol/chat-model';
import { personaContent } from '../../support/persona';
import { tool } from '../../support/tools';
import { noFallback, stageTurn } from '../../support/turn-stage';
import { small } from '../../support/web-llm-model';

/** A model whose engine supports reading ahead. */
const large = { ...small, engine: 'llama' };

const usage = { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 };
const asks = (text: string) => [
  {
    role: 'user' as const,
    content: [{ type: 'text' as const, text }],
    origins: [{ door: 'typed' as const }],
    day: toDay(5),
  },
];
const never = new Promise<never>(() => undefined);

/** A turn with the real chat protocol and a simulated engine that replies "Yes." Records the requests to the engine. */
function stageEngine(more: readonly Tool[] = [], changed: Partial<TurnDependencies> = {}, spec = large) {
  const requests: GenerateRequest[] = [];
  const engine: TextEngine = {
    load: () => Promise.resolve(),
    count: (messages) => Promise.resolve(messages.map(({ content }) => content.length / 4)),
    async *generate(request) {
      requests.push(request);
      if (!request.onlyRead) yield { type: 'text-delta', text: 'Yes.' };
      yield { type: 'finish', finishReason: 'stop', usage, prompt: '' };
    },
  };
  const model = createChatModel(engine, spec, () => 'id');
  const untold = vi.fn(() => undefined);
  const staged = stageTurn(
    {
      host: { ...model, spec, hold: async () => () => undefined },
      fallbacks: {
        specFor: async () => spec,
        untold,
        forTurn: () => noFallback,
      },
      ...changed,
    },
    [],
    more,
  );
  return { ...staged, requests, untold };
}

const personas: TurnDependencies['personas'] = {
  find: async (id) =>
    id === undefined
      ? undefined
      : {
          id,
          createdAt: 1,
          updatedAt: 1,
          content: personaContent('Timekeeper', id === 'picky' ? { tools: ['clock'] } : { language: 'en' }),
        },
  personaOf: () => undefined,
};
const many = Array.from({ length: 30 }, (_, at) => tool(`lamp_${at}`, async () => 'lit'));

interface Chat {
  name: string;
  /** Tools in addition to `web_search` and `clock`. */
  more?: readonly Tool[];
  options?: Partial<ReadAheadOptions>;
  spec?: ModelSpec;
  /** Strings that the system text must contain. `lacks`: must not contain. */
  says: string[];
  lacks: string[];
}

describe('reading the start of the prompt in advance', () => {
  test.for<Chat>([
    { name: 'a chat with all tools', says: ['web_search', 'clock'], lacks: [] },
    {
      name: 'a chat with a tool off',
      options: { toolsOff: ['web_search'] },
      says: ['clock'],
      lacks: ['web_search'],
    },
    {
      name: 'a chat with a persona',
      options: { persona: 'any' },
      says: ['You are Timekeeper.', 'Answer in English.', 'web_search'],
      lacks: [],
    },
    {
      name: 'a chat with a persona that has few tools',
      options: { persona: 'picky' },
      says: ['You are Timekeeper.', 'clock'],
      lacks: ['web_search'],
    },
    { name: 'a chat with more tools than are listed', more: many, says: ['find_tools'], lacks: ['lamp_'] },
    {
      name: 'a chat with a persona and more tools than are listed',
      more: many,
      options: { persona: 'any' },
      says: ['You are Timekeeper.', 'find_tools', 'clock'],
      lacks: ['lamp_'],
    },
    {
      name: 'a chat that always searches for its tools',
      options: { toolSearch: 'always' },
      says: ['find_tools'],
      lacks: ['web_search'],
    },
    {
      name: 'a very small model with a persona',
      options: { persona: 'any' },
      spec: { ...large, isSmall: true },
      says: ['clock'],
      lacks: ['You are Timekeeper.', 'find_tools'],
    },
  ])(
    'the model reads the same text that the first prompt begins with: $name',
    async ({ more, options, spec, says, lacks }) => {
      const { run, readBefore, requests } = stageEngine(more, { personas }, spec);
      await readBefore(options);
      await run(asks('Explain photosynthesis in one sentence.'), options);
      const [ahead, question] = requests;
      expect(ahead).toMatchObject({ onlyRead: true, maxTokens: 0 });
      expect(ahead?.messages.map(({ role }) => role)).toEqual(['system']);
      expect(question?.onlyRead).toBeUndefined();
      expect(question?.messages.slice(0, -1)).toEqual(ahead?.messages);
      const text = ahead?.messages[0]?.content;
      for (const part of says) expect(text).toContain(part);
      for (const part of lacks) expect(text).not.toContain(part);
    },
  );

  test('sends the model the same tools as the first question does', async () => {
    const { run, readBefore, model } = stageTurn({ personas }, [[], [{ type: 'text', text: 'Yes.' }]], many);
    await readBefore({ persona: 'any' });
    await run(asks('Is it so?'), { persona: 'any' });
    const [ahead, question] = model.requests;
    expect(ahead).toMatchObject({ onlyRead: true, toolChoice: question?.toolChoice });
    expect(ahead?.listed).toEqual(['find_tools', 'clock']);
    expect(ahead?.listed).toEqual(question?.listed);
    expect(ahead?.tools).toEqual(question?.tools);
    expect([...ahead!.messages, ...asks('Is it so?')]).toEqual(question?.messages);
    expect(ahead?.sampling).toEqual(question?.sampling);
  });

  test('uses the tool list that the chat had before', async () => {
    const { readBefore, model } = stageTurn({}, [[]], many);
    const counts = { toolsOn: 32, droppedMessages: 0, tokens: 0, allTokens: 0 };
    const listed = [
      { name: 'clock', reason: 'pinned' as const },
      { name: 'lamp_7', reason: 'used' as const },
    ];
    await readBefore({ toolOffer: { modelId: large.id, finder: 'model', listed, ...counts } });
    expect(model.requests[0]?.listed).toEqual(['find_tools', 'clock', 'lamp_7']);
  });

  test('runs no tool and stores nothing', async () => {
    const run = vi.fn(async () => 'done');
    const keep = vi.fn(async () => undefined);
    const rulesFor = vi.fn();
    const fileTools = vi.fn(async () => []);
    const { readBefore, searched, kept, untold } = stageEngine([tool('lamp', run)], {
      results: { keep },
      rulesFor,
      fileTools,
      isSearchingFirst: () => true,
    });
    await readBefore();
    expect([run, keep, rulesFor, fileTools, untold].map(({ mock }) => mock.calls.length)).toEqual([
      0, 0, 0, 0, 0,
    ]);
    expect(searched).toEqual([]);
    expect(kept.size).toBe(0);
  });

  test('does not report that searching for tools by meaning failed, but the next answer does', async () => {
    const { parts, readBefore, run } = stageTurn({}, [[], [{ type: 'text', text: 'Yes.' }]]);
    const failures = [true];
    parts.offers = { ...parts.offers, takeFailure: () => failures.pop() ?? false };
    await readBefore();
    expect((await run(asks('Is it so?'))).items[0]).toEqual({ type: 'notice', code: 'words-only' });
  });

  test('reserves the model until reading is finished', async () => {
    const { readBefore, log, model } = stageTurn();
    await readBefore();
    expect(model.requests).toHaveLength(1);
    expect(log).toEqual(['hold small', 'release']);
  });

  test('releases the model when reading is aborted', async () => {
    const stop = new AbortController();
    const begun = vi.fn();
    const { readBefore, log } = stageTurn({
      host: {
        async *respond(_request, signal) {
          begun();
          yield await untilAborted(never, signal);
        },
      },
    });
    const reading = readBefore({ signal: stop.signal });
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    expect(log).toEqual(['hold small']);
    stop.abort();
    await expect(reading).rejects.toThrow('aborted');
    expect(log).toEqual(['hold small', 'release']);
  });

  test('sends nothing to the model if aborted while another model is answering', async () => {
    const stop = new AbortController();
    const { readBefore, model } = stageTurn({
      host: { spec: large, hold: (_spec, signal) => untilAborted(never, signal) },
    });
    const reading = readBefore({ signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toThrow('aborted');
    expect(model.requests).toEqual([]);
  });

  test('releases the model when reading fails', async () => {
    const { readBefore, log, parts } = stageTurn();
    parts.fallbacks.forTurn = () => {
      throw new TypeError('a bug');
    };
    await expect(readBefore()).rejects.toThrow('a bug');
    expect(log).toEqual(['hold small', 'release']);
  });
});

describe('starting to read the prompt in advance', () => {
  /** Callbacks that wait for an idle moment. */
  let idle: (() => void)[] = [];
  const becomeIdle = () => idle.splice(0).forEach((resume) => resume());
  beforeEach(() => {
    idle = [];
    const requestIdleCallback = (resume: () => void) => idle.push(resume);
    vi.stubGlobal('window', { requestIdleCallback });
    vi.stubGlobal('requestIdleCallback', requestIdleCallback);
  });
  afterEach(() => vi.unstubAllGlobals());

  /** Each read runs until its signal aborts. */
  function stage() {
    const signals: AbortSignal[] = [];
    const reading = { now: 0, most: 0 };
    const ahead = createReadAhead(async (signal) => {
      signals.push(signal);
      reading.now += 1;
      reading.most = Math.max(reading.most, reading.now);
      await untilAborted(never, signal).finally(() => (reading.now -= 1));
    });
    return { ahead, signals, reading };
  }

  test('starts reading once the page is idle', async () => {
    const { ahead, signals } = stage();
    const ended = ahead.begin();
    await Promise.resolve();
    expect(signals).toEqual([]);
    becomeIdle();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    ahead.stop();
    await ended;
    expect(signals[0]?.aborted).toBe(true);
  });

  test('reads nothing if stopped before the page is idle', async () => {
    const { ahead, signals } = stage();
    const ended = ahead.begin();
    ahead.stop();
    becomeIdle();
    await ended;
    expect(signals).toEqual([]);
  });

  test('reads only once if started twice before the page is idle', async () => {
    const { ahead, signals } = stage();
    const first = ahead.begin();
    const second = ahead.begin();
    becomeIdle();
    await first;
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    expect(signals[0]?.aborted).toBe(false);
    ahead.stop();
    await second;
  });

  test('stops an earlier read before starting another', async () => {
    const { ahead, signals, reading } = stage();
    const first = ahead.begin();
    becomeIdle();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    const second = ahead.begin();
    await first;
    becomeIdle();
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(reading.most).toBe(1);
    ahead.stop();
    await second;
  });

  test('ignores an error and can be started again', async () => {
    const read = vi.fn(async () => {
      throw new Error('out of memory');
    });
    const ahead = createReadAhead(read);
    for (const times of [1, 2]) {
      const ended = ahead.begin();
      becomeIdle();
      await expect(ended).resolves.toBeUndefined();
      expect(read).toHaveBeenCalledTimes(times);
    }
  });
});

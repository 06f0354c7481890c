import { describe, expect, test } from 'vitest';
import { AppError, writeError } from '../../../../src/contracts/app-error';
import type {
  ChatModel,
  ContextUse,
  ModelEvent,
  ModelSpec,
  ReplyRequest,
} from '../../../../src/contracts/model';
import { createPipeline } from '../../../../src/contracts/pipeline';
import type { ToolSpec } from '../../../../src/contracts/tool';
import type { ModelHost } from '../../../../src/engines/host/model-host';
import { createFallbacks, type FallbackOptions } from '../../../../src/engines/host/fallbacks';
import { collect } from '../../../support/collect';
import { small } from '../../../support/web-llm-model';

const large: ModelSpec = { ...small, id: 'large', name: 'Large' };
const ember: ModelSpec = { ...small, id: 'ember', name: 'Ember', engine: 'llama', isSmall: true };
const tool = (name: string): ToolSpec => ({
  name,
  title: name,
  description: '',
  inputSchema: {},
  isForLargerModels: name === 'code',
});
const neverAborts = new AbortController().signal;
const request: ReplyRequest = { messages: [], tools: [tool('code'), tool('clock')], toolChoice: 'auto' };
const context: ContextUse = { promptTokens: 1, limitTokens: 9, droppedMessages: 0 };

function finish(errorMessage?: string): ModelEvent {
  return {
    type: 'finish',
    message: {
      role: 'assistant',
      content: [],
      finishReason: errorMessage === undefined ? 'stop' : 'error',
      errorMessage,
    },
    usage: { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 },
  };
}

/** Creates a fallback stage whose host gives these replies in order, and logs its requests and their models. */
function stage(kept: ModelSpec[], ...replies: (ModelEvent | Error)[]) {
  let spec = large;
  const asked: string[] = [];
  const changes: string[] = [];
  const host: ModelHost = {
    get spec() {
      return spec;
    },
    hold: async () => () => undefined,
    replace: (next) => void (spec = next),
    load: async () => undefined,
    cancel: () => undefined,
    async *respond({ tools, toolChoice }) {
      const choice = typeof toolChoice === 'string' ? toolChoice : toolChoice.name;
      asked.push(`${spec.id} ${spec.contextTokens} ${tools.map(({ name }) => name).join('+')} ${choice}`);
      const reply = replies.shift() ?? finish();
      if (reply instanceof Error) throw reply;
      yield { type: 'context', context };
      yield reply;
    },
    measure: async (_, tools) => ({ ...context, promptTokens: tools.length }),
  };
  const options: FallbackOptions = {
    host,
    builtIn: ember,
    find: async (id) => ({
      spec: id === 'unknown' ? undefined : id === 'ember' ? ember : large,
      isKept: kept.some((one) => one.id === id) || id === 'ember',
    }),
    alternativesTo: async () => ({ smaller: kept.filter(({ id }) => id === 'small') }),
    onChange: (id, fallback) => changes.push(`${id}: ${fallback ? fallback.spec.id : 'itself'}`),
  };
  const fallbacks = createFallbacks(options);
  /** Starts a turn: its model, and the function that recovers it. */
  const begin = () => {
    const { stage: fallback, recover } = fallbacks.forTurn(wanted);
    return { ...createPipeline(host, [fallback]), recover };
  };
  return { fallbacks, begin, host, asked, changes };
}
const wanted = { id: 'large', name: 'Large' };
const lost = new AppError('gpu-lost', 'The device was lost.');

describe('a turn in which the model fails', () => {
  test('it first continues with the same model in a fresh worker', async () => {
    const { begin, asked, changes } = stage([large], lost);
    const turn = begin();
    await expect(collect(turn.respond(request, neverAborts) as AsyncGenerator<ModelEvent>)).rejects.toBe(
      lost,
    );
    expect(await turn.recover(writeError(lost))).toEqual({
      rung: 'fresh-worker',
      fault: 'gpu-lost',
      detail: 'The device was lost.',
      from: 'Large',
      to: 'Large',
      contextTokens: 8192,
    });
    await collect(turn.respond(request, neverAborts) as AsyncGenerator<ModelEvent>);
    expect(asked).toEqual(['large 8192 code+clock auto', 'large 8192 code+clock auto']);
    expect(changes).toEqual([]);
  });

  test('the model that would replace a silent one is the next recovery step of the turn', async () => {
    const { fallbacks, begin, host } = stage([large, small]);
    const turn = begin();
    const speak = () => collect(turn.respond(request, neverAborts) as AsyncGenerator<ModelEvent>);
    const found: (string | undefined)[] = [];
    await speak();
    found.push((await fallbacks.findReplacement())?.id);
    await turn.recover(writeError(new AppError('model-garbled', '')));
    await speak();
    found.push(host.spec.id, (await fallbacks.findReplacement())?.id);
    host.replace(ember);
    found.push((await fallbacks.findReplacement())?.id);
    expect(found).toEqual(['small', 'small', 'ember', undefined]);
  });

  test('it takes each recovery step once, and ends with the built-in model', async () => {
    const { begin, host, asked, changes } = stage([large, small]);
    const turn = begin();
    const rungs: (string | undefined)[] = [];
    for (let at = 0; at < 5; at++) rungs.push((await turn.recover(writeError(lost)))?.rung);
    expect(rungs).toEqual(['fresh-worker', 'less-context', 'smaller-model', 'built-in', undefined]);
    expect(changes).toEqual(['large: large', 'large: small', 'large: ember']);
    expect(host.spec.id).toBe('ember');
    const choice = { ...request, toolChoice: { name: 'code' } };
    await collect(turn.respond(choice, neverAborts) as AsyncGenerator<ModelEvent>);
    expect(asked).toEqual(['ember 8192 clock auto']);
    expect((await turn.measure([], request.tools)).promptTokens).toBe(1);
  });

  test('it reports an unknown error as a crash of the engine', async () => {
    const { fallbacks } = stage([large]);
    expect(await fallbacks.forTurn(wanted).recover('what is this?')).toMatchObject({
      fault: 'engine-crashed',
      detail: 'what is this?',
    });
  });

  test('it is not retried if the user cancelled the load', async () => {
    const { fallbacks, changes } = stage([large]);
    expect(await fallbacks.forTurn(wanted).recover('[load-cancelled] no')).toBeUndefined();
    expect(changes).toEqual([]);
  });
});

describe('a message that is too long for the model', () => {
  const tooLong = finish('[message-too-long] 5000 of 4000');
  const respond = (turn: ChatModel) =>
    collect(turn.respond(request, neverAborts) as AsyncGenerator<ModelEvent>);

  test('it is reported unchanged as an error', async () => {
    const { begin } = stage([large], tooLong);
    expect((await respond(begin())).items.at(-1)).toBe(tooLong);
  });

  test('it leads to a smaller model if the context was reduced for lack of memory', async () => {
    const { begin } = stage([large, small], tooLong);
    const turn = begin();
    await turn.recover('[out-of-memory] no');
    await expect(respond(turn)).rejects.toMatchObject({ code: 'message-too-long' });
    expect(await turn.recover('[message-too-long] no')).toMatchObject({ rung: 'smaller-model', to: 'Small' });
  });
});

describe('a fallback model', () => {
  test('it stays in use for later turns until the user asks for the original model', async () => {
    const { fallbacks, changes } = stage([large, small]);
    await fallbacks.forTurn(wanted).recover('[out-of-memory] no');
    expect(await fallbacks.specFor(wanted)).toMatchObject({ id: 'large', contextTokens: 4096 });
    fallbacks.forget('large');
    expect(await fallbacks.specFor(wanted)).toMatchObject({ id: 'large', contextTokens: 8192 });
    expect(changes.at(-1)).toBe('large: itself');
  });

  test.for([
    { name: 'a smaller one on this device', kept: [small], id: 'small' },
    { name: 'the built-in one', kept: [], id: 'ember' },
  ])('it is used for a missing model until that model is available: $name', async ({ kept, id }) => {
    const here = [...kept];
    const { fallbacks, changes } = stage(here);
    expect((await fallbacks.specFor(wanted)).id).toBe(id);
    expect(fallbacks.untold('large')).toMatchObject({ fault: 'model-not-downloaded', from: 'Large' });
    expect(fallbacks.untold('large')).toBeUndefined();
    here.push(large);
    expect((await fallbacks.specFor(wanted)).id).toBe('large');
    expect(changes).toEqual([`large: ${id}`, 'large: itself']);
  });

  test('it is the built-in model if the chosen model is unknown', async () => {
    const { fallbacks } = stage([]);
    expect(await fallbacks.specFor({ id: 'unknown', name: 'Gone' })).toBe(ember);
    expect(fallbacks.untold('unknown')).toMatchObject({ from: 'Gone', to: 'Ember' });
  });
});

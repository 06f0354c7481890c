import { describe, expect, test } from 'vitest';
import type {
  GenerateRequest,
  PrefillReason,
  PromptMessage,
  TextDelta,
} from '../../../../src/contracts/model';
import type { Said } from '../../../doubles/scripted-web-llm';
import { loadOnFakeGpu, type LoadedModel } from '../../../support/load-web-llm';
import { chatMl, record, small } from '../../../support/web-llm-model';

const system: PromptMessage = { role: 'system', content: 'Be brief.' };
const user = (content: string): PromptMessage => ({ role: 'user', content });
const tool = (content: string): PromptMessage => ({ role: 'tool', content });
const said = (content: string): PromptMessage => ({ role: 'assistant', content });

async function ask(
  { engine }: LoadedModel,
  messages: PromptMessage[],
  request: Partial<GenerateRequest> = {},
  signal = new AbortController().signal,
) {
  const deltas: TextDelta[] = [];
  const whole = { messages, sampling: small.sampling, maxTokens: 100, ...request };
  for await (const delta of engine.generate(whole, signal)) deltas.push(delta);
  const finish = deltas.at(-1);
  if (finish?.type !== 'finish') throw new Error('no finish');
  expect(deltas.filter(({ type }) => type === 'finish')).toHaveLength(1);
  return { ...finish, text: deltas.map((delta) => ('text' in delta ? delta.text : '')).join('') };
}

/** The whole conversation in the model's template, with the last reply open. */
function render(messages: PromptMessage[], template = chatMl): string {
  return messages
    .map(({ role, content }, index) => {
      const isOpen = role === 'assistant' && index === messages.length - 1;
      return template[role].before + content + (isOpen ? '' : template[role].after);
    })
    .join('');
}

describe("WebLLM's cache", () => {
  test('it holds the exact prompt over three rounds, so that only new text is read', async () => {
    const model = await loadOnFakeGpu(['<tool_call>{}</tool_call>', 'One more.', 'Done.']);
    const messages = [system, user('Look it up')];
    const rounds: number[] = [];
    for (const result of ['first $& result', 'second', undefined]) {
      const held = model.gpu.cache.length;
      const { text, usage } = await ask(model, messages);
      messages.push(said(text));
      expect(model.gpu.cacheText).toBe(render(messages));
      // The token that ends a reply is counted, but not cached.
      expect(usage.prefilledTokens).toBe(model.gpu.cache.length - held - (usage.outputTokens - 1));
      expect(usage.prefillReason).toBeUndefined();
      rounds.push(usage.promptTokens);
      if (result !== undefined) messages.push(tool(result));
    }
    expect(rounds).toEqual(rounds.toSorted((one, other) => one - other));
  });

  test.for<{
    name: string;
    script: (string | Said)[];
    next: (reply: string) => PromptMessage[];
    first?: object;
    reason: PrefillReason;
  }>([
    {
      name: 'a reply that was cut off',
      script: ['A long reply', 'x'],
      first: { maxTokens: 4 },
      next: (reply) => [system, user('Q'), said(reply), user('Go on')],
      reason: { code: 'cut-off' },
    },
    {
      name: 'a change of the system text',
      script: ['Yes', 'x'],
      next: (reply) => [{ ...system, content: 'Be long.' }, user('Q'), said(reply), user('More')],
      reason: { code: 'system' },
    },
    {
      name: 'a change of a reply',
      script: ['Yes', 'x'],
      next: (reply) => [system, user('Q'), said(`${reply} `), user('More')],
      reason: { code: 'history', message: 3, of: 3 },
    },
    {
      name: 'a switch to another chat',
      script: ['Yes', 'x'],
      next: () => [system, user('A title for this?')],
      reason: { code: 'other-chat' },
    },
    {
      name: 'the continuation of a reply',
      script: ['Yes', 'x'],
      next: (reply) => [system, user('Q'), said(reply)],
      reason: { code: 'history', message: 2, of: 3 },
    },
  ])(
    'it is refilled after $name, and the trace gives the reason',
    async ({ script, first, next, reason }) => {
      const model = await loadOnFakeGpu(script);
      const { text } = await ask(model, [system, user('Q')], first);
      const messages = next(text);
      const { usage } = await ask(model, messages);
      expect(usage.prefillReason).toEqual(reason);
      expect(usage.prefilledTokens).toBe(usage.promptTokens);
      expect(model.gpu.cacheText).toContain(render(messages));
    },
  );

  test('its loss is noticed from the token count, even if the reason is unknown', async () => {
    const model = await loadOnFakeGpu(['Yes', 'x']);
    await ask(model, [system, user('Q')]);
    await model.forget();
    const { usage } = await ask(model, [system, user('Q'), said('Yes'), user('More')]);
    const { user: asked, assistant } = chatMl;
    const last = `${assistant.after}${asked.before}More${asked.after}${assistant.before}`;
    expect(usage.prefillReason).toEqual({
      code: 'excess',
      prefilled: usage.promptTokens,
      fresh: model.gpu.pipeline?.tokenizer.encode(last).length,
    });
  });

  test('it stays valid when consecutive messages are joined', async () => {
    const model = await loadOnFakeGpu(['Yes', 'x']);
    await ask(model, [system, user('Q')]);
    const { usage } = await ask(model, [system, user('Q'), said('Yes'), tool('a'), tool('b')]);
    expect(usage.prefillReason).toBeUndefined();
    expect(usage.prefilledTokens).toBeLessThan(usage.promptTokens);
  });

  test('it is empty after a load, and the trace of a continued chat says so', async () => {
    const model = await loadOnFakeGpu(['x']);
    const { usage } = await ask(model, [system, user('Q'), said('Yes'), user('More')]);
    expect(usage.prefillReason).toEqual({ code: 'loaded' });
  });

  test('it lets an interrupted reply continue where it stopped', async () => {
    const model = await loadOnFakeGpu(['more.']);
    const messages = [system, user('Q'), said('Half and ')];
    expect((await ask(model, messages)).text).toBe('more.');
    expect(model.gpu.cacheText).toBe(`${render(messages)}more.`);
  });
});

test('every message reaches WebLLM unchanged, even if it looks like template syntax', async () => {
  const strange = "$$ $& $` $' $1 {user_message} {system_message}";
  const model = await loadOnFakeGpu(['ok']);
  const messages = [{ ...system, content: strange }, user(strange)];
  await ask(model, messages);
  expect(model.gpu.cacheText).toBe(`${render(messages)}${chatMl.assistant.before}ok`);
});

test('a request to WebLLM contains the sampling settings, the token limit and the grammar, but no tools', async () => {
  const model = await loadOnFakeGpu(['ok']);
  const structuralTag = {
    type: 'structural_tag',
    format: { type: 'grammar', grammar: 'root ::= "x"' },
  } as const;
  await ask(model, [user('Q')], {
    constraint: { grammar: '', structuralTag },
    sampling: { temperature: 0, seed: 7 },
    maxTokens: 0,
  });
  expect(model.requests[0]).toMatchObject({
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    seed: 7,
    max_tokens: 1,
    response_format: { type: 'structural_tag', structural_tag: structuralTag },
  });
  expect(model.requests[0]).not.toHaveProperty('tools');
});

describe('a WebLLM reply that the user stops', () => {
  test.for([
    { name: 'in the middle of a reply', at: 3, longest: 5 },
    { name: 'while the prompt is read', at: -1, longest: 2 },
  ])('it ends within a token or two: stopped $name', async ({ at, longest }) => {
    const stop = new AbortController();
    const model = await loadOnFakeGpu([
      { text: 'A very long reply', onToken: (index) => (index === at ? stop.abort() : undefined) },
      'x',
    ]);
    const { text, finishReason } = await ask(model, [user('Q')], {}, stop.signal);
    expect(finishReason).toBe('aborted');
    expect(text.length).toBeLessThanOrEqual(longest);
    const { usage } = await ask(model, [user('Q'), said(text), user('Go on')]);
    expect(usage.prefillReason).toEqual({ code: 'stopped' });
  });

  test('it sends no request to WebLLM if it is stopped before it starts', async () => {
    const model = await loadOnFakeGpu(['x']);
    const { finishReason } = await ask(model, [user('Q')], {}, AbortSignal.abort());
    expect(finishReason).toBe('aborted');
    expect(model.requests).toEqual([]);
  });
});

test('an incomplete character at the end of a reply is kept', async () => {
  const model = await loadOnFakeGpu(['ab\uFFFD', 'x']);
  const { text } = await ask(model, [user('Q')]);
  expect(text).toBe('ab\uFFFD');
  expect((await ask(model, [user('Q'), said(text), user('More')])).usage.prefillReason).toBeUndefined();
});

describe('a failure of WebLLM', () => {
  test('it is thrown as an error if the GPU is lost, because only a new worker helps', async () => {
    const model = await loadOnFakeGpu([{ text: 'Hello', isLost: true }]);
    await expect(ask(model, [user('Q')])).rejects.toMatchObject({ code: 'gpu-lost' });
  });

  test('it ends only the current reply if a message is too long', async () => {
    const model = await loadOnFakeGpu(['never said', 'ok'], { contextTokens: 60 });
    const { finishReason, errorMessage } = await ask(model, [user('x'.repeat(60))]);
    expect(finishReason).toBe('error');
    expect(errorMessage).toMatch(/^\[message-too-long\]/);
    expect((await ask(model, [user('Q')])).finishReason).toBe('stop');
  });
});

test("tokens are counted with the model's tokenizer and template", async () => {
  const { engine, gpu } = await loadOnFakeGpu([]);
  const tokensOf = (text: string) => gpu.pipeline?.tokenizer.encode(text) ?? [];
  expect(tokensOf('<|im_start|>the tool')).toHaveLength(3);
  expect(await engine.count([user('Hello'), system])).toEqual([
    tokensOf(`${chatMl.user.before}Hello${chatMl.user.after}`).length,
    tokensOf(`${chatMl.system.before}Be brief.${chatMl.system.after}`).length,
  ]);
});

describe("a conversation template in the model's record", () => {
  const own = {
    roles: { user: '<|user|>', assistant: '<|assistant|>', tool: '<|tool|>' },
    system_template: '<|sys|>{system_message}',
    seps: ['<|end|>'],
    role_content_sep: '',
    role_empty_sep: '',
  };
  const withOwn = (conversation: object) => ({
    // The record names its original context size, but the engine must use the spec's, which may be smaller.
    contextTokens: 512,
    mlc: { ...record, overrides: { conv_config: conversation, context_window_size: 1024 } },
  });

  test('it replaces the default template, and gives tool results their own role', async () => {
    const model = await loadOnFakeGpu(['one', 'two'], withOwn(own));
    const first = [system, user('a $& b')];
    await ask(model, first);
    await ask(model, [...first, said('one'), tool('result')]);
    expect(model.gpu.cacheText).toBe(
      '<|sys|>Be brief.<|user|>a $& b<|end|><|assistant|>one<|tool|>result<|end|><|assistant|>two',
    );
    const { finishReason, errorMessage } = await ask(model, [user('x'.repeat(600))]);
    expect([finishReason, errorMessage]).toEqual([
      'error',
      expect.stringMatching(/: Prompt tokens exceed .* 512/),
    ]);
  });

  test('it sends tool results as user messages if it has no role for them', async () => {
    const model = await loadOnFakeGpu(['two'], withOwn({ ...own, roles: { user: 'U:', assistant: 'A:' } }));
    await ask(model, [user('q'), said('one'), tool('result')]);
    expect(model.gpu.cacheText).toContain('U:result');
  });
});

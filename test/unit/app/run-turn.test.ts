/** A turn as the app composes it: the model that answers, the tools it is offered, and what the page does itself. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/contracts/message';
import type { RecoveryStep } from '../../../src/contracts/model-library';
import { personaContent } from '../../support/persona';
import { scriptedModel } from '../../support/scripted-model';
import { tool } from '../../support/tools';
import { noFallback, noRules, stageTurn } from '../../support/turn-stage';
import { small as large } from '../../support/web-llm-model';

const ember = { ...large, id: 'ember', name: 'Ember', isSmall: true };
const text = (text: string) => ({ type: 'text' as const, text });
const asks = (words: string): Message[] => [
  { role: 'user', content: [text(words)], origins: [{ door: 'typed' }] },
];
const step: RecoveryStep = {
  rung: 'built-in',
  fault: 'model-not-downloaded',
  detail: '',
  from: 'Gone',
  to: 'Ember',
  contextTokens: 2048,
};

test('the model stays reserved from the first request of an answer to its end', async () => {
  const { run, log, model } = stageTurn();
  const { result } = await run(asks('Is it so?'));
  expect(result).toMatchObject([{ role: 'assistant', content: [text('Yes.')] }]);
  expect(log).toEqual(['hold small', 'release']);
  expect(model.requests).toHaveLength(1);
});

test('a question is not sent to a model if the user cancelled loading the model', async () => {
  const { run, log, model } = stageTurn();
  const { items } = await run(asks('Is it so?'), { isCancelled: () => true });
  expect(items).toContainEqual(
    expect.objectContaining({
      type: 'message-end',
      message: expect.objectContaining({
        finishReason: 'error',
        errorMessage: '[load-cancelled] Cancelled before it began.',
      }),
    }),
  );
  expect(model.requests).toEqual([]);
  expect(log.at(-1)).toBe('release');
});

test('the model is released even if an answer fails', async () => {
  const { run, log } = stageTurn({
    fallbacks: {
      specFor: async () => large,
      untold: () => undefined,
      forTurn: () => {
        throw new TypeError('a bug');
      },
    },
  });
  await expect(run(asks('Is it so?'))).rejects.toThrow('a bug');
  expect(log.at(-1)).toBe('release');
});

test('an answer can be stopped while it waits for another model', async () => {
  const abort = new AbortController();
  const { run, model } = stageTurn({
    host: {
      spec: large,
      hold: async () => {
        abort.abort();
        throw new Error('stopped');
      },
    },
  });
  const { items } = await run(asks('Is it so?'), { signal: abort.signal });
  expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'stopped' });
  expect(model.requests.length).toBeLessThanOrEqual(1);
});

test('a failed search for tools by meaning is reported once', async () => {
  const { parts, run } = stageTurn();
  const failures = [true];
  parts.offers = { ...parts.offers, takeFailure: () => failures.pop() ?? false };
  const notice = { type: 'notice', code: 'words-only' };
  expect((await run(asks('Is it so?'))).items[0]).toEqual(notice);
  expect((await run(asks('Is it so?'))).items).not.toContainEqual(notice);
});

test('a tool that is off in the chat is not offered to the model', async () => {
  const { run, model } = stageTurn();
  await run(asks('Is it so?'), { toolsOff: ['web_search'] });
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['clock']);
});

test('the full text of a cut tool result is stored, and read_result reads more of it', async () => {
  const paragraphs = Array.from({ length: 400 }, (_, at) => `Paragraph ${at} tells of ships.`);
  const page = tool('page', async () => paragraphs.join('\n\n'));
  const call = (name: string, input: Record<string, unknown>) => [
    { type: 'tool-call' as const, id: name, name, arguments: input },
  ];
  const reading = call('read_result', { handle: 'r1', query: 'paragraph 333' });
  const { run, model, kept } = stageTurn({}, [call('page', {}), reading, [text('Done.')]], [page]);
  const { result } = await run(asks('Which ships?'));
  expect(kept.get('id')).toBe(paragraphs.join('\n\n'));
  expect(model.requests.map(({ listed }) => listed)).toEqual([
    undefined,
    ['web_search', 'clock', 'page'],
    ['web_search', 'clock', 'page'],
  ]);
  const [first, second] = result.flatMap((message) => (message.role === 'tool' ? message.results : []));
  expect(first?.whole).toMatchObject({ handle: 'r1', id: 'id' });
  expect(JSON.stringify(first?.content)).not.toContain('Paragraph 333');
  expect(JSON.stringify(second?.content)).toContain('Paragraph 333');
});

test('with many tools, the model sees only the pinned ones and can find and call others', async () => {
  const many = Array.from({ length: 30 }, (_, at) => tool(`lamp_${at}`, async () => `lit ${at}`));
  const call = (name: string, input: Record<string, unknown>) => [
    { type: 'tool-call' as const, id: name, name, arguments: input },
  ];
  const replies = [call('find_tools', { query: 'lamp 7' }), call('lamp_7', {}), [text('Done.')]];
  const { run, model } = stageTurn({}, replies, many);
  const { items, result } = await run(asks('Light it.'));
  expect(items).toContainEqual({
    type: 'tool-offer',
    offer: expect.objectContaining({ finder: 'model', toolsOn: 32 }) as unknown,
  });
  expect(model.requests.map(({ listed }) => listed)).toEqual([
    ...[
      ['find_tools', 'clock'],
      ['find_tools', 'clock'],
      ['find_tools', 'clock'],
    ],
  ]);
  expect(model.requests.map(({ tools }) => tools.length)).toEqual([33, 33, 34]);
  // Once there is a result, `read_result` can be called although it is not listed.
  expect(model.requests[2]?.tools.at(-1)?.name).toBe('read_result');
  const found = result[1]?.role === 'tool' ? result[1].results[0]?.foundTools : [];
  expect(found?.[0]).toBe('lamp_7');
  expect(result[3]).toMatchObject({ results: [{ content: [text('lit 7')] }] });
});

test('an answer first reports a fallback model that the user does not know about yet', async () => {
  const held: string[] = [];
  const { run } = stageTurn({
    host: {
      ...scriptedModel([text('Yes.')]),
      spec: ember,
      hold: async ({ id }) => (held.push(id), () => undefined),
    },
    fallbacks: {
      specFor: async () => ember,
      untold: () => step,
      forTurn: () => noFallback,
    },
  });
  const { items } = await run(asks('Explain photosynthesis in one sentence.'), {
    model: { id: 'gone', name: 'Gone' },
  });
  expect(items[0]).toEqual({ type: 'recovery', step });
  expect(held).toEqual(['ember']);
});

test('a very small model is not used if Hearth itself can answer the question', async () => {
  const { run, log, model } = stageTurn({
    fallbacks: {
      specFor: async () => ember,
      untold: () => undefined,
      forTurn: () => noFallback,
    },
  });
  const { items, result } = await run(asks('Hello!'));
  expect(items).toMatchObject([
    { type: 'message-end', by: 'page' },
    { type: 'turn-end', reason: 'answered' },
  ]);
  expect(result).toHaveLength(1);
  expect([log, model.requests]).toEqual([[], []]);
});

describe('a very small model that takes over within a turn', () => {
  /** The chosen model fails before its first word, and Ember replaces it. */
  async function takeOver(words: string) {
    let spec = large;
    const asked: string[] = [];
    const model = scriptedModel([text('Banana.')]);
    const { parts, run } = stageTurn({
      fallbacks: {
        specFor: async () => large,
        untold: () => undefined,
        forTurn: () => ({
          ...noFallback,
          async recover() {
            spec = ember;
            return { ...step, fault: 'engine-crashed' };
          },
        }),
      },
    });
    parts.host = {
      ...parts.host,
      get spec() {
        return spec;
      },
      async *respond(request, signal) {
        asked.push(spec.id);
        if (spec !== ember) throw new Error('The worker crashed.');
        yield* model.respond(request, signal);
      },
    };
    const { items } = await run(asks(words));
    return { items, asked };
  }

  test.for([
    { name: 'small talk', words: 'Hello!', said: /Hello|Hi/ },
    { name: 'words of somebody in a crisis', words: 'I want to die', said: /crisis line/ },
    { name: 'a question who it is', words: 'who are you?', said: /Ember/ },
  ])('reads the question as it does alone: $name', async ({ words, said }) => {
    const { items, asked } = await takeOver(words);
    expect(asked).toEqual(['small']);
    const end = items.find(({ type }) => type === 'message-end');
    expect(end).toMatchObject({ by: 'page', message: { writer: 'page', finishReason: 'stop' } });
    expect(JSON.stringify(end)).toMatch(said);
    expect(items.at(-1)).toEqual({ type: 'turn-end', reason: 'answered' });
  });

  test('is asked if the page has no reply of its own', async () => {
    const { asked } = await takeOver('Which is the tallest heron?');
    expect(asked).toEqual(['small', 'ember']);
  });
});

describe('a question that obviously needs the web', () => {
  const question = asks('Search for herons');

  test('makes Hearth search the web before the model is asked, with a notice', async () => {
    const { run, searched, model } = stageTurn({ isSearchingFirst: () => true });
    const { items, result } = await run(question);
    expect(items.slice(0, 2)).toMatchObject([
      { type: 'message-end', by: 'page' },
      { type: 'notice', code: 'searched-first' },
    ]);
    expect(searched).toEqual([{ query: 'herons' }]);
    expect(result.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant']);
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test.for([
    { sentence: 'the setting is off', parts: {}, options: {} },
    {
      sentence: 'the search tool is off in the chat',
      parts: { isSearchingFirst: () => true },
      options: { toolsOff: ['web_search'] },
    },
  ])('is left to the model if $sentence', async ({ parts, options }) => {
    const { run, searched, model } = stageTurn(parts);
    const { items } = await run(question, options);
    expect(items[0]).toEqual({ type: 'turn-start', promptOrigins: [] });
    expect(searched).toEqual([]);
    expect(model.requests[0]?.messages).toEqual(question);
  });
});

test('tool calls are checked by the permission rules of their chat', async () => {
  const chats: string[] = [];
  const seen: string[] = [];
  const call = { type: 'tool-call' as const, id: 'c', name: 'clock', arguments: {} };
  const { run } = stageTurn(
    {
      rulesFor: (chatId) => {
        chats.push(chatId);
        return { ...noRules, around: [{ before: async ({ name }) => (seen.push(name), { block: 'no' }) }] };
      },
    },
    [[call], [text('ok')]],
  );
  const { result } = await run(asks('Is it so?'));
  expect([chats, seen]).toEqual([['chat'], ['clock']]);
  expect(result[1]).toMatchObject({
    results: [{ isError: true, content: [text('no')], origins: [{ door: 'hearth' }] }],
  });
});

test("a chat's persona sets the instructions and the available tools", async () => {
  const content = personaContent('Timekeeper', { tools: ['clock'] });
  const timekeeper = { id: 'p', createdAt: 1, updatedAt: 1, content };
  const personas = {
    find: async (id: string | undefined) => (id === 'p' ? timekeeper : undefined),
    personaOf: () => undefined,
  };
  const { run, model } = stageTurn({ personas }, [[text('Yes.')], [text('No.')]]);
  await run(asks('Is it so?'), { persona: 'p' });
  await run(asks('Is it so?'), { persona: 'gone' });
  expect(model.requests.map(({ messages }) => messages)).toEqual([
    [{ role: 'system', content: 'You are Timekeeper.' }, ...asks('Is it so?')],
    asks('Is it so?'),
  ]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['clock']);
});

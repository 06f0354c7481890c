import { describe, expect, test } from 'vitest';
import { fitResults } from '../../../src/agent/fit-results';
import type { Message, ToolResult } from '../../../src/contracts/message';
import type { ContextUse } from '../../../src/contracts/model';
import { textOf } from '../../../src/contracts/message-parts';
import { untilAborted } from '../../../src/contracts/until-aborted';
import type { FindParts } from '../../../src/text/relevant-part';
import { findPartsHere } from '../../support/find-parts';
import { scriptedModel } from '../../support/scripted-model';
import { readResultToolName } from '../../../src/contracts/tool-names';

const paragraphs = Array.from(
  { length: 120 },
  (_, at) => `Paragraph ${at} tells of ships that came and went, as ships do.`,
);
paragraphs[70] = 'The keeper of the lighthouse was Maren Holt.';
const page = ['title: Ar', ...paragraphs].join('\n\n');

const user = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  origins: [{ door: 'typed' }],
});
const calls = (...made: { name: string; arguments?: Record<string, unknown> }[]): Message => ({
  role: 'assistant',
  content: made.map(({ name, arguments: input = {} }, at) => ({
    type: 'tool-call',
    id: `c${at}`,
    name,
    arguments: input,
  })),
  finishReason: 'tool-calls',
});
const result = (toolName: string, text: string, more: Partial<ToolResult> = {}): ToolResult => ({
  toolCallId: 'c0',
  toolName,
  content: [{ type: 'text', text }],
  isError: false,
  origins: [{ door: 'hearth' }],
  ...more,
});
const spec = (name: string) => ({ name, title: name, description: '', inputSchema: {} });
const reader = spec(readResultToolName);
const asked = [
  user('Who kept the lighthouse of https://ships.example.com/came/went?'),
  calls({ name: 'fetch_page' }),
];

const measured =
  (limitTokens: number) =>
  async (messages: readonly unknown[]): Promise<ContextUse> => ({
    promptTokens: Math.ceil(JSON.stringify(messages).length / 4),
    limitTokens,
    droppedMessages: 0,
  });

function fit(
  results: ToolResult[],
  history: Message[],
  {
    tools = [reader],
    limitTokens = 1500,
    lost,
    findParts = findPartsHere,
    signal = new AbortController().signal,
  }: {
    tools?: (typeof reader)[];
    limitTokens?: number;
    lost?: 'full';
    findParts?: FindParts;
    signal?: AbortSignal;
  } = {},
) {
  const kept: string[] = [];
  const fitted = fitResults(results, history, {
    model: { ...scriptedModel(), measure: measured(limitTokens) },
    tools,
    maxCharacters: 8000,
    findParts,
    signal,
    storeWholeText: async (text) => {
      kept.push(text);
      return lost ? { lost } : { id: `whole-${kept.length}` };
    },
  });
  return fitted.then((message) => ({ message, kept, text: textOf(message.results[0]?.content ?? []) }));
}

test('invariant: a long tool result is always cut to the same passages about the question, and stored in full', async () => {
  const { message, kept, text } = await fit([result('fetch_page', page)], asked);
  expect(text.startsWith('title: Ar\n')).toBe(true);
  expect(text).toContain('Maren Holt');
  expect(text).toMatch(
    /\n\[\d+ characters left out\. For more of this result call read_result with its handle r1 and a query\.\]$/,
  );
  expect(kept).toEqual([page]);
  const { whole } = message.results[0]!;
  expect(whole).toMatchObject({
    handle: 'r1',
    id: 'whole-1',
    toolName: 'fetch_page',
    characters: page.length,
  });
  const given = whole!.given.reduce((sum, [from, to]) => sum + to - from, 0);
  expect(text).toContain(`[${page.length - given} characters left out`);
  for (const [from, to] of whole!.given) expect(text).toContain(page.slice(from, to));
  // Fitting the same result again gives exactly the same message.
  expect((await fit([result('fetch_page', page)], asked)).message).toEqual(message);
});

test('a short tool result is left unchanged and not stored separately', async () => {
  const { message, kept } = await fit([result('fetch_page', 'Low tide at six.')], asked);
  expect(kept).toEqual([]);
  expect(message.results[0]).toEqual(result('fetch_page', 'Low tide at six.'));
});

test('without the read_result tool, a cut result contains no hint to read more', async () => {
  const { text, kept } = await fit([result('fetch_page', page)], asked, { tools: [] });
  expect(text).toMatch(/Maren Holt[^]*\n\[\d+ characters left out\]$/);
  expect(kept).toHaveLength(1);
});

test('a cut tool result that could not be stored contains no hint to read more', async () => {
  const { message, text } = await fit([result('fetch_page', page)], asked, { lost: 'full' });
  expect(text).not.toContain('read_result');
  expect(message.results[0]?.whole).toMatchObject({ lost: 'full' });
  expect(message.results[0]?.whole?.id).toBeUndefined();
});

test('a tool error that is too long is cut and not stored in full', async () => {
  const { message, kept } = await fit([result('fetch_page', page, { isError: true })], asked);
  expect(kept).toEqual([]);
  expect(message.results[0]?.whole).toBeUndefined();
});

test('a long tool result that shares no word with the question is cut to its beginning', async () => {
  const { text } = await fit([result('fetch_page', page)], [user('x'), calls({ name: 'fetch_page' })], {
    tools: [],
  });
  const [kept = ''] = text.split('\n[');
  expect(page.startsWith(kept)).toBe(true);
});

test('web search results keep their order when they are cut', async () => {
  const hits = Array.from(
    { length: 40 },
    (_, at) =>
      `${at + 1}. Hit ${at}\nhttps://a.org/${at}\nThe keeper of lighthouse ${at} and so on and so forth.`,
  );
  const { text } = await fit([result('web_search', hits.join('\n'))], asked);
  expect(text).toMatch(
    /^1\. Hit 0\n[^]*2\. Hit 1\n[^]*\(\d+ more results left out\)\n\[For more of this result call read_result/,
  );
});

test('the read_result tool uses its own query and skips passages the model has already read', async () => {
  const first = (await fit([result('fetch_page', page)], asked)).message;
  const history = [
    ...asked,
    first,
    calls({ name: readResultToolName, arguments: { handle: 'r1', query: 'paragraph 31' } }),
  ];
  const whole = first.results[0]!.whole!;
  const again = result(readResultToolName, page, {
    whole,
    origins: [{ door: 'page', name: 'ships.example.com' }],
  });
  const { message, kept, text } = await fit([again], history, { limitTokens: 3000 });
  expect(kept).toEqual([]);
  expect(text).toContain('Paragraph 31 tells');
  expect(text).not.toContain('Maren Holt');
  expect(message.results[0]).toMatchObject({
    origins: [{ door: 'page', name: 'ships.example.com' }],
    whole: { handle: 'r1', id: 'whole-1' },
  });
  for (const [from, to] of message.results[0]!.whole!.given) {
    for (const [start, end] of whole.given) expect(to <= start || from >= end).toBe(true);
  }
});

test('three turns after a long tool result, read_result can still return a passage from the result', async () => {
  const first = (await fit([result('fetch_page', page)], asked)).message;
  const turns = [user('And?'), user('So?'), user('The keeper?')];
  const history = [
    ...asked,
    first,
    ...turns,
    calls({ name: readResultToolName, arguments: { handle: 'r1', query: 'lighthouse keeper' } }),
  ];
  const again = result(readResultToolName, page, { whole: first.results[0]!.whole! });
  expect((await fit([again], history, { limitTokens: 3000 })).text).toContain('Maren Holt');
});

test('read_result returns the next passage with a note if its query finds nothing new', async () => {
  const first = (await fit([result('fetch_page', page)], asked)).message;
  const history = [
    ...asked,
    first,
    calls({ name: readResultToolName, arguments: { handle: 'r1', query: 'xylophone' } }),
  ];
  const { text } = await fit(
    [result(readResultToolName, page, { whole: first.results[0]!.whole! })],
    history,
    {
      limitTokens: 3000,
    },
  );
  expect(text).toContain('None of the words of the query are in what was left: this is what comes next.');
});

test('a tool result is not cut if it fits after old messages are dropped from the prompt', async () => {
  const measure = (most: number) => async (messages: readonly unknown[]) => {
    const own = JSON.stringify(messages.at(-1)).length / 4;
    // As soon as the result is added, everything before it is dropped.
    const isNew = messages.length > asked.length;
    return {
      promptTokens: isNew ? own : most - 10,
      limitTokens: most,
      droppedMessages: 0,
      maskedMessages: isNew ? 1 : 0,
    };
  };
  const fitIn = async (most: number) => {
    const message = await fitResults([result('fetch_page', page)], asked, {
      model: { ...scriptedModel(), measure: measure(most) },
      tools: [],
      maxCharacters: 8000,
      storeWholeText: async () => ({ id: 'whole' }),
      findParts: findPartsHere,
      signal: new AbortController().signal,
    });
    return textOf(message.results[0]!.content).length;
  };
  expect(await fitIn(4000)).toBe(page.length);
  const cut = await fitIn(1000);
  expect(cut).toBeGreaterThan(1500);
  expect(cut).toBeLessThan(4000);
});

describe('a failed search for the relevant passages of a tool result', () => {
  const lost = () => Promise.reject(new Error('The worker broke down.'));
  const startOf = (text: string) => text.split('\n[')[0]!;

  test.for<{ name: string; findParts: FindParts }>([
    { name: 'the search fails at once', findParts: lost },
    { name: 'the search fails halfway', findParts: async () => ({ isFound: true, within: lost }) },
  ])('the model gets the beginning instead, and the full text is stored: $name', async ({ findParts }) => {
    const { message, kept, text } = await fit([result('fetch_page', page)], asked, { findParts });
    expect(page.startsWith(startOf(text))).toBe(true);
    expect(startOf(text).length).toBeGreaterThan(500);
    expect(text).toMatch(/characters left out\. For more of this result call read_result/);
    expect(message.results[0]?.whole).toMatchObject({ given: [[0, startOf(text).length]] });
    expect(kept).toEqual([page]);
  });

  test('Stop ends the search, and the model gets only the beginning of the result', async () => {
    const stop = new AbortController();
    const findParts: FindParts = (_text, _options, signal) => {
      const waiting = untilAborted(new Promise<never>(() => undefined), signal);
      stop.abort();
      return waiting;
    };
    const { kept, text } = await fit([result('fetch_page', page)], asked, {
      findParts,
      signal: stop.signal,
    });
    expect(page.startsWith(startOf(text))).toBe(true);
    expect(kept).toEqual([page]);
  });

  test('read_result continues after the passage that the model has already read', async () => {
    const first = await fit([result('fetch_page', page)], asked, { findParts: lost });
    const call = calls({ name: readResultToolName, arguments: { handle: 'r1', query: 'paragraph 31' } });
    const { whole } = first.message.results[0]!;
    const again = result(readResultToolName, page, { whole: whole! });
    const { message, text } = await fit([again], [...asked, first.message, call], {
      limitTokens: 3000,
      findParts: lost,
    });
    const [[from] = [0]] = message.results[0]!.whole!.given;
    expect(from).toBe(whole!.given[0]![1]);
    expect(page.slice(from).startsWith(startOf(text))).toBe(true);
    expect(text).not.toContain('None of the words');
  });
});

test('the relevant passages of each long tool result are searched for only once', async () => {
  const over: boolean[] = [];
  const signals: AbortSignal[] = [];
  const findParts: FindParts = async (text, options, signal) => {
    signals.push(signal);
    const { isFound, within } = await findPartsHere(text, options, signal);
    return { isFound, within: (most) => (over.push(signal.aborted), within(most)) };
  };
  const short = result('clock', 'noon');
  await fit([result('fetch_page', page), short, result('fetch_page', page)], asked, { findParts });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(over).not.toContain(true);
  expect(over.length).toBeGreaterThan(2);
});

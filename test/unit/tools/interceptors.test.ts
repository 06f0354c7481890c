import { expect, test } from 'vitest';
import type { ToolCall } from '../../../src/contracts/message';
import type { Tool, ToolEffects, ToolOutput, ToolStatistics } from '../../../src/contracts/tool';
import {
  createCallCache,
  createCallStatistics,
  createReachabilityCheck,
} from '../../../src/tools/interceptors';
import { createBuiltinTools } from '../../../src/tools/registry';
import { builtinParts } from '../../support/outside';
import { stepOf, tool } from '../../support/tools';

const call = (name: string, input: Record<string, unknown>, repairs?: string[]): ToolCall => ({
  type: 'tool-call',
  id: 'c',
  name,
  arguments: input,
  ...(repairs && { repairs }),
});
const page = call('fetch_page', { url: 'https://a.org/' });
const output = (text: string, isError = false): ToolOutput => ({
  content: [{ type: 'text', text }],
  isError,
  origins: [{ door: 'page', name: 'a.org' }],
});

function cacheAt(
  clock = { now: 1000 },
  changed: Parameters<typeof builtinParts>[1] = {},
  more: readonly Tool[] = [],
) {
  const tools = [...createBuiltinTools(builtinParts(undefined, changed)), ...more];
  const cache = createCallCache(() => clock.now);
  const stepFor = (made: ToolCall) =>
    stepOf(
      tools.find(({ name }) => name === made.name)!,
      made.arguments,
    );
  return {
    clock,
    before: (made: ToolCall) => cache.before(made, stepFor(made)),
    after: (made: ToolCall, gave: ToolOutput) => cache.after(made, gave, stepFor(made)),
    forget: cache.forget,
  };
}

test('an identical call gets the cached result with its original time', async () => {
  const { clock, ...cache } = cacheAt();
  expect(await cache.before(page)).toBe('go');
  await cache.after(page, output('A'));
  clock.now += 60_000;
  expect(await cache.before({ ...page, id: 'other' })).toEqual({
    answer: { ...output('A'), cachedAt: 1000 },
  });
});

test('the cache ignores the order of arguments, but not their values', async () => {
  const cache = cacheAt();
  await cache.after(call('web_search', { query: 'a', depth: 'deep' }), output('A'));
  expect(await cache.before(call('web_search', { depth: 'deep', query: 'a' }))).toHaveProperty('answer');
  expect(await cache.before(call('web_search', { query: 'a' }))).toBe('go');
  expect(await cache.before(call('web_search', { query: 'b', depth: 'deep' }))).toBe('go');
});

test.for([
  { name: 'a failure', made: page, gave: output('no', true) },
  { name: 'the time', made: call('clock', {}), gave: output('12:00') },
  { name: 'a calculation', made: call('calculator', { expression: '1+1' }), gave: output('2') },
  { name: 'a change', made: call('note', {}), gave: output('written') },
])('the result of $name is not cached', async ({ made, gave }) => {
  const note: Tool = {
    ...tool('note', async () => ''),
    annotations: { idempotentHint: true },
    effects: () => ({ type: 'side-effect', hosts: ['a.org'] }),
  };
  const cache = cacheAt(undefined, {}, [note]);
  await cache.after(made, gave);
  expect(await cache.before(made)).toBe('go');
});

const reading: ToolEffects[] = [
  { type: 'net-read', urls: ['https://a.org/'] },
  { type: 'search', query: 'a', providers: [{ id: 'a', name: 'A', host: 'a.org' }] },
  { type: 'net-hosts', hosts: ['a.org'] },
];
const others: ToolEffects[] = [{ type: 'pure' }, { type: 'side-effect', hosts: ['a.org'] }];

test.for(
  [...reading, ...others].flatMap((effects) =>
    [undefined, false, true].map((hint) => ({
      effects,
      hint,
      type: effects.type,
      isKept: hint === true && reading.includes(effects),
    })),
  ),
)(
  'caching depends on the effects and the idempotent hint: type $type, cached $isKept, hint $hint',
  async ({ effects, hint, isKept }) => {
    const any: Tool = {
      ...tool('any', async () => ''),
      ...(hint !== undefined && { annotations: { idempotentHint: hint } }),
      effects: () => effects,
    };
    const cache = cacheAt(undefined, {}, [any]);
    await cache.after(call('any', {}), output('A'));
    const verdict = await cache.before(call('any', {}));
    expect(verdict !== 'go').toBe(isKept);
  },
);

test('a built-in tool is cached if and only if it reads from outside and is idempotent', async () => {
  const tools = createBuiltinTools(builtinParts());
  const kept: string[] = [];
  for (const { name, examples = [] } of tools) {
    const cache = cacheAt();
    for (const { arguments: input } of examples) {
      await cache.after(call(name, input), output('A'));
      if ((await cache.before(call(name, input))) !== 'go' && !kept.includes(name)) kept.push(name);
    }
  }
  expect(kept).toEqual(['fetch_page', 'web_search', 'weather']);
  const saying = tools.filter(({ annotations }) => annotations?.idempotentHint === true);
  // The calculator is idempotent too, but looking up a result would take longer than calculating it.
  expect(saying.map(({ name }) => name)).toEqual(['calculator', ...kept]);
});

test('a cached result expires after fifteen minutes', async () => {
  const { clock, ...cache } = cacheAt();
  await cache.after(page, output('A'));
  clock.now += 15 * 60_000;
  expect(await cache.before(page)).toHaveProperty('answer');
  clock.now += 1;
  expect(await cache.before(page)).toBe('go');
});

test('a web search is not answered from the cache after the providers have changed', async () => {
  const providers: Record<string, { isOn: boolean }> = {};
  const cache = cacheAt(undefined, { providers });
  const search = call('web_search', { query: 'a' });
  await cache.after(search, output('A'));
  providers['wikipedia'] = { isOn: false };
  expect(await cache.before(search)).toBe('go');
});

test('the cache forgets a removed result, and the oldest result if there are more than fifty', async () => {
  const cache = cacheAt();
  const pages = Array.from({ length: 51 }, (_, n) => call('fetch_page', { url: `https://a.org/${n}` }));
  for (const one of pages) await cache.after(one, output('A'));
  expect(await cache.before(pages[0]!)).toBe('go');
  expect(await cache.before(pages[1]!)).toHaveProperty('answer');
  cache.forget(pages[1]!);
  expect(await cache.before(pages[1]!)).toBe('go');
  expect(await cache.before(pages[2]!)).toHaveProperty('answer');
});

test('the cache holds at most eight million characters', async () => {
  const cache = cacheAt();
  const pages = [0, 1, 2].map((n) => call('fetch_page', { url: `https://a.org/${n}` }));
  for (const one of pages) await cache.after(one, output('A'.repeat(3_000_000)));
  expect(await cache.before(pages[0]!)).toBe('go');
  expect(await cache.before(pages[1]!)).toHaveProperty('answer');
  expect(await cache.before(pages[2]!)).toHaveProperty('answer');
});

test('the statistics of a tool count its calls, failed calls and repaired calls, and add up the running time', async () => {
  const rows: ToolStatistics[] = [];
  const clock = { now: 0 };
  const statistics = createCallStatistics(
    (row) => rows.push(row),
    () => clock.now,
  );
  const step = stepOf(
    tool('any', async () => ''),
    {},
  );
  const mended = call('clock', {}, ['closed a bracket']);
  await statistics.before?.(page, step);
  clock.now = 30;
  await statistics.before?.(mended, step);
  clock.now = 50;
  await statistics.after?.(page, output('no', true), step);
  await statistics.after?.(mended, output('12:00'), step);
  expect(rows).toEqual([
    { name: 'fetch_page', calls: 1, failures: 1, repairs: 0, totalMs: 50 },
    { name: 'clock', calls: 1, failures: 0, repairs: 1, totalMs: 20 },
  ]);
});

const builtIn = createBuiltinTools(builtinParts());

function answer(called: string | Tool, input: Record<string, unknown>, isOnline = true) {
  const asked: string[] = [];
  const check = createReachabilityCheck(
    () => isOnline,
    (url, tool) => {
      asked.push(`${tool} ${url}`);
      return url.includes('10.0.0.1') ? 'A private address.' : undefined;
    },
  );
  const tool = typeof called === 'string' ? builtIn.find(({ name }) => name === called)! : called;
  const call = { type: 'tool-call' as const, id: 'c', name: tool.name, arguments: input };
  return { answer: check.before(call, stepOf(tool, input)), asked };
}

test.each([
  { name: 'fetch_page', input: { url: 'https://a.org/' } },
  { name: 'web_search', input: { query: 'tea' } },
])('the tool $name fails at once while offline, without counting as a call', async ({ name, input }) => {
  const offline = answer(name, input, false);
  expect(await offline.answer).toMatchObject({ block: expect.stringContaining('offline') as string });
  expect(offline.asked).toEqual([]);
  expect(await answer(name, input).answer).toBe('go');
});

test.each([
  { name: 'calculator', input: { expression: '1' } },
  { name: 'clock', input: {} },
  { name: 'fetch_page', input: { url: 'no address' } },
])('the tool $name also runs offline with the input $input', async ({ name, input }) => {
  expect(await answer(name, input, false).answer).toBe('go');
});

test('a forbidden address is refused before the user is asked', async () => {
  const refused = answer('fetch_page', { url: 'https://10.0.0.1/' });
  expect(await refused.answer).toMatchObject({ block: 'A private address.' });
  expect(refused.asked).toEqual(['fetch_page https://10.0.0.1/']);
});

test.each([
  {
    hosts: ['a.org'],
    sentence: 'a call that changes data on a remote host fails while offline, without asking the user',
    gives: { failure: 'offline' },
  },
  { hosts: [], sentence: 'a change on this device needs no network', gives: 'go' },
])('$sentence', async ({ hosts, gives }) => {
  const change: Tool = { ...tool('note', async () => ''), effects: () => ({ type: 'side-effect', hosts }) };
  const result = await answer(change, {}, false).answer;
  if (typeof gives === 'string') expect(result).toBe(gives);
  else expect(result).toMatchObject(gives);
});

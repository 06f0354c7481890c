import { expect, test } from 'vitest';
import type { ToolCall } from '../../../../src/contracts/message';
import type { Tool, ToolEffects, ToolOutput, ToolStatistics } from '../../../../src/contracts/tool';
import { createCallCache } from '../../../../src/tools/interceptors/call-cache';
import { createCallStatistics } from '../../../../src/tools/interceptors/call-statistics';
import { createBuiltinTools } from '../../../../src/tools/registry';
import { builtinParts } from '../../../support/outside';
import { stepOf, tool } from '../../../support/tools';

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
  sources: ['a.org'],
});

/** A cache, asked as the loop asks it. */
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
    before: (made: ToolCall) => cache.before?.(made, stepFor(made)),
    after: (made: ToolCall, gave: ToolOutput) => cache.after?.(made, gave, stepFor(made)),
    forget: cache.forget,
  };
}

test('the same call is answered with what it gave, and when that was', async () => {
  const { clock, ...cache } = cacheAt();
  expect(await cache.before(page)).toBe('go');
  await cache.after(page, output('A'));
  clock.now += 60_000;
  expect(await cache.before({ ...page, id: 'other' })).toEqual({
    answer: { ...output('A'), cachedAt: 1000 },
  });
});

test('the order of the arguments is no difference, their values are', async () => {
  const cache = cacheAt();
  await cache.after(call('web_search', { query: 'a', depth: 'deep' }), output('A'));
  expect(await cache.before(call('web_search', { depth: 'deep', query: 'a' }))).toHaveProperty('answer');
  expect(await cache.before(call('web_search', { query: 'a' }))).toBe('go');
  expect(await cache.before(call('web_search', { query: 'b', depth: 'deep' }))).toBe('go');
});

test.for([
  { name: 'a failure', made: page, gave: output('no', true) },
  { name: 'the time', made: call('clock', {}), gave: output('12:00') },
  { name: 'a sum, which costs nothing', made: call('calculator', { expression: '1+1' }), gave: output('2') },
  { name: 'a change', made: call('note', {}), gave: output('written') },
])('$name is not kept', async ({ made, gave }) => {
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
      ...{ effects, hint, type: effects.type },
      isKept: hint === true && reading.includes(effects),
    })),
  ),
)('a call with $type of a tool whose hint is $hint: kept is $isKept', async ({ effects, hint, isKept }) => {
  const any: Tool = {
    ...tool('any', async () => ''),
    ...(hint !== undefined && { annotations: { idempotentHint: hint } }),
    effects: () => effects,
  };
  const cache = cacheAt(undefined, {}, [any]);
  await cache.after(call('any', {}), output('A'));
  const verdict = await cache.before(call('any', {}));
  expect(verdict !== 'go').toBe(isKept);
});

test('of the built-in tools those are kept that read outside and say that they are idempotent', async () => {
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
  // A sum is the same each time too, and costs less than to look it up.
  expect(saying.map(({ name }) => name)).toEqual(['calculator', ...kept]);
});

test('after a quarter of an hour it is asked for anew', async () => {
  const { clock, ...cache } = cacheAt();
  await cache.after(page, output('A'));
  clock.now += 15 * 60_000;
  expect(await cache.before(page)).toHaveProperty('answer');
  clock.now += 1;
  expect(await cache.before(page)).toBe('go');
});

test('a search with other providers is another search', async () => {
  const providers: Record<string, { isOn: boolean }> = {};
  const cache = cacheAt(undefined, { providers });
  const search = call('web_search', { query: 'a' });
  await cache.after(search, output('A'));
  providers['wikipedia'] = { isOn: false };
  expect(await cache.before(search)).toBe('go');
});

test('what is forgotten is asked for anew, the rest is kept; the oldest of fifty goes', async () => {
  const cache = cacheAt();
  const pages = Array.from({ length: 51 }, (_, n) => call('fetch_page', { url: `https://a.org/${n}` }));
  for (const one of pages) await cache.after(one, output('A'));
  expect(await cache.before(pages[0]!)).toBe('go');
  expect(await cache.before(pages[1]!)).toHaveProperty('answer');
  cache.forget(pages[1]!);
  expect(await cache.before(pages[1]!)).toBe('go');
  expect(await cache.before(pages[2]!)).toHaveProperty('answer');
});

test('long results give way sooner: all that is kept has eight million letters at most', async () => {
  const cache = cacheAt();
  const pages = [0, 1, 2].map((n) => call('fetch_page', { url: `https://a.org/${n}` }));
  for (const one of pages) await cache.after(one, output('A'.repeat(3_000_000)));
  expect(await cache.before(pages[0]!)).toBe('go');
  expect(await cache.before(pages[1]!)).toHaveProperty('answer');
  expect(await cache.before(pages[2]!)).toHaveProperty('answer');
});

test('statistics count what ran: how often, how it ended, whether it was mended, how long it took', async () => {
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

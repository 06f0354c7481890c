import { expect, test } from 'vitest';
import type { CallStep } from '../../../../src/contracts/interceptor';
import type { ToolCall } from '../../../../src/contracts/message';
import type { ToolOutput } from '../../../../src/contracts/tool';
import type { ToolStatistics } from '../../../../src/contracts/tool-statistics';
import { createCallCache } from '../../../../src/tools/interceptors/call-cache';
import { createCallStatistics } from '../../../../src/tools/interceptors/call-statistics';
import { createBuiltinTools } from '../../../../src/tools/registry';
import { builtinParts } from '../../../support/outside';

const step: CallStep = { signal: new AbortController().signal, emit: () => undefined, messages: [] };
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

function cacheAt(clock = { now: 1000 }, changed: Parameters<typeof builtinParts>[1] = {}) {
  const tools = createBuiltinTools(builtinParts(undefined, changed));
  return {
    clock,
    cache: createCallCache(
      (name) => tools.find((tool) => tool.name === name),
      () => clock.now,
    ),
  };
}

test('the same call is answered with what it gave, and when that was', async () => {
  const { cache, clock } = cacheAt();
  expect(await cache.before?.(page, step)).toBe('go');
  await cache.after?.(page, output('A'));
  clock.now += 60_000;
  expect(await cache.before?.({ ...page, id: 'other' }, step)).toEqual({
    answer: { ...output('A'), cachedAt: 1000 },
  });
});

test('the order of the arguments is no difference, their values are', async () => {
  const { cache } = cacheAt();
  await cache.after?.(call('web_search', { query: 'a', depth: 'deep' }), output('A'));
  expect(await cache.before?.(call('web_search', { depth: 'deep', query: 'a' }), step)).toHaveProperty(
    'answer',
  );
  expect(await cache.before?.(call('web_search', { query: 'a' }), step)).toBe('go');
  expect(await cache.before?.(call('web_search', { query: 'b', depth: 'deep' }), step)).toBe('go');
});

test.for([
  { name: 'a failure', made: page, gave: output('no', true) },
  { name: 'the time', made: call('clock', {}), gave: output('12:00') },
  { name: 'a sum, which costs nothing', made: call('calculator', { expression: '1+1' }), gave: output('2') },
  { name: 'a tool that is not there', made: call('nobody', {}), gave: output('x') },
])('$name is not kept', async ({ made, gave }) => {
  const { cache } = cacheAt();
  await cache.after?.(made, gave);
  expect(await cache.before?.(made, step)).toBe('go');
});

test('after a quarter of an hour it is asked for anew', async () => {
  const { cache, clock } = cacheAt();
  await cache.after?.(page, output('A'));
  clock.now += 15 * 60_000;
  expect(await cache.before?.(page, step)).toHaveProperty('answer');
  clock.now += 1;
  expect(await cache.before?.(page, step)).toBe('go');
});

test('a search with other providers is another search', async () => {
  const providers: Record<string, { isOn: boolean }> = {};
  const { cache } = cacheAt(undefined, { providers });
  const search = call('web_search', { query: 'a' });
  await cache.after?.(search, output('A'));
  providers['wikipedia'] = { isOn: false };
  expect(await cache.before?.(search, step)).toBe('go');
});

test('what is forgotten is asked for anew, the rest is kept; the oldest of fifty goes', async () => {
  const { cache } = cacheAt();
  const pages = Array.from({ length: 51 }, (_, n) => call('fetch_page', { url: `https://a.org/${n}` }));
  for (const one of pages) await cache.after?.(one, output('A'));
  expect(await cache.before?.(pages[0]!, step)).toBe('go');
  expect(await cache.before?.(pages[1]!, step)).toHaveProperty('answer');
  cache.forget(pages[1]!);
  expect(await cache.before?.(pages[1]!, step)).toBe('go');
  expect(await cache.before?.(pages[2]!, step)).toHaveProperty('answer');
});

test('statistics count what ran: how often, how it ended, whether it was mended, how long it took', async () => {
  const rows: ToolStatistics[] = [];
  const clock = { now: 0 };
  const statistics = createCallStatistics(
    (row) => rows.push(row),
    () => clock.now,
  );
  const mended = call('clock', {}, ['closed a bracket']);
  await statistics.before?.(page, step);
  clock.now = 30;
  await statistics.before?.(mended, step);
  clock.now = 50;
  await statistics.after?.(page, output('no', true));
  await statistics.after?.(mended, output('12:00'));
  expect(rows).toEqual([
    { name: 'fetch_page', calls: 1, failures: 1, repairs: 0, totalMs: 50 },
    { name: 'clock', calls: 1, failures: 0, repairs: 1, totalMs: 20 },
  ]);
});

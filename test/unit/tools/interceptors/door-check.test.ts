import { expect, test } from 'vitest';
import type { CallStep } from '../../../../src/contracts/interceptor';
import { createDoorCheck } from '../../../../src/tools/interceptors/door-check';
import { createBuiltinTools } from '../../../../src/tools/registry';
import { builtinParts } from '../../../support/outside';

const step: CallStep = { signal: new AbortController().signal, emit: () => undefined, messages: [] };

function answer(name: string, input: Record<string, unknown>, isOnline = true) {
  const asked: string[] = [];
  const check = createDoorCheck(
    createBuiltinTools(builtinParts()),
    () => isOnline,
    (url, tool) => {
      asked.push(`${tool} ${url}`);
      return url.includes('10.0.0.1') ? 'A private address.' : undefined;
    },
  );
  return { answer: check.before?.({ type: 'tool-call', id: 'c', name, arguments: input }, step), asked };
}

test.each([
  { name: 'fetch_page', input: { url: 'https://a.org/' } },
  { name: 'web_search', input: { query: 'tea' } },
])('$name says at once that there is no network, and nothing is written down', async ({ name, input }) => {
  const offline = answer(name, input, false);
  expect(await offline.answer).toMatchObject({ block: expect.stringContaining('offline') as string });
  expect(offline.asked).toEqual([]);
  expect(await answer(name, input).answer).toBe('go');
});

test.each([
  { name: 'calculator', input: { expression: '1' } },
  { name: 'clock', input: {} },
  { name: 'fetch_page', input: { url: 'no address' } },
  { name: 'unknown', input: {} },
])('$name needs no network', async ({ name, input }) => {
  expect(await answer(name, input, false).answer).toBe('go');
});

test('an address the gate refuses is refused here, by the tool that wanted it', async () => {
  const refused = answer('fetch_page', { url: 'https://10.0.0.1/' });
  expect(await refused.answer).toMatchObject({ block: 'A private address.' });
  expect(refused.asked).toEqual(['fetch_page https://10.0.0.1/']);
});

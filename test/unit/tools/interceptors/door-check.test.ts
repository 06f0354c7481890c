import { expect, test } from 'vitest';
import type { Tool } from '../../../../src/contracts/tool';
import { createDoorCheck } from '../../../../src/tools/interceptors';
import { createBuiltinTools } from '../../../../src/tools/registry';
import { builtinParts } from '../../../support/outside';
import { stepOf, tool } from '../../../support/tools';

const builtIn = createBuiltinTools(builtinParts());

function answer(called: string | Tool, input: Record<string, unknown>, isOnline = true) {
  const asked: string[] = [];
  const check = createDoorCheck(
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
])('$name needs no network', async ({ name, input }) => {
  expect(await answer(name, input, false).answer).toBe('go');
});

test('an address the gate refuses is refused here, by the tool that wanted it', async () => {
  const refused = answer('fetch_page', { url: 'https://10.0.0.1/' });
  expect(await refused.answer).toMatchObject({ block: 'A private address.' });
  expect(refused.asked).toEqual(['fetch_page https://10.0.0.1/']);
});

test.each([
  {
    hosts: ['a.org'],
    sentence: 'a change on a host is not asked about offline',
    gives: { failure: 'offline' },
  },
  { hosts: [], sentence: 'a change on this device needs no network', gives: 'go' },
])('$sentence', async ({ hosts, gives }) => {
  const change: Tool = { ...tool('note', async () => ''), effects: () => ({ type: 'side-effect', hosts }) };
  const result = await answer(change, {}, false).answer;
  if (typeof gives === 'string') expect(result).toBe(gives);
  else expect(result).toMatchObject(gives);
});

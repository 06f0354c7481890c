/** Every tool of the gallery is valid and returns the results of its examples. */
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { CustomToolContent } from '../../../../src/contracts/custom-tool';
import { checkDefinition } from '../../../../src/tools/custom/check-definition';
import { checkValue } from '../../../../src/tools/custom/check-value';
import { galleryTools } from '../../../../src/tools/custom/gallery/registry';
import { readToolFile, writeToolFile } from '../../../../src/tools/custom/tool-file';

const rates = { status: 200, ok: true, text: '{"date":"2026-11-20","rates":{"EUR":0.9}}' };

/** Runs the code in plain JavaScript. `test/e2e/custom-tools.test.ts` uses the real sandbox. */
async function run({ code, inputSchema }: CustomToolContent, input: unknown): Promise<unknown> {
  const args = checkValue(inputSchema, input, { isClosed: true });
  if (!args.ok) throw new Error(args.reason);
  const scope = { args: structuredClone(args.value), host: { fetch: async () => rates } };
  const result: unknown = await runInNewContext(`(async () => {${code}\n})()`, scope);
  return JSON.parse(JSON.stringify(result));
}

describe.for(galleryTools)('the gallery tool $name', (tool) => {
  test('is a valid tool', () => {
    expect(checkDefinition(tool, ['calculator'])).toEqual([]);
    expect(tool.examples.some(({ request }) => request !== '')).toBe(true);
  });

  test.for(tool.examples)(
    'returns the result of its example: $arguments',
    async ({ arguments: input, result }) => {
      const given = await run(tool, input);
      if (result === undefined) expect(given).toBeTruthy();
      else expect(given).toEqual(JSON.parse(result));
    },
  );

  test('survives export and import as a file', () => {
    expect(readToolFile(writeToolFile(tool))).toEqual({ ok: true, value: tool });
  });
});

const named = (name: string) => galleryTools.find((tool) => tool.name === name)!;

test.for([
  { tool: 'convert_units', input: { value: 1, from: 'km', to: 'kg' }, says: 'length' },
  { tool: 'convert_units', input: { value: 1, from: 'parsec', to: 'kg' }, says: 'Unknown unit "parsec"' },
  { tool: 'convert_units', input: { value: 1, from: 'constructor', to: 'kg' }, says: 'Unknown unit' },
  { tool: 'json_query', input: { json: '{', path: '' }, says: 'no JSON' },
  { tool: 'json_query', input: { json: '{"a":1}', path: 'b' }, says: 'There is: a' },
  { tool: 'json_query', input: { json: '{"a":1}', path: '__proto__' }, says: 'There is no "__proto__"' },
  { tool: 'regex_test', input: { pattern: '(', text: '' }, says: 'cannot be read' },
  { tool: 'color', input: { color: 'toString' }, says: 'is no colour' },
  { tool: 'random', input: { dice: '0d6' }, says: 'Write dice like' },
  { tool: 'encode_text', input: { text: '!', how: 'from_base64' }, says: 'no base64' },
  { tool: 'business_days', input: { from: '2026-02-30', to: '2026-03-01' }, says: '2026-02-30 is no date' },
  { tool: 'query_csv', input: { csv: 'a,b\n1,2', where: 'c = 1' }, says: 'There is: a, b' },
  { tool: 'query_csv', input: { csv: 'a\n"1', where: 'a = 1' }, says: 'quotes closed' },
])('the gallery tool $tool explains why it refuses $input', async ({ tool, input, says }) => {
  await expect(run(named(tool), input)).rejects.toThrow(says);
});

test('the currency tool of the gallery contacts only the host that it declares', async () => {
  expect(await run(named('convert_currency'), { amount: 10, from: 'usd', to: 'EUR' })).toEqual({
    amount: 9,
    currency: 'EUR',
    rate: 0.9,
    date: '2026-11-20',
  });
});

import { expect, test } from 'vitest';
import type { AppError } from '../../../src/contracts/app-error';
import { splitObjects } from '../../../src/backup/others/read-others';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

/** Returns the parsed objects or the error code, and checks that they are the same for every chunk size. */
async function split(text: string): Promise<unknown> {
  const results = new Set<string>();
  for (let size = 1; size <= text.length + 1; size++) {
    const found: unknown[] = [];
    const read = async () => {
      for await (const object of splitObjects(pieces(text, size))) found.push(JSON.parse(object));
    };
    const code = await read().catch((error: unknown) => (error as AppError).code);
    results.add(JSON.stringify(code ?? found));
  }
  expect(results.size, 'the same at every size of the pieces').toBe(1);
  return JSON.parse([...results][0] ?? '');
}

const objects = [{ a: '}]{["\\"' }, { b: [{ c: { d: [] } }], e: '灯塔\u2028' }, {}];

test.for([
  { what: 'a JSON list', text: JSON.stringify(objects) },
  { what: 'a JSON list with whitespace', text: `\ufeff ${JSON.stringify(objects, null, 2)}\n` },
  { what: 'a file of JSON lines', text: objects.map((object) => JSON.stringify(object)).join('\n') },
])('an import file is split into its JSON objects: $what', async ({ text }) =>
  expect(await split(text)).toEqual(objects),
);

test.for([
  { what: 'an empty list', text: '[]', is: [] },
  { what: 'whitespace', text: ' ', is: [] },
  { what: 'one object', text: '{"a":1}', is: [{ a: 1 }] },
  { what: 'a number', text: '7', is: 'backup-unknown' },
  { what: 'a list of numbers', text: '[7]', is: 'backup-unknown' },
  { what: 'a list that is not closed', text: '[{}', is: 'backup-damaged' },
  { what: 'an object that is not closed', text: '{"a":"}', is: 'backup-damaged' },
  { what: 'a missing comma', text: '[{} {}]', is: 'backup-damaged' },
  { what: 'a comma at the end of the list', text: '[{},]', is: 'backup-damaged' },
  { what: 'a comma at the start of the list', text: '[,{}]', is: 'backup-unknown' },
  { what: 'an object after the list', text: '[{}] {}', is: 'backup-damaged' },
  { what: 'a list within the list', text: '[{},[]]', is: 'backup-damaged' },
])('splitting an import file into JSON objects gives $is for $what', async ({ text, is }) =>
  expect(await split(text)).toEqual(is),
);

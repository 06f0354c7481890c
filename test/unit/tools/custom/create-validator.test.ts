import { expect, test } from 'vitest';
import { createValidator } from '../../../../src/tools/custom/create-validator';
import { slugify } from './definition';

const validate = createValidator(slugify.inputSchema, { isClosed: true });
const deep = (depth: number): unknown => (depth === 0 ? 1 : { title: deep(depth - 1) });

test('what fits comes back with defaults in the place of what is missing', () => {
  const input = { title: 'A', tags: ['x'], author: { name: 'Ann', roles: ['a'] } };
  expect(validate(input)).toEqual({ ok: true, value: { ...input, style: 'dash' } });
  expect(validate({ title: 'A', style: 'underscore' })).toMatchObject({ value: { style: 'underscore' } });
});

test.for([
  { input: {}, reason: 'input: Instance does not have required property "title"' },
  { input: { title: 3 }, reason: 'title: Instance type "number" is invalid. Expected "string", got 3' },
  { input: { title: '' }, reason: 'title: String is too short' },
  { input: { title: 'a', words: 1.5 }, reason: 'words: ' },
  { input: { title: 'a', words: 21 }, reason: 'words: 21 is greater than 20, got 21' },
  {
    input: { title: 'a', style: 'x' },
    reason: 'style: Instance does not match any of ["dash","underscore"]',
  },
  { input: { title: 'a', code: 'ABC' }, reason: 'code: Must match pattern ^[A-Z]{2}$, got "ABC"' },
  { input: { title: 'a', tags: ['a', 2] }, reason: 'tags.1: ' },
  { input: { title: 'a', tags: 'a' }, reason: 'tags: ' },
  { input: { title: 'a', author: {} }, reason: 'author: Instance does not have required property "name"' },
  { input: { title: 'a', other: 1 }, reason: 'other: Unrecognized key, got 1' },
  { input: { title: 'a', constructor: 1 }, reason: 'constructor: Unrecognized key' },
  { input: { title: 'a', author: { name: 'b', toString: 1 } }, reason: 'author.toString: Unrecognized key' },
  {
    input: JSON.parse('{"title":"a","__proto__":{"x":1}}') as unknown,
    reason: '__proto__: Unrecognized key',
  },
  { input: null, reason: 'input: ' },
  { input: undefined, reason: 'input: ' },
  { input: { title: 10n }, reason: 'input: must be JSON' },
  { input: () => 1, reason: 'input: must be JSON' },
  { input: { title: undefined }, reason: 'required property "title"' },
  { input: [], reason: 'input: ' },
  { input: 'text', reason: 'input: ' },
  { input: deep(9), reason: 'nested deeper than 8' },
  { input: deep(5000), reason: 'nested deeper than 8' },
])('$reason', ({ input, reason }) => {
  const checked = validate(input);
  expect(checked).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
});

test('a refusal stays short, whatever was passed', () => {
  const input = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 'x'.repeat(1000)]));
  const checked = validate(input);
  expect(checked.ok ? 0 : checked.reason.length).toBeLessThan(1500);
  expect(checked).toMatchObject({ reason: expect.stringContaining('more') });
});

test('patterns are tried on so much text and no more, in however many pieces', () => {
  const items = { type: 'string', pattern: '^a+$' };
  const texts = createValidator({ type: 'array', items }, { isClosed: true });
  expect(texts(new Array(8).fill('a'.repeat(1000)))).toMatchObject({ ok: true });
  expect(texts(new Array(9).fill('a'.repeat(1000)))).toMatchObject({
    reason: expect.stringMatching(/^8: Too much text/),
  });
});

test('the schema of a result lets more keys by', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
  const open = createValidator(schema, { isClosed: false });
  expect(open({ a: 1, b: 2 })).toEqual({ ok: true, value: { a: 1, b: 2 } });
  expect(open({ b: 2 })).toMatchObject({ ok: false });
});

test('a list of any length is looked through', () => {
  const open = createValidator({ type: 'array', items: { type: 'integer' } }, { isClosed: false });
  const long = new Array<number>(200_000).fill(1);
  expect(open(long)).toMatchObject({ ok: true });
  expect(open([...long, 'x'])).toMatchObject({ ok: false, reason: expect.stringContaining('200000: ') });
});

test('the schema stays as it was', () => {
  const before = structuredClone(slugify.inputSchema);
  validate({ title: 'a' });
  expect(Object.getOwnPropertyNames(slugify.inputSchema)).toEqual(Object.getOwnPropertyNames(before));
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/contracts/schema';
import { checkSchema } from '../../../../src/tools/custom/check-schema';
import { checkValue } from '../../../../src/tools/custom/check-value';
import { slugify } from './definition';
import { slow } from '../../../support/matrix';

const closed = { isClosed: true };
const check = (input: unknown) => checkValue(slugify.inputSchema, input, closed);
const deep = (depth: number): unknown => (depth === 0 ? 1 : { title: deep(depth - 1) });

test("a valid value is returned with the schema's defaults filled in", () => {
  const input = { title: 'A', tags: ['x'], author: { name: 'Ann', roles: ['a'] } };
  expect(check(input)).toEqual({ ok: true, value: { ...input, style: 'dash' } });
  expect(check({ title: 'A', style: 'underscore' })).toMatchObject({ value: { style: 'underscore' } });
});

test.for([
  { input: {}, reason: 'title: Invalid input: expected string, received undefined, got nothing' },
  { input: { title: 3 }, reason: 'title: Invalid input: expected string, received integer, got 3' },
  { input: { title: '' }, reason: 'title: Too small: expected string to have >=1 characters, got ""' },
  { input: { title: 'a'.repeat(201) }, reason: 'title: Too big: expected string to have <=200 characters' },
  { input: { title: 'a', words: 1.5 }, reason: 'words: Invalid input: expected integer, received number' },
  { input: { title: 'a', words: 21 }, reason: 'words: Too big: expected number to be <=20, got 21' },
  { input: { title: 'a', style: 'x' }, reason: 'style: Invalid option: expected one of "dash"|"underscore"' },
  { input: { title: 'a', code: 'ABC' }, reason: 'code: Must match pattern ^[A-Z]{2}$, got "ABC"' },
  { input: { title: 'a', tags: ['a', 2] }, reason: 'tags.1: Invalid input: expected string' },
  { input: { title: 'a', tags: ['a', 'b', 'c', 'd'] }, reason: 'tags: Too big: expected array to have <=3' },
  { input: { title: 'a', tags: 'a' }, reason: 'tags: Invalid input: expected array' },
  { input: { title: 'a', author: {} }, reason: 'author.name: Invalid input: expected string' },
  { input: { title: 'a', author: null }, reason: 'author: Invalid input: expected object, received null' },
  { input: { title: 'a', other: 1 }, reason: 'other: Unrecognized key, got 1' },
  { input: { title: 'a', constructor: 1 }, reason: 'constructor: Unrecognized key' },
  { input: { title: 'a', author: { name: 'b', toString: 1 } }, reason: 'author.toString: Unrecognized key' },
  {
    input: JSON.parse('{"title":"a","__proto__":{"x":1}}') as unknown,
    reason: '__proto__: Unrecognized key',
  },
  { input: null, reason: 'input: Invalid input: expected object, received null' },
  { input: [], reason: 'input: Invalid input: expected object, received array' },
  { input: 'text', reason: 'input: ' },
  { input: deep(9), reason: 'nested deeper than 8' },
  { input: deep(5000), reason: 'nested deeper than 8' },
])('an invalid value is refused with a reason that contains: $reason', ({ input, reason }) => {
  expect(check(input)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
});

test('the error about an invalid value stays short, however large the value is', () => {
  const input = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 'x'.repeat(1000)]));
  const checked = check(input);
  expect(checked.ok ? 0 : checked.reason.length).toBeLessThan(1500);
  expect(checked).toMatchObject({ reason: expect.stringMatching(/… and more$/) });
});

test('an emoji counts as one character in the length of a text', () => {
  expect(checkValue({ type: 'string', maxLength: 1 }, '💥', closed)).toMatchObject({ ok: true });
});

test('results of a tool may have unknown keys unless the schema forbids them', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
  const open = { isClosed: false };
  expect(checkValue(schema, { a: 1, b: 2 }, open)).toEqual({ ok: true, value: { a: 1, b: 2 } });
  expect(checkValue(schema, { b: 2 }, open)).toMatchObject({ ok: false });
  expect(checkValue({ ...schema, additionalProperties: false }, { a: 1, b: 2 }, open)).toMatchObject({
    ok: false,
  });
});

describe('a check of a long list', () => {
  /** Returns a list that counts how often its items are read. */
  function counted(list: unknown[]): { list: unknown[]; reads: () => number } {
    let reads = 0;
    const get = (target: unknown[], key: string | symbol) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key) as unknown;
    };
    return { list: new Proxy(list, { get }), reads: () => reads };
  }
  const texts = { type: 'array', items: { type: 'string' } };

  test.for([
    { what: 'valid', list: new Array<string>(100_000).fill('a') },
    { what: 'invalid', list: new Array<number>(100_000).fill(0) },
  ])('reads each of a hundred thousand $what items at most twice', ({ list }) => {
    const { list: watched, reads } = counted(list);
    checkValue(texts, watched, closed);
    expect(reads()).toBeLessThanOrEqual(2 * list.length);
  });

  test('stops at the sixth problem', () => {
    let asked = 0;
    const items = {
      get type() {
        asked++;
        return 'string';
      },
    };
    checkValue({ type: 'array', items }, new Array<number>(100_000).fill(0), closed);
    // Each of the six items reads `type` twice.
    expect(asked).toBeLessThanOrEqual(12);
  });

  slow('checks any list that the sandbox allows, and refuses longer ones', () => {
    const whole = { type: 'array', items: { type: 'integer' } };
    const long = new Array<number>(200_000).fill(1);
    expect(checkValue(whole, long, closed)).toMatchObject({ ok: true });
    expect(checkValue(whole, [...long, 'x'], closed)).toMatchObject({
      reason: expect.stringContaining('200000: '),
    });
    expect(checkValue(whole, [...long, ...long], closed)).toMatchObject({
      reason: 'input: Holds more than 250000 values',
    });
  });
});

describe('the check of three hundred schemas with three hundred values each', () => {
  const name = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x'.repeat(300), '💥', '');
  const scalar = fc.oneof(
    fc.constantFrom(null, true, 0, 1.5, -1e300, '', 'a', '💥'.repeat(50), '\ud800', 'x'.repeat(5000)),
    fc.string(),
  );
  const list = fc.tuple(scalar, fc.constantFrom(0, 1, 7, 200)).map(([item, length]) => {
    return new Array<unknown>(length).fill(item);
  });
  const object = fc.dictionary(name, fc.oneof(scalar, list), { maxKeys: 5, noNullPrototype: true });
  const value = fc.oneof(scalar, list, object, fc.dictionary(name, object, { maxKeys: 4 }));
  const bound = fc.constantFrom(-1, 0, 1, 7, 1e9);
  const text = fc.record(
    {
      type: fc.constant('string'),
      minLength: bound,
      maxLength: bound,
      pattern: fc.constantFrom('^a+$', '^(a|b)*$', '💥', '\\p{L}', ''),
      enum: fc.array(fc.string(), { minLength: 1, maxLength: 200 }),
      default: scalar,
    },
    { requiredKeys: ['type'] },
  );
  const number = fc.record(
    { type: fc.constantFrom('number', 'integer'), minimum: bound, maximum: bound, default: scalar },
    { requiredKeys: ['type'] },
  );
  const flat = fc.oneof(text, number, fc.constant({ type: 'boolean' }));
  const lists = fc.record(
    { type: fc.constant('array'), items: flat, minItems: bound, maxItems: bound },
    { requiredKeys: ['type', 'items'] },
  );
  const objects = (field: fc.Arbitrary<object>) =>
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), field, { noNullPrototype: true }),
        required: fc.subarray(['a', 'b', 'c']),
        additionalProperties: fc.constant(false),
      },
      { requiredKeys: ['type', 'properties'] },
    );
  const schema = objects(fc.oneof(flat, lists, objects(fc.oneof(flat, lists))));

  slow(
    'explains any wrong value in at most 2,000 characters',
    () => {
      const values = fc.sample(value, { seed: 7, numRuns: 300 });
      let fitting = 0;
      for (const drawn of fc.sample(schema, { seed: 23, numRuns: 300 }) as JsonSchema[]) {
        if (checkSchema(drawn).length > 0) continue;
        for (const input of values) {
          const checked = checkValue(drawn, input, closed);
          if (checked.ok) fitting++;
          else if (checked.reason.length > 2000) throw new Error(`So long: ${checked.reason}`);
        }
      }
      expect(fitting).toBeGreaterThan(100);
    },
    60_000,
  );
});

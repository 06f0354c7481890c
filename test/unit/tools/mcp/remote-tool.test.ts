/** An untrusted schema is reduced to a limited size that a grammar can express. */
import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/contracts/schema';
import { writeSchemaRules } from '../../../../src/protocol/schema-grammar';
import { reduceSchema } from '../../../../src/tools/mcp/remote-tool';

const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});
const fieldOf = (field: unknown, more: JsonSchema = {}): unknown =>
  (reduceSchema(object({ it: field }, more))['properties'] as JsonSchema)['it'];

/** Counts the objects and lists in a value. */
function nodesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((sum: number, one) => sum + nodesIn(one), 0);
}
const lettersOf = (schema: JsonSchema) => {
  const { value, rules } = writeSchemaRules(schema, 'a', { maxCharacters: 200, maxBound: 20 });
  return [value, ...rules.values()].join('').length;
};

describe("the schema of a real server's tool", () => {
  test('stays unchanged if its fields are only simple types, choices and lists', () => {
    const schema = object(
      {
        q: { type: 'string', description: 'What to look for.', minLength: 1 },
        n: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
        kind: { type: 'string', enum: ['a', 'b'] },
        deep: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      },
      { required: ['q'], additionalProperties: false, title: 'Search' },
    );
    expect(reduceSchema(schema)).toEqual(schema);
  });

  test.for<[string, unknown, unknown]>([
    ['a reference', { $ref: '#/$defs/Point' }, object({ x: { type: 'number' } }, { required: ['x'] })],
    ['a reference of an older draft', { $ref: '#/definitions/Unit' }, { type: 'string', enum: ['m', 'km'] }],
    ['a reference with escaped letters', { $ref: '#/$defs/a~1b' }, { type: 'boolean' }],
    ['a reference to nowhere', { $ref: '#/$defs/None' }, {}],
    ['a reference to another document', { $ref: 'https://example.org/schema.json' }, {}],
    [
      'text or null',
      { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'Q' },
      { type: 'string', title: 'Q' },
    ],
    ['one type or null', { type: ['null', 'integer'] }, { type: 'integer' }],
    [
      'a choice of schemas',
      { oneOf: [{ type: 'string' }, { type: 'number' }], description: 'D' },
      { description: 'D' },
    ],
    [
      'a choice of one schema',
      { oneOf: [{ $ref: '#/definitions/Unit' }] },
      { type: 'string', enum: ['m', 'km'] },
    ],
    ['a constant', { const: 'fixed' }, { enum: ['fixed'] }],
    ['a constant object', { const: { a: 1 } }, {}],
    ['a choice with null', { type: 'string', enum: ['a', null] }, { type: 'string', enum: ['a'] }],
    ['an empty choice', { type: 'string', enum: [] }, { type: 'string' }],
    ['a choice of objects', { enum: [{ a: 1 }] }, {}],
    [
      'a list of objects',
      { type: 'array', items: object({ a: { type: 'string' } }) },
      { type: 'array', items: object({ a: { type: 'string' } }) },
    ],
    ['anything', true, {}],
    ['fields without a type', { properties: { a: {} } }, object({ a: {} })],
    ['a pattern', { type: 'string', pattern: '^(a+)+$', format: 'date' }, { type: 'string' }],
  ])('is simplified for models: %s', ([, field, told]) => {
    const $defs = {
      Point: object({ x: { type: 'number' } }, { required: ['x', 'y'] }),
      'a/b': { type: 'boolean' },
    };
    expect(fieldOf(field, { $defs, definitions: { Unit: { type: 'string', enum: ['m', 'km'] } } })).toEqual(
      told,
    );
  });

  test('becomes an object if its root refers to an object', () => {
    const $defs = { Args: object({ a: { type: 'string' } }) };
    expect(reduceSchema({ $ref: '#/$defs/Args', $defs })).toEqual($defs.Args);
  });

  test.for<[string, JsonSchema]>([
    ['empty', {}],
    ['a text', { type: 'string' }],
    ['a choice of objects', { anyOf: [object({}), object({})] }],
  ])('becomes an object without constraints if its root is %s', ([, schema]) => {
    expect(reduceSchema(schema)).toEqual({ type: 'object', properties: {} });
  });
});

const many = (count: number) => Array.from({ length: count }, (_, at) => `name ${at}`);
const manyFields = (count: number, field: unknown) =>
  Object.fromEntries(many(count).map((name) => [name, field]));
function nested(depth: number): JsonSchema {
  let schema: JsonSchema = { type: 'string' };
  for (let at = 0; at < depth; at++) schema = object({ a: schema });
  return schema;
}
const parsed = (json: string) => JSON.parse(json) as JsonSchema;

const hostile: Record<string, JsonSchema> = {
  'refers to itself': object({ self: { $ref: '#' } }),
  'is a reference to itself': { $ref: '#' },
  'is a circle of references': object(
    { a: { $ref: '#/$defs/a' } },
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  ),
  'is a choice of itself': object(
    { a: { $ref: '#/$defs/a' } },
    { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } } },
  ),
  'has forty fields that are itself': object(manyFields(40, { $ref: '#' })),
  'has 10,000 fields': object(manyFields(10_000, { type: 'string' }), { required: many(10_000) }),
  'has 10,000 fields that are itself': object(manyFields(10_000, { $ref: '#' })),
  'is 10,000 deep': nested(10_000),
  'has a list of up to a thousand million items': object({
    a: { type: 'array', minItems: 1e9, maxItems: 1e9 },
  }),
  'has text of up to a thousand million characters': object({
    a: { type: 'string', minLength: 1e9, maxLength: 1e9 },
  }),
  'has a fractional and a negative length': object({
    a: { type: 'string', minLength: 1.5 },
    b: { type: 'string', minLength: -3, maxLength: -1 },
    c: { type: 'array', minItems: 2.5, maxItems: -2 },
  }),
  'has bounds at the limits of numbers': object({
    a: { type: 'integer', minimum: 1e308, maximum: 1e308 },
    b: { type: 'integer', minimum: 5, maximum: -5 },
    c: { type: 'number', minimum: -1e308 },
  }),
  'has a choice of 10,000': object({ a: { enum: many(10_000) } }),
  'has long choices, used everywhere': object(manyFields(40, { $ref: '#/$defs/a' }), {
    $defs: { a: { type: 'string', enum: many(100).map((name) => name.padEnd(300, '.')) } },
  }),
  'has 10,000 alternatives that lead the long way round': object(manyFields(40, { $ref: '#/$defs/a' }), {
    $defs: {
      a: { anyOf: Array.from({ length: 10_000 }, () => ({ $ref: '#/$defs/b' })) },
      b: { $ref: `#${'/a'.repeat(15_000)}` },
    },
  }),
  'has long texts everywhere': object(
    manyFields(40, { title: 't'.repeat(1e5), description: 'd'.repeat(1e5) }),
  ),
  'has a constant of megabytes': object({ a: { const: 'x'.repeat(1e6) } }),
  'has a default of megabytes': object({ a: { type: 'string', default: 'x'.repeat(1e6) } }),
  'has a name of megabytes': object({ ['x'.repeat(1e6)]: { type: 'string' } }),
  'names what objects have': parsed(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{}},"required":["__proto__","constructor"]}',
  ),
  'has a prototype in all places': parsed(
    '{"type":"object","__proto__":{"enum":[1]},"properties":{"a":{"__proto__":{"type":"string"},"$ref":"#/__proto__/x"}}}',
  ),
  'requires what is no name': parsed(
    '{"type":"object","properties":{"a":{}},"required":[{"toString":1,"valueOf":1},7,null,"a","a","a"]}',
  ),
  'is wrong everywhere': parsed(
    '{"type":"object","properties":{"a":{"type":7,"enum":"x","minimum":"1","items":[],"anyOf":7,"$ref":7},"b":[],"c":null,"d":7},"required":"a"}',
  ),
};

describe("an untrusted schema of a server's tool", () => {
  test.for(Object.keys(hostile))(
    'is reduced to a schema small enough for a grammar even if it %s',
    (name) => {
      const told = reduceSchema(hostile[name]!);
      expect(told['type']).toBe('object');
      expect(nodesIn(told)).toBeLessThan(2_000);
      expect(JSON.stringify(told).length).toBeLessThan(60_000);
      expect(lettersOf(told)).toBeLessThan(250_000);
    },
  );

  test.for(Object.keys(hostile))('is reduced with a limited amount of work even if it %s', (name) => {
    const { schema, looks } = counted(hostile[name]!);
    reduceSchema(schema);
    // About three reads per field of the schema with 10,000 fields.
    expect(looks()).toBeLessThan(60_000);
  });
});

/** Returns the same schema, with a counter of property reads. */
function counted(root: JsonSchema): { schema: JsonSchema; looks: () => number } {
  let looks = 0;
  const proxies = new WeakMap<object, object>();
  const wrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const known = proxies.get(value);
    if (known) return known;
    const proxy = new Proxy(value, {
      get: (target, key, receiver) => {
        looks += 1;
        return wrap(Reflect.get(target, key, receiver));
      },
      has: (target, key) => {
        looks += 1;
        return Reflect.has(target, key);
      },
      ownKeys(target) {
        looks += 1;
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor(target, key) {
        looks += 1;
        const found = Reflect.getOwnPropertyDescriptor(target, key);
        return found;
      },
    });
    proxies.set(value, proxy);
    return proxy;
  };
  return { schema: wrap(root) as JsonSchema, looks: () => looks };
}

test('the grammar for a tool is valid even if the schema has an empty enum and invalid bounds', () => {
  const told = reduceSchema(
    object({ a: { enum: [] }, b: { enum: [null] }, c: hostile['has a fractional and a negative length']! }),
  );
  const { value, rules } = writeSchemaRules(told, 'a', { maxCharacters: 200 });
  const grammar = [value, ...rules.values()].join('\n');
  expect(grammar).not.toMatch(/\(\)|\{-|,-|\{\d*\.\d/);
});

test('field names of a schema cannot inject prompt markers', () => {
  const told = reduceSchema(
    object({ '<|im_end|>': {}, '<|tool_call>': {}, good: {} }, { required: ['<|im_end|>'] }),
  );
  expect(told).toEqual(object({ good: {} }));
});

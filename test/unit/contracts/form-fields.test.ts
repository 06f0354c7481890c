import { describe, expect, test } from 'vitest';
import { contentOf, fieldsOf, type FormField, problemOf } from '../../../src/contracts/form-fields';

const form = (properties: Record<string, unknown>, required: readonly string[] = []) =>
  fieldsOf({ type: 'object', properties, required });

function fieldOf(property: unknown, isRequired = false): FormField {
  const read = form({ it: property }, isRequired ? ['it'] : []);
  if (!read.ok) throw new Error(read.reason);
  return read.fields[0]!;
}

describe('a field of a form that an MCP server sends', () => {
  test.for<[string, unknown, Partial<FormField>]>([
    [
      'text',
      { type: 'string', default: 'Ada', minLength: 1, maxLength: 9 },
      { type: 'text', value: 'Ada', maxLength: 9 } as never,
    ],
    ['an email address', { type: 'string', format: 'email' }, { type: 'text', format: 'email' } as never],
    ['an unknown format', { type: 'string', format: 'phone' }, { type: 'text', value: '' }],
    [
      'a number',
      { type: 'number', default: 1.5, minimum: 0 },
      { type: 'number', value: '1.5', isWhole: false },
    ],
    ['a whole number', { type: 'integer', maximum: 9 }, { type: 'number', value: '', isWhole: true }],
    ['a boolean', { type: 'boolean', default: true }, { type: 'boolean', value: true }],
    [
      'a single choice',
      { type: 'string', enum: ['a', 'b'], enumNames: ['Apple'], default: 'b' },
      {
        type: 'one-of',
        value: 'b',
        options: [
          { value: 'a', title: 'Apple' },
          { value: 'b', title: 'b' },
        ],
      },
    ],
    [
      'a single choice with titles',
      { type: 'string', oneOf: [{ const: 'a', title: 'Apple' }, { const: 'b' }], default: 'c' },
      {
        type: 'one-of',
        value: '',
        options: [
          { value: 'a', title: 'Apple' },
          { value: 'b', title: 'b' },
        ],
      },
    ],
    [
      'a multiple choice',
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        minItems: 1,
        maxItems: 2,
        default: ['b', 'x', 'b'],
      },
      { type: 'some-of', value: ['b'], least: 1, most: 2 },
    ],
    [
      'a multiple choice with titles',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'Apple' }] } },
      { type: 'some-of', value: [], options: [{ value: 'a', title: 'Apple' }] },
    ],
    ['a default of another type', { type: 'string', default: { a: 1 } }, { type: 'text', value: '' }],
  ])('is created from its JSON schema: %s', ([, property, field]) => {
    expect(fieldOf(property)).toMatchObject({ name: 'it', title: 'it', ...field });
  });

  test('gets its title and description from the schema', () => {
    const field = fieldOf({ type: 'string', title: 'Your name', description: 'As on the card' }, true);
    expect(field).toMatchObject({ title: 'Your name', description: 'As on the card', isRequired: true });
  });
});

const many = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
const inherited: object = Object.create({ type: 'object', properties: { a: { type: 'string' } } }) as object;

test.for<[string, unknown]>([
  ['a type other than object', []],
  ['a list', { type: 'array', items: {} }],
  ['properties that are a list', { type: 'object', properties: [] }],
  ['an inherited type', inherited],
  ['a nested object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
  ['a list of objects', { type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } }],
  [
    'a list of free text',
    { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
  ],
  ['a field that is null', { type: 'object', properties: { a: null } }],
  ['a reference', { type: 'object', properties: { a: { $ref: '#' } } }],
  ['several types', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
  ['an empty choice', { type: 'object', properties: { a: { type: 'string', enum: [] } } }],
  ['a choice of numbers', { type: 'object', properties: { a: { type: 'string', enum: [1] } } }],
  ['a duplicate option', { type: 'object', properties: { a: { type: 'string', enum: ['x', 'x'] } } }],
  ['too many options', { type: 'object', properties: { a: { type: 'string', enum: many(201) } } }],
  [
    'a minimum above the number of options',
    { type: 'object', properties: { a: { type: 'array', minItems: 3, items: { enum: ['x'] } } } },
  ],
  ['a negative length', { type: 'object', properties: { a: { type: 'string', maxLength: -1 } } }],
  ['a limit that is text', { type: 'object', properties: { a: { type: 'number', minimum: '1' } } }],
  ['a name of megabytes', { type: 'object', properties: { ['a'.repeat(1e6)]: { type: 'string' } } }],
  [
    'too many fields',
    { type: 'object', properties: Object.fromEntries(many(31).map((name) => [name, { type: 'string' }])) },
  ],
  ['required names that are not text', { type: 'object', properties: {}, required: [1] }],
  ['a missing required field', { type: 'object', properties: {}, required: ['toString'] }],
])('an invalid form schema is refused with a short reason: %s', ([, schema]) => {
  const read = fieldsOf(schema as Record<string, unknown>);
  expect(read.ok).toBe(false);
  if (!read.ok) expect(read.reason.length).toBeLessThan(300);
});

test('a form schema that contains itself is refused', () => {
  const circle: Record<string, unknown> = { type: 'object' };
  circle['properties'] = { circle };
  expect(fieldsOf(circle).ok).toBe(false);
});

test('form fields may be named like built-in object properties', () => {
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string","default":"x"},"constructor":{"type":"boolean"}},"required":["__proto__"]}',
  ) as Record<string, unknown>;
  const read = fieldsOf(schema);
  if (!read.ok) throw new Error(read.reason);
  expect(read.fields.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
  expect(JSON.stringify(contentOf(read.fields))).toBe('{"__proto__":"x","constructor":false}');
});

test("a form field's very long title and description are shortened", () => {
  const field = fieldOf({ type: 'string', title: 't'.repeat(1e6), description: 'd'.repeat(1e6) });
  expect(field.title.length + field.description.length).toBeLessThan(3_000);
  expect(fieldsOf({ type: 'object' })).toEqual({ ok: true, fields: [] });
});

describe('validating a form field', () => {
  test.for<[unknown, string | readonly string[], string | undefined]>([
    [{ type: 'string' }, '', 'missing'],
    [{ type: 'string', minLength: 3 }, 'ab', 'too-short'],
    [{ type: 'string', maxLength: 2 }, '👍👍', undefined],
    [{ type: 'string', maxLength: 2 }, 'abc', 'too-long'],
    [{ type: 'string', format: 'email' }, 'ada', 'email'],
    [{ type: 'string', format: 'email' }, 'ada@example.org', undefined],
    [{ type: 'string', format: 'uri' }, 'example', 'uri'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'date'],
    [{ type: 'string', format: 'date' }, '2026-02-28', undefined],
    [{ type: 'string', format: 'date-time' }, '2026-02-28 9:30', 'date-time'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T09:30:00Z', undefined],
    [{ type: 'number' }, '0x10', 'number'],
    [{ type: 'number' }, '1e999', 'number'],
    [{ type: 'number' }, '-1.5e3', undefined],
    [{ type: 'integer' }, '1.5', 'whole'],
    [{ type: 'number', minimum: 2 }, '1', 'least'],
    [{ type: 'number', maximum: 2 }, '3', 'most'],
    [{ type: 'string', enum: ['a'] }, '', 'missing'],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2 }, ['a'], 'few'],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, maxItems: 1 }, ['a', 'b'], 'many'],
    [{ type: 'array', items: { enum: ['a'] } }, [], undefined],
  ])('checks a value against its schema: %o, value %o, problem %s', ([property, value, problem]) => {
    expect(problemOf({ ...fieldOf(property, true), value } as FormField)).toBe(problem);
  });

  test('accepts an empty value in an optional field', () => {
    for (const property of [
      { type: 'string', minLength: 3 },
      { type: 'number', minimum: 3 },
      { type: 'array', items: { enum: ['a'] }, minItems: 1 },
    ])
      expect(problemOf(fieldOf(property))).toBeUndefined();
  });
});

test('a submitted form has values of the types in its schema and omits empty fields', () => {
  const read = form({
    name: { type: 'string', default: 'Ada' },
    empty: { type: 'string' },
    age: { type: 'integer', default: 36 },
    none: { type: 'number' },
    isNew: { type: 'boolean' },
    colours: { type: 'array', items: { enum: ['red', 'blue'] }, default: ['blue'] },
    unchosen: { type: 'string', enum: ['x'] },
  });
  if (!read.ok) throw new Error(read.reason);
  expect(contentOf(read.fields)).toEqual({ name: 'Ada', age: 36, isNew: false, colours: ['blue'] });
});

import { expect, test } from 'vitest';
import { MissingPartError } from '../../../src/contracts/error-code';
import { z } from '../../../src/contracts/schema';
import { defineTool } from '../../../src/tools/define-tool';

const context = { signal: new AbortController().signal, onProgress: () => undefined };
const pay = defineTool({
  name: 'pay',
  title: 'Pay',
  description: 'Pays an amount.',
  input: z.strictObject({
    amount: z.int().check(z.minimum(1), z.maximum(100)),
    to: z.string().check(z.maxLength(20)),
    note: z.optional(z.string()),
  }),
  outputSchema: { type: 'object' },
  examples: [{ request: 'Pay Ann 5', arguments: { amount: 5, to: 'Ann' } }],
  annotations: { destructiveHint: true },
  effects: ({ amount }) => ({ type: amount > 50 ? 'side-effect' : 'pure' }),
  run({ amount, to, note }) {
    if (note !== undefined) return [`paid ${amount} to ${to}`, note];
    if (to === 'nobody') throw new Error('There is no such person; name another');
    return `paid ${amount} to ${to}`;
  },
});

const textOf = async (input: unknown) => {
  const { content, isError } = await pay.execute(input, context);
  return { text: content[0]?.type === 'text' ? content[0].text : '', isError };
};

test.for([
  new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/find-zone.js'),
  new MissingPartError(),
])('a part of the app that fails to load does not count as an error of the call: %s', async (error) => {
  const { input, ...rest } = {
    input: z.strictObject({}),
    name: 'zone',
    title: 'Zone',
    description: 'A zone.',
  };
  const zone = defineTool({ ...rest, input, failure: 'place', run: () => Promise.reject(error) });
  const { content, failure } = await zone.execute({}, context);
  expect(failure).toBe('missing');
  expect(content).toEqual([{ type: 'text', text: new MissingPartError().message }]);
});

test('the model gets the texts and the schema from the definition of a tool', () => {
  expect(pay).toMatchObject({
    inputSchema: {
      type: 'object',
      additionalProperties: false,
      required: ['amount', 'to'],
      properties: {
        amount: { type: 'integer', minimum: 1, maximum: 100 },
        to: { type: 'string', maxLength: 20 },
      },
    },
    outputSchema: { type: 'object' },
    examples: [{ arguments: { amount: 5 } }],
    annotations: { destructiveHint: true },
  });
  expect(pay).not.toHaveProperty('run');
  expect(pay).not.toHaveProperty('input');
});

test('a call with valid arguments runs the tool', async () => {
  expect(await textOf({ amount: 5, to: 'Ann' })).toEqual({ text: 'paid 5 to Ann', isError: false });
});

test('a tool can return a second text, which stays separate from the first in its result', async () => {
  expect(await pay.execute({ amount: 5, to: 'Ann', note: 'for lunch' }, context)).toEqual({
    content: [
      { type: 'text', text: 'paid 5 to Ann' },
      { type: 'text', text: 'for lunch' },
    ],
    isError: false,
    origins: [{ door: 'hearth' }],
  });
});

const takes = '\npay takes {amount, to, note?}';
test.for([
  {
    name: 'a missing field',
    input: { amount: 5 },
    text: 'to: Invalid input: expected string, received undefined, got nothing',
  },
  {
    name: 'a wrong type',
    input: { amount: '5', to: 'Ann' },
    text: 'amount: Invalid input: expected number, received string, got "5"',
  },
  {
    name: 'a number out of range',
    input: { amount: 500, to: 'Ann' },
    text: 'amount: Too big: expected number to be <=100, got 500',
  },
  {
    name: 'an unknown field',
    input: { amount: 5, to: 'Ann', when: 'now' },
    text: 'input: Unrecognized key: "when", got {"amount":5,"to":"Ann","when":"now"}',
  },
  {
    name: 'a prototype key',
    input: JSON.parse('{"amount":5,"to":"Ann","__proto__":{"a":1}}') as unknown,
    text: 'input: Unrecognized key: "__proto__", got {"amount":5,"to":"Ann","__proto__":{"a":1}}',
  },
  {
    name: 'a huge text',
    input: { amount: 5, to: 'x'.repeat(1_000_000) },
    text: `to: Too big: expected string to have <=20 characters, got "${'x'.repeat(79)}…`,
  },
  {
    name: 'nesting deeper than the stack',
    input: { amount: 5, to: JSON.parse('['.repeat(9000) + ']'.repeat(9000)) as unknown },
    text: 'to: Invalid input: expected string, received array, got [[[…]]]',
  },
  {
    name: 'no arguments at all',
    input: undefined,
    text: 'input: Invalid input: expected object, received undefined, got nothing',
  },
])(
  'an error about call arguments names the field, the rule and the value: $name',
  async ({ input, text }) => {
    expect(await textOf(input)).toEqual({ text: text + takes, isError: true });
  },
);

test('an error about call arguments stays short for any input', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]));
  for (const input of [many, { ['k'.repeat(100_000)]: 1 }]) {
    const { text } = await textOf(input);
    expect(text).toContain('Unrecognized key');
    expect(text.length).toBeLessThan(700);
  }
});

test('the effects of a call depend on its arguments, and a call with invalid arguments has no effects', () => {
  expect(pay.effects({ amount: 60, to: 'Ann' })).toEqual({ type: 'side-effect' });
  for (const input of [null, undefined, {}, { amount: 600, to: 'Ann' }]) {
    expect(pay.effects(input)).toEqual({ type: 'pure' });
  }
});

test('the model gets the message of an error that a tool throws, but an abort rejects the call', async () => {
  expect(await textOf({ amount: 5, to: 'nobody' })).toEqual({
    text: 'There is no such person; name another',
    isError: true,
  });
  const aborted = { ...context, signal: AbortSignal.abort(new Error('stopped')) };
  await expect(pay.execute({ amount: 5, to: 'Ann' }, aborted)).rejects.toThrow('stopped');
});

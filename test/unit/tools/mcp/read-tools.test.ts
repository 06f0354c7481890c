/** What a server lists, as it is kept: cut, bounded, and named by a hash of all that it said. */
import { describe, expect, test } from 'vitest';
import type { Tool } from '@modelcontextprotocol/client';
import { mostDescription } from '../../../../src/contracts/mcp-server';
import { readTools } from '../../../../src/tools/mcp/read-answers';

const tool = (changed: Partial<Tool> = {}): Tool => ({
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...changed,
});
const readOne = async (changed: Partial<Tool> = {}) => (await readTools([tool(changed)]))[0]!;
const hashOf = async (changed: Partial<Tool> = {}) => (await readOne(changed)).hash;
const parsed = (json: string) => JSON.parse(json) as Tool['inputSchema'];
const nested = (depth: number) => parsed(`${'{"type":"object","a":'.repeat(depth)}{}${'}'.repeat(depth)}`);

describe('the hash', () => {
  test('is of the content alone: the order of fields means nothing', async () => {
    const hash = await hashOf({ inputSchema: parsed('{"type":"object","properties":{"a":{},"b":{}}}') });
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect(await hashOf({ inputSchema: parsed('{"properties":{"b":{},"a":{}},"type":"object"}') })).toBe(
      hash,
    );
    const turned = { inputSchema: tool().inputSchema, description: 'Says it again.', name: 'echo' };
    expect((await readTools([turned]))[0]?.hash).toBe(await hashOf());
  });

  test.for<[string, Partial<Tool>]>([
    ['name', { name: 'echo2' }],
    ['title', { title: 'Echo' }],
    ['description', { description: 'Says it again!' }],
    ['description, in a letter that nobody sees', { description: 'Says it again.\u200b' }],
    ['description, beyond what is kept', { description: 'x'.repeat(mostDescription) + 'y' }],
    ['schema', { inputSchema: { type: 'object', properties: { text: { type: 'number' } } } }],
    ['schema, in its order of choices', { inputSchema: { type: 'object', required: ['a', 'b'] } }],
    ['schema of results', { outputSchema: { type: 'object' } }],
    ['hints', { annotations: { readOnlyHint: true } }],
    ['hints that are not shown', { annotations: { title: 'x'.repeat(5_000) } }],
  ])('is another where another %s is', async ([, changed]) => {
    expect(await hashOf(changed)).not.toBe(await hashOf());
  });

  test('tells a list from an object, and one order of a list from another', async () => {
    const texts = [
      '{"type":"object","default":{"a":1}}',
      '{"type":"object","default":[["a",1]]}',
      '{"type":"object","default":{"fields":[["a",1]]}}',
      '{"type":"object","default":["a",1]}',
      '{"type":"object","default":[1,"a"]}',
      '{"type":"object","default":"a,1"}',
      '{"type":"object","default":{"__proto__":1}}',
      '{"type":"object","default":{}}',
    ];
    const hashes = await Promise.all(texts.map((text) => hashOf({ inputSchema: parsed(text) })));
    expect(new Set(hashes).size).toBe(texts.length);
  });
});

describe('a tool', () => {
  test('is kept as it was sent', async () => {
    const outputSchema = { type: 'object' as const, properties: { sum: { type: 'number' } } };
    const annotations = { title: 'Echo', readOnlyHint: true };
    expect(await readOne({ outputSchema, annotations })).toMatchObject({
      name: 'echo',
      definition: {
        title: 'Echo',
        description: 'Says it again.',
        inputSchema: tool().inputSchema,
        outputSchema,
        hints: annotations,
      },
    });
    expect(await readOne({ title: 'Mine', annotations })).toMatchObject({ definition: { title: 'Mine' } });
    expect(await readOne()).not.toHaveProperty('unfit');
  });

  test.for<[string, string, () => Partial<Tool>]>([
    ['without a name', 'name', () => ({ name: '' })],
    ['with a blank for a name', 'name', () => ({ name: ' ' })],
    ['with a name nobody reads to the end', 'name', () => ({ name: 'x'.repeat(129) })],
    ['with a line break in its name', 'name', () => ({ name: 'a\nb' })],
    ['with an unseen letter in its name', 'name', () => ({ name: 'a\u200bb' })],
    ['whose name turns round', 'name', () => ({ name: 'a\u202eb' })],
    [
      'with a description nobody reads to the end',
      'too-long',
      () => ({ description: 'x'.repeat(mostDescription + 1) }),
    ],
    ['with a description of 10 MB', 'too-long', () => ({ description: 'x'.repeat(10_000_000) })],
    [
      'with a schema of 70 kB',
      'too-long',
      () => ({ inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
    ],
    [
      'with a schema of results of 70 kB',
      'too-long',
      () => ({ outputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
    ],
    ['with a deep schema', 'schema', () => ({ inputSchema: nested(30) })],
    ['with a schema 10,000 deep', 'schema', () => ({ inputSchema: nested(10_000) })],
    ['with a deep schema of results', 'schema', () => ({ outputSchema: nested(10_000) })],
  ])('%s is unfit: %s', async ([, unfit, changed]) => {
    const read = await readOne(changed());
    expect(read).toMatchObject({ unfit, definition: { inputSchema: {} } });
    expect(read.definition).not.toHaveProperty('outputSchema');
    expect(JSON.stringify(read).length).toBeLessThan(mostDescription + 1_000);
  });

  test('at the limits is fit', async () => {
    const read = await readOne({ name: 'x'.repeat(128), description: 'y'.repeat(mostDescription) });
    expect(read).not.toHaveProperty('unfit');
    expect(await readOne({ name: '搜索' })).not.toHaveProperty('unfit');
  });

  test('has hints no larger than can be shown', async () => {
    const long = await readOne({ annotations: { title: 'x'.repeat(5_000) } });
    expect(long).toMatchObject({ definition: { title: 'x'.repeat(128), hints: {} } });
    const deep = JSON.parse(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`) as object;
    expect((await readOne({ annotations: deep })).definition.hints).toEqual({});
  });
});

test('of two with one name the first counts, also where only what is kept of them is the same', async () => {
  const read = await readTools([tool(), tool({ description: 'Another.' }), tool({ name: 'other' })]);
  expect(read.map(({ name }) => name)).toEqual(['echo', 'other']);
  expect(read[0]?.definition.description).toBe('Says it again.');
  const long = 'x'.repeat(128);
  expect(await readTools([tool({ name: `${long}a` }), tool({ name: `${long}b` })])).toHaveLength(1);
});

test('of very many the first five hundred count, and one that is odd takes no other along', async () => {
  const many = Array.from({ length: 1_002 }, (_, at) =>
    tool({ name: `tool ${at}`, ...(at % 2 === 0 && { inputSchema: nested(1_000) }) }),
  );
  const read = await readTools(many);
  expect(read).toHaveLength(500);
  expect(read.filter(({ unfit }) => unfit === undefined)).toHaveLength(250);
});

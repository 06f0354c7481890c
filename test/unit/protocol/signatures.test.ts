import { expect, test } from 'vitest';
import type { ToolSpec } from '../../../src/contracts/tool';
import { dialectOf } from '../../../src/protocol/dialects';

function lineOf(inputSchema: ToolSpec['inputSchema'], description = 'Does it'): string {
  const tool = { name: 'tool', title: 'Tool', description, inputSchema };
  const text = dialectOf('hermes').describe([tool], { isShort: true, mostExamples: 0 });
  return /<tools>\n([^]*)\n<\/tools>/.exec(text)?.[1] ?? '';
}

test.each<[string, ToolSpec['inputSchema'], string]>([
  ['no arguments', { type: 'object' }, 'tool(): Does it.'],
  [
    'required and optional arguments',
    {
      type: 'object',
      properties: { place: { type: 'string', description: 'A town' }, days: { type: 'integer', minimum: 1 } },
      required: ['place'],
    },
    'tool(place: string, days?: integer): Does it. place: A town.',
  ],
  [
    'choices and lists',
    {
      type: 'object',
      properties: {
        depth: { enum: ['quick', 'deep'] },
        names: { type: 'array', items: { type: 'string' } },
        kind: { const: 7 },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        many: { type: ['string', 'null'] },
      },
    },
    'tool(depth?: "quick" | "deep", names?: (string)[], kind?: 7, either?: string | null, many?: string | null): Does it.',
  ],
  [
    'objects',
    {
      type: 'object',
      properties: { at: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      required: ['at'],
    },
    'tool(at: { x: number }): Does it.',
  ],
  [
    'what it does not know',
    { type: 'object', properties: { a: { $ref: '#/x' }, b: true, 'c d': {} } },
    'tool(a?: any, b?: any, "c d"?: any): Does it.',
  ],
])('a signature with %s', (_, schema, line) => {
  expect(lineOf(schema)).toBe(line);
});

test('a deep schema and a description of many lines take one short line', () => {
  let deep: Record<string, unknown> = { type: 'string' };
  for (let level = 0; level < 50; level++)
    deep = { type: 'object', properties: { a: deep }, required: ['a'] };
  const line = lineOf({ type: 'object', properties: { deep } }, 'One.\n</tools>\n\nTwo');
  expect(line.split('\n')).toHaveLength(1);
  expect(line.length).toBeLessThan(100);
});

import { describe, expect, test } from 'vitest';
import { coerceArguments } from '../../../src/protocol/resolve';
import { indexTools } from '../../../src/protocol/tool-index';
import { offered } from '../../fixtures/protocol/tools';

describe('fitting the arguments of a call to their types', () => {
  test.for([
    { name: 'a string of digits', type: 'integer', written: '40', fitted: 40 },
    { name: 'a string of digits for a string field', type: 'string', written: '007', fitted: '007' },
    { name: 'a number for a string field', type: 'string', written: 7, fitted: '7' },
    { name: 'a fraction for an integer field', type: 'integer', written: '1.5', fitted: '1.5' },
    { name: 'a boolean written as a string', type: 'boolean', written: 'True', fitted: true },
    { name: 'a list written as a string', type: 'array', written: "['a', 1]", fitted: ['a', 1] },
    { name: 'a single value for a list field', type: 'array', written: 'a', fitted: ['a'] },
    { name: 'an object written as a string', type: 'object', written: '{"a": 1}', fitted: { a: 1 } },
    { name: 'null written as a string', type: 'null', written: 'None', fitted: null },
    { name: 'a value that does not fit the type', type: 'integer', written: 'many', fitted: 'many' },
    { name: 'an unknown type', type: 'money', written: '5', fitted: '5' },
  ])('turns a value into $fitted: $name', ({ type, written, fitted }) => {
    const { arguments: got, repairs } = coerceArguments(
      { x: written },
      { type: 'object', properties: { x: { type } } },
    );
    expect(got).toEqual({ x: fitted });
    expect(repairs).toEqual(got['x'] === written ? [] : [`x was read as ${type}`]);
  });

  test('converts values inside lists and objects', () => {
    const schema = {
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
      },
    };
    expect(coerceArguments({ list: [{ n: '1' }] }, schema)).toMatchObject({
      arguments: { list: [{ n: 1 }] },
      repairs: ['list.0.n was read as number'],
    });
  });

  test('reports unknown and missing fields', () => {
    const schema = { properties: { a: {} }, required: ['a'] };
    expect(coerceArguments({ b: 1 }, schema)).toMatchObject({ unknown: ['b'], missing: ['a'] });
  });
});

describe('finding a tool by its name', () => {
  const tools = indexTools(offered);

  test.for([
    ['web_search', true],
    ['Web-Search', false],
    ['web\\_search', false],
    ['functions.web_search', false],
    ['functions.web_search:0', false],
    ['ns:mcp:web_search', false],
  ] as const)('finds web_search by the name "%s" (exact match: %s)', ([written, isExact]) => {
    expect(tools.find(written)).toMatchObject({ tool: { name: 'web_search' }, isExact });
  });

  test('finds neither of two tools by a name that resembles both', () => {
    const [first] = offered;
    if (!first) throw new Error('no tool');
    const twins = indexTools([
      { ...first, name: 'a_b' },
      { ...first, name: 'a-b' },
    ]);
    expect(twins.find('A_B')).toBeUndefined();
    expect(twins.find('a-b')).toMatchObject({ tool: { name: 'a-b' } });
  });

  test('suggests only similar names', () => {
    expect(tools.nearest('web_serch')).toEqual(['web_search']);
    expect(tools.nearest('launch_rocket')).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { readValue, readWholeValue } from '../../../src/protocol/value-reader';

describe('reading a value that a model wrote', () => {
  test.for([
    { name: 'JSON', text: '{"a": [1, "b", null, true]}', value: { a: [1, 'b', null, true] } },
    {
      name: 'JSON5',
      text: "{a: +1, b: .5, c: 0x10, /* d */ 'e': 1e3,}",
      value: { a: 1, b: 0.5, c: 16, e: 1000 },
    },
    { name: 'Python', text: "{'a': True, 'b': None, 'c': (1, 2)}", value: { a: true, b: null, c: [1, 2] } },
    { name: "Python's long strings", text: "['''a\n\"b\"''', r'\\d', b'x']", value: ['a\n"b"', '\\d', 'x'] },
    {
      name: "Gemma's strings",
      text: '{a b:<|"|>x, {y<|"|>,c:[<escape>z<escape>]}',
      value: { 'a b': 'x, {y', c: ['z'] },
    },
    { name: 'typographic quotes', text: '{“a”: “b”}', value: { a: 'b' } },
    { name: 'doubled braces', text: '{{"a": {{"b": 1}}}}', value: { a: { b: 1 } } },
    { name: 'a missing comma', text: '{"a": 1 "b": 2}', value: { a: 1, b: 2 } },
    {
      name: 'quotes in a string',
      text: '{"a": "say "hi", now", "b": 1}',
      value: { a: 'say "hi", now', b: 1 },
    },
    { name: 'an apostrophe', text: "{'a': 'it's', 'b': 'x'}", value: { a: "it's", b: 'x' } },
    { name: 'escapes', text: "['\\u00e9\\n\\x41\\'']", value: ["é\nA'"] },
    { name: 'a path with backslashes', text: '["C:\\Users\\new"]', value: ['C:\\Users\\new'] },
    { name: 'an extra bracket', text: '{"a": 1}}', value: { a: 1 } },
    {
      name: 'a field named like a prototype property',
      text: "{'__proto__': 1}",
      value: JSON.parse('{"__proto__": 1}') as unknown,
    },
  ])('parses $name', ({ text, value }) => {
    const read = readWholeValue(text);
    expect(read?.value).toEqual(value);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.for([
    { name: 'an expression', text: '{"a": 1/6}' },
    { name: 'concatenated strings', text: '{"a": "b" + "c"}' },
    { name: 'a placeholder', text: '{"a": <args>}' },
    { name: 'a word without quotes', text: '{"a": hello}' },
    { name: 'an unfinished string', text: '{"a": "b' },
    { name: 'an open bracket', text: '{"a": [1' },
    { name: 'text after the value', text: '{"a": 1} and so on' },
    { name: 'an empty text', text: '' },
  ])('rejects input instead of guessing its value: $name', ({ text }) => {
    expect(readWholeValue(text)).toBeUndefined();
  });

  test('parses strict JSON without repairs', () => {
    expect(readWholeValue('{"a": "it\'s, \\"b\\": 1}"}')).toEqual({
      value: { a: 'it\'s, "b": 1}' },
      repairs: [],
    });
  });

  test('closes open brackets at a closing marker, and reports the repair', () => {
    expect(readWholeValue('{"a": [1', { mayClose: true })).toMatchObject({
      value: { a: [1] },
      repairs: ['a closing bracket was missing'],
    });
  });
});

test('reading a value from a longer text stops at the end of the value', () => {
  expect(readValue('[1] y')).toEqual({ value: [1], end: 3 });
});

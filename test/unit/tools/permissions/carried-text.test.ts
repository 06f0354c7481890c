import { describe, expect, test } from 'vitest';
import type { Origin } from '../../../../src/contracts/origin';
import type { JsonSchema } from '../../../../src/contracts/schema';
import { findCopiedArguments } from '../../../../src/tools/permissions/carried-text';

const own = { id: 'own', host: 'own.example.org' };
const page = (name: string): Origin => ({ door: 'page', name });
const ownText: Origin = { door: 'server', name: own.host, serverId: own.id };
const other = page('mail.example.net');
const schema: JsonSchema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    n: { type: 'number' },
    kind: { type: 'string', enum: ['urgent', 'later'] },
    kinds: { type: 'array', items: { type: 'string', enum: ['urgent', 'later'] } },
    list: { type: 'array', items: { type: 'string' } },
    deep: { type: 'object', properties: { text: { type: 'string' }, kind: { enum: ['urgent'] } } },
  },
};
const letter =
  'Dear Ada, the code is heron-7 and it is urgent. Room 4711 costs 1234.5 euros. 密码是苍鹭七号，请勿外传。Bis morgen, Café Möwe';

const carried = (input: unknown, said = letter, typed = '', origins = [other]) =>
  findCopiedArguments(input, schema, own, { outside: [{ origins, text: said }], questions: [typed] });
const isCarried = (input: unknown, said?: string, typed?: string) => carried(input, said, typed).length > 0;

describe('a call argument that contains text from another host', () => {
  test.for<[string, unknown]>([
    ['a word', { text: 'heron-7' }],
    ['a word with other case and punctuation', { text: '  HERON 7 ' }],
    ['a word with other accents', { text: 'CAFE\u0301' }],
    ['consecutive words', { text: 'the code is heron-7' }],
    ['three consecutive words within other text', { text: 'Please note that the code is zebra' }],
    ['the whole text', { text: letter }],
    ['a number', { n: 4711 }],
    ['a number with a point', { n: 1234.5 }],
    ['a number as text', { text: '4711' }],
    ['Chinese', { text: '苍鹭七号' }],
    ['Chinese in a longer sentence', { text: '请转告大家密码是苍鹭七号谢谢' }],
    ['Chinese between punctuation marks', { text: '请转告：密码是苍鹭七号！谢谢' }],
    ['a word in a list', { list: ['nothing', 'heron-7'] }],
    ['a word in an object', { deep: { text: 'heron-7' } }],
    ['one in a field that nobody described', { more: { rest: ['heron-7'] } }],
    ['the name of such a field', { 'heron-7': true }],
    ['a field with a name that objects have', JSON.parse('{"__proto__": "heron-7"}')],
  ])('counts as text from that host: %s', ([, input]) => {
    expect(carried(input)).toHaveLength(1);
    expect(carried(input)[0]?.from).toEqual(other);
  });
});

describe('searching a call argument for text from another host', () => {
  test.for<[string, unknown]>([
    ['text that no host supplied', { text: 'zebra crossing' }],
    ['a part of a word', { text: 'ero' }],
    ['one letter, and one digit', { text: 'a', n: 7 }],
    ['one Chinese letter', { text: '七' }],
    ['other Chinese', { text: '今天天气很好我们去公园' }],
    ['an empty text', { text: '' }],
    ['only punctuation', { text: '— … !' }],
    ['a value of an enum', { kind: 'urgent' }],
    ['several values of an enum', { kinds: ['urgent', 'urgent'] }],
    ['a value of a nested enum', { deep: { kind: 'urgent' } }],
    ['booleans', { flag: true, none: null }],
    ['names of fields in the schema', { text: 'x', list: [], n: 3 }],
    ['no arguments', {}],
    ['arguments of other types', undefined],
  ])('finds nothing in a harmless argument: %s', ([, input]) => {
    expect(carried(input)).toEqual([]);
  });

  test.for<[string, unknown, string]>([
    ['a word', { text: 'heron-7' }, 'Is heron-7 right?'],
    ['words', { text: 'the code is heron-7' }, 'Tell them that THE CODE IS “heron 7”.'],
    [
      'words in another order with some of one’s own',
      { text: 'Ada, heron-7 please' },
      'heron-7 for Ada, please',
    ],
    ['a number', { n: 4711 }, 'Book 4711.'],
    ['Chinese', { text: '密码是苍鹭七号' }, '把密码是苍鹭七号发给他'],
  ])('ignores text that the user also typed: %s', ([, input, typed]) => {
    expect(carried(input, letter, typed)).toEqual([]);
  });
});

test('text from another host is detected unless it is an enum value in its own field or the user typed all of it', () => {
  expect(isCarried({ text: 'urgent' })).toBe(true);
  expect(isCarried({ kind: 'heron-7' })).toBe(true);
  expect(isCarried({ text: 'heron-7' }, letter, 'Is it heron?')).toBe(true);
});

test("a server's own text may be sent back to it, unless another host may have contributed to the text", () => {
  expect(carried({ text: 'heron-7' }, letter, '', [ownText])).toEqual([]);
  expect(carried({ text: 'heron-7' }, letter, '', [page(own.host)])).toEqual([]);
  expect(carried({ text: 'heron-7' }, letter, '', [ownText, other])).toEqual([
    { from: other, text: 'heron-7' },
  ]);
  expect(findCopiedArguments({ text: 'heron-7' }, schema, own, { outside: [], questions: [] })).toEqual([]);
});

test('text from another server on the same host counts as text from elsewhere', () => {
  const neighbour = { ...ownText, serverId: 'neighbour' };
  expect(carried({ text: 'heron-7' }, letter, '', [neighbour])).toEqual([
    { from: neighbour, text: 'heron-7' },
  ]);
});

test('text from a file that has the name of the server counts as text from elsewhere', () => {
  const file: Origin = { door: 'file', name: own.host };
  expect(carried({ text: 'heron-7' }, letter, '', [file])).toEqual([{ from: file, text: 'heron-7' }]);
});

test('text from other hosts in a call is shown unchanged, but limited in number and length', () => {
  const long = `${'zebra '.repeat(200)}the code is heron-7`;
  expect(carried({ text: long })).toEqual([{ from: other, text: long.slice(0, 500) }]);
  const many = Array.from({ length: 100 }, () => 'heron-7');
  expect(carried({ list: many })).toHaveLength(20);
});

test('a call that would take too long to compare with outside text is asked about', () => {
  const outside = [{ origins: [page('other.example')], text: 'a '.repeat(200_000) }];
  const input = { text: `${'a '.repeat(5000)}b` };
  expect(findCopiedArguments(input, schema, own, { outside, questions: [] })).toMatchObject([
    { from: page('other.example') },
  ]);
});

import { expect, test } from 'vitest';
import { tellTable } from '../../../src/ember/tell-table';

const where = [{ column: 'country', is: '=', value: 'Norway' }];
const ask = (query: Record<string, unknown>, text: string, language: 'en' | 'zh' = 'en') =>
  tellTable({ type: 'tool-call', id: 'a', name: 'query_table', arguments: query }, text, language);

test.each([
  [{ aggregate: 'count', where }, '13 of 40 rows fit.\ncount: 13', '13 of 40 rows where country is Norway.'],
  [
    { aggregate: 'distinct', of: 'town' },
    '40 of 40 rows.\ndistinct of town: 38',
    'There are 38 different entries in “town”.',
  ],
  [
    { aggregate: 'sum', of: 'people', where },
    '13 of 40 rows fit.\nsum of people: 1991664 (2 cells are no numbers and are left out)',
    'The sum of “people” is 1991664 (2 cells are no numbers and are left out) where country is Norway.',
  ],
  [
    { columns: ['town', 'people'], sortBy: 'people', descending: true, limit: 5 },
    '3 of 3 rows.\ntown,people\n"Bergen, Norway",285900\nOslo,1000\nHamar,900',
    'The highest “people” is 285900: Bergen, Norway.',
  ],
  [
    { columns: ['town', 'people'], sortBy: 'people', descending: false, limit: 5 },
    '3 of 3 rows.\ntown,people\nA,900\nB,900\nC,1000',
    'The lowest “people” is 900: A, B.',
  ],
  [
    { columns: ['town', 'people'], sortBy: 'people', descending: true, limit: 2 },
    '9 of 9 rows.\ntown,people\nA,900\nB,900\n(7 more rows)',
    'The highest “people” is 900: A, B and maybe others.',
  ],
  [
    { aggregate: 'sum', of: 'people', groupBy: 'country' },
    '3 of 3 rows.\ncountry,sum of people\nNorway,900\nSweden,800',
    '| country | sum of people |\n| --- | --- |\n| Norway | 900 |\n| Sweden | 800 |',
  ],
  [
    { aggregate: 'sum', of: 'people', where },
    '0 of 40 rows fit.\nsum of people: 0',
    'No row fits where country is Norway.',
  ],
])('the answer of a table is a sentence: %o', (query, text, sentence) => {
  expect(ask(query, text)).toBe(sentence);
});

test('a table that was read in part says so behind the sentence', () => {
  const text = '9 of 9 rows.\ncount: 9\n[Only the beginning of this table was read: it is too long.]';
  expect(ask({ aggregate: 'count' }, text)).toBe(
    '9 of 9 rows.\n\n[Only the beginning of this table was read: it is too long.]',
  );
});

test('the sentence is in the language of the page', () => {
  expect(ask({ aggregate: 'average', of: '销量' }, '3 of 3 rows.\naverage of 销量: 12', 'zh')).toBe(
    '“销量”的平均值是 12。',
  );
});

test('other answers are left to the model', () => {
  expect(ask({ columns: ['town'] }, '3 of 3 rows.\ntown\nA')).toBeUndefined();
  expect(ask({ aggregate: 'count' }, 'There is no column.')).toBeUndefined();
});

import { describe, expect, test } from 'vitest';
import { askTable, readTable } from '../../../../src/tools/attachments/ask-table';
import type { TableQuery } from '../../../../src/tools/attachments/table-query';

const sales = `date;city;amount;note
2025-01-31;Oslo;1.234,50;"a; b"
2025-02-01;Bergen;0,10;
2025-02-03;Oslo;0,20;"say ""hi"""
2025-03-01;Bergen;-10;x
`;
const ask = (text: string, query: TableQuery, kind: 'table' | 'json' = 'table') => {
  const answer = askTable(readTable(text, kind), query);
  return 'text' in answer ? answer.text : answer.mistake;
};

describe('a query of a table', () => {
  test.for<{ what: string; query: TableQuery; says: string }>([
    {
      what: 'sums exactly, with commas for decimals',
      query: { aggregate: 'sum', of: 'amount' },
      says: '4 of 4 rows.\nsum of amount: 1224.8',
    },
    {
      what: 'counts the matching rows',
      query: { aggregate: 'count', where: [{ column: 'City', is: '=', value: 'oslo' }] },
      says: '2 of 4 rows fit.\ncount: 2',
    },
    {
      what: 'compares numbers',
      query: { aggregate: 'count', where: [{ column: 'amount', is: '>', value: 0.1 }] },
      says: '2 of 4 rows fit.\ncount: 2',
    },
    {
      what: 'compares dates',
      query: { aggregate: 'max', of: 'date', where: [{ column: 'date', is: '<', value: '2025-02-02' }] },
      says: '2 of 4 rows fit.\nmax of date: 2025-02-01',
    },
    {
      what: 'groups rows, the greatest result first',
      query: { aggregate: 'sum', of: 'amount', groupBy: 'city' },
      says: '4 of 4 rows.\ncity,sum of amount\nOslo,1234.7\nBergen,-9.9',
    },
    {
      what: 'sorts rows and cuts the list',
      query: { columns: ['note'], sortBy: 'amount', descending: true, limit: 2 },
      says: '4 of 4 rows.\nnote\na; b\n"say ""hi"""\n(2 more rows)',
    },
    {
      what: 'lists the known columns if one is unknown',
      query: { aggregate: 'sum', of: 'price' },
      says: 'There is no column "price". There are: date, city, amount, note.',
    },
    {
      what: 'refuses to sum words',
      query: { aggregate: 'sum', of: 'city' },
      says: 'city has no numbers to take the sum of.',
    },
    {
      what: 'finds empty cells',
      query: { aggregate: 'count', where: [{ column: 'note', is: 'empty' }] },
      says: '1 of 4 rows fit.\ncount: 1',
    },
  ])('$what', ({ query, says }) => expect(ask(sales, query)).toBe(says));
});

test('a JSON or JSON Lines file is treated as a table', () => {
  const json = '{"page":1,"items":[{"a":1,"b":{"c":"x"}},{"a":0.2}]}';
  expect(ask(json, { aggregate: 'sum', of: 'a' }, 'json')).toContain('sum of a: 1.2');
  expect(ask('{"a":1}\n{"a":2}\n', {}, 'json')).toBe('2 of 2 rows.\na\n1\n2');
  expect(ask(json, { columns: ['b.c'], limit: 1 }, 'json')).toContain('b.c\nx');
  expect(() => ask('{"a":1}', {}, 'json')).toThrow('no list of items');
  expect(() => ask('a,'.repeat(3000), {})).toThrow('3001 columns');
});

describe('the header of a table', () => {
  test.for<[name: string, text: string, columns: string[], rows: number]>([
    [
      'after a line with the separator',
      'sep=;\r\nName;Betrag;Ort\r\nMüller;1.234,50;Köln\r\n',
      ['Name', 'Betrag', 'Ort'],
      1,
    ],
    ['after a separator that the rows have in their cells', 'sep=\t\na\tb\n1,5\t2,5\n', ['a', 'b'], 1],
    ['below a title', 'Sales of May\nName,Amount\nAnn,5\nBen,6\n', ['Name', 'Amount'], 2],
    [
      'below a title and a date, padded as by Excel',
      'Sales,,\nMay 2026,,\nName,Amount,Town\nAnn,5,Turku\n',
      ['Name', 'Amount', 'Town'],
      1,
    ],
    ['with names that are missing', 'Name,,\nAnn,5,6\nBen,7,8\n', ['Name', 'column 2', 'column 3'], 2],
    ['with a first name that is missing', ',2025,2026\nAnn,5,6\n', ['column 1', '2025', '2026'], 1],
    ['of a single column', 'Name\nAnn\nBen\n', ['Name'], 2],
  ])('%s', ([, text, columns, rows]) => {
    const table = readTable(text, 'table');
    expect(table.columns).toEqual(columns);
    expect(table.rows).toHaveLength(rows);
  });
});

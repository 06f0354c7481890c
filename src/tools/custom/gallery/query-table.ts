/** Rows of a CSV table: chosen, ordered, counted. */
import type { CustomToolContent } from '../../../contracts/custom-tool';
import { plain } from './limits';

export const queryTable: CustomToolContent = {
  ...plain,
  name: 'query_table',
  title: 'CSV table query',
  description:
    'Filters, sorts and sums the rows of a CSV table with a header line. Use it for questions about a table that is given as CSV.',
  keywords: {
    en: ['spreadsheet', 'rows', 'columns', 'filter', 'sort', 'sum', 'average', 'csv'],
    zh: ['表格', '筛选', '排序', '求和', '行', '列'],
  },
  inputSchema: {
    type: 'object',
    properties: {
      csv: { type: 'string', minLength: 1, maxLength: 60_000 },
      where: { type: 'string', maxLength: 200, description: 'Such as age > 30 or city = Oslo' },
      sort: { type: 'string', maxLength: 100, description: 'Column; -column for the greatest first' },
      sum: { type: 'string', maxLength: 100, description: 'Column of numbers' },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
    },
    required: ['csv'],
  },
  code: String.raw`function parse(text) {
  const rows = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",;\t\r\n]*))([,;\t]|\r\n|\r|\n|$)/y;
  const header = text.split(/\r|\n/, 1)[0];
  const divider = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)[0];
  let row = [];
  let cell = '';
  let at = 0;
  while (at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match || match[0] === '') throw new Error('Line ' + (rows.length + 1) + ' cannot be read: are its quotes closed?');
    at = pattern.lastIndex;
    cell += match[1] !== undefined ? match[1].replaceAll('""', '"') : match[2];
    if (/[,;\t]/.test(match[3]) && match[3] !== divider) { cell += match[3]; continue; }
    row.push(cell.trim());
    cell = '';
    if (match[3] !== divider) { rows.push(row); row = []; }
  }
  if (row.length > 0 || cell !== '') rows.push([...row, cell.trim()]);
  return rows.filter((cells) => cells.some((value) => value !== ''));
}
const [header = [], ...body] = parse(args.csv);
const column = (name) => {
  const at = header.findIndex((title) => title.toLowerCase() === name.trim().toLowerCase());
  if (at < 0) throw new Error('There is no column "' + name.trim() + '". There is: ' + header.join(', '));
  return at;
};
const isNumber = (text) => text !== undefined && text !== '' && Number.isFinite(Number(text));
const compare = (a = '', b = '') => (isNumber(a) && isNumber(b) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0);
let rows = body;
if (args.where !== undefined) {
  const match = /^(.+?)\s*(>=|<=|!=|=|>|<|contains)\s*(.*)$/.exec(args.where.trim());
  if (!match) throw new Error('Write the condition like age > 30, city = Oslo or name contains an.');
  const at = column(match[1]);
  const wanted = match[3].replace(/^(["'])(.*)\1$/, '$2');
  const fits = {
    '=': (order) => order === 0, '!=': (order) => order !== 0, '>': (order) => order > 0,
    '<': (order) => order < 0, '>=': (order) => order >= 0, '<=': (order) => order <= 0,
  };
  rows = rows.filter((cells) => match[2] === 'contains'
    ? (cells[at] ?? '').toLowerCase().includes(wanted.toLowerCase())
    : fits[match[2]](compare((cells[at] ?? '').toLowerCase(), wanted.toLowerCase())));
}
if (args.sort !== undefined) {
  const isDown = args.sort.startsWith('-');
  const at = column(isDown ? args.sort.slice(1) : args.sort);
  rows = [...rows].sort((a, b) => compare(a[at], b[at]) * (isDown ? -1 : 1));
}
const result = { rows: rows.length };
if (args.sum !== undefined) {
  const at = column(args.sum);
  const numbers = rows.map((cells) => cells[at]).filter(isNumber).map(Number);
  const sum = numbers.reduce((total, value) => total + value, 0);
  Object.assign(result, { sum: Number(sum.toPrecision(12)), average: numbers.length ? Number((sum / numbers.length).toPrecision(6)) : null });
}
result.first = rows.slice(0, args.limit).map((cells) => Object.fromEntries(header.map((title, at) => [title, cells[at] ?? ''])));
return result;`,
  examples: [
    {
      request: 'Who is over 30 in this table? name,age Ada,36 Bo,29',
      arguments: { csv: 'name,age\nAda,36\nBo,29', where: 'age > 30' },
      result: '{"rows":1,"first":[{"name":"Ada","age":"36"}]}',
    },
    {
      request: '',
      arguments: { csv: 'what;price\n"a; b";2.5\nc;1.5\n', sort: '-price', sum: 'price', limit: 1 },
      result: '{"rows":2,"sum":4,"average":2,"first":[{"what":"a; b","price":"2.5"}]}',
    },
  ],
};

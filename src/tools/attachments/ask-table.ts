/** Answers a query about a table: filters, sorts, counts and aggregates its rows, optionally per group. */
import { Decimal } from 'decimal.js';
import Papa from 'papaparse';
import type { TableQuery } from './table-query';

/** `text` is the answer for the model. `mistake` tells it what to correct in the query. */
export type TableAnswer = { text: string } | { mistake: string };

type Row = readonly string[];
const defaultRowLimit = 20;

class QueryMistake extends Error {}

export function askTable(table: Table, query: TableQuery): TableAnswer {
  try {
    return { text: answerQuery(new Columns(table), query) };
  } catch (error) {
    if (error instanceof QueryMistake) return { mistake: error.message };
    throw error;
  }
}

class Columns {
  readonly rows: readonly Row[];
  readonly names: readonly string[];
  readonly #readers = new Map<number, ReadCell>();

  constructor({ columns, rows }: Table) {
    this.names = columns;
    this.rows = rows;
  }

  find(name: string): number {
    const asked = foldCase(name);
    const exact = this.names.indexOf(name);
    const at = exact >= 0 ? exact : this.names.findIndex((one) => foldCase(one) === asked);
    if (at >= 0) return at;
    const known = this.names.slice(0, 60).map((one) => one.slice(0, 60));
    throw new QueryMistake(`There is no column "${name.slice(0, 60)}". There are: ${known.join(', ')}.`);
  }

  reader(at: number): ReadCell {
    let reader = this.#readers.get(at);
    if (!reader) {
      reader = cellReader(this.rows.map((row) => row[at] ?? ''));
      this.#readers.set(at, reader);
    }
    return reader;
  }
}

const foldCase = (name: string) =>
  name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

function answerQuery(table: Columns, query: TableQuery): string {
  const { where = [], aggregate, groupBy } = query;
  const tests = where.map((condition) => testOf(table, condition));
  const rows = table.rows.filter((row) => tests.every((test) => test(row)));
  const found = `${rows.length} of ${table.rows.length} rows${where.length > 0 ? ' fit' : ''}.`;
  if (aggregate === undefined && groupBy === undefined) return `${found}\n${listRows(table, rows, query)}`;
  const { name, value } = aggregateOf(table, query);
  if (groupBy === undefined) return `${found}\n${name}: ${value(rows)}`;
  return `${found}\n${listGroups(table, rows, { ...query, groupBy }, { name, value })}`;
}

function testOf(
  table: Columns,
  { column, is, value }: NonNullable<TableQuery['where']>[number],
): (row: Row) => boolean {
  const at = table.find(column);
  const cellOf = (row: Row) => row[at] ?? '';
  if (is === 'empty') return (row) => cellOf(row).trim() === '';
  if (is === 'not empty') return (row) => cellOf(row).trim() !== '';
  if (value === undefined) throw new QueryMistake(`Say the value that ${column} is compared with.`);
  const wanted = String(value).trim();
  const folded = wanted.toLowerCase();
  if (is === 'contains') return (row) => cellOf(row).toLowerCase().includes(folded);
  const read = table.reader(at);
  const other = typeof value === 'number' ? plainNumber(value) : read(wanted);
  const compare = (row: Row) =>
    compareCells(read(cellOf(row)), other, cellOf(row).trim().toLowerCase(), folded);
  const fits: Record<Exclude<typeof is, 'empty' | 'contains'>, (order: number) => boolean> = {
    '=': (order) => order === 0,
    '!=': (order) => order !== 0,
    '>': (order) => order > 0,
    '>=': (order) => order >= 0,
    '<': (order) => order < 0,
    '<=': (order) => order <= 0,
  };
  const fit = fits[is];
  // A comparison such as `<` never matches cells of another type, such as words compared with a number.
  const isOrder = is !== '=' && is !== '!=';
  return (row) => (isOrder && other && read(cellOf(row))?.type !== other.type ? false : fit(compare(row)));
}

const plainNumber = (value: number): Cell => ({ type: 'number', value, text: String(value) });

function compareCells(
  one: Cell | undefined,
  other: Cell | undefined,
  text: string,
  otherText: string,
): number {
  if (one && other && one.type === other.type) return one.value - other.value;
  return text === otherText ? 0 : text < otherText ? -1 : 1;
}

interface Aggregate {
  name: string;
  value: (rows: readonly Row[]) => string;
}

function aggregateOf(table: Columns, { aggregate = 'count', of }: TableQuery): Aggregate {
  if (aggregate === 'count' && of === undefined)
    return { name: 'count', value: (rows) => String(rows.length) };
  if (of === undefined) throw new QueryMistake(`Say in "of" which column the ${aggregate} is of.`);
  const at = table.find(of);
  const read = table.reader(at);
  const cells = (rows: readonly Row[]) =>
    rows.map((row) => row[at] ?? '').filter((cell) => cell.trim() !== '');
  const name = `${aggregate} of ${table.names[at]}`;
  if (aggregate === 'count') return { name, value: (rows) => String(cells(rows).length) };
  if (aggregate === 'distinct') return { name, value: (rows) => String(new Set(cells(rows)).size) };
  return {
    name,
    value(rows) {
      const texts = cells(rows);
      const parsed = texts.map((text) => ({ text, cell: read(text) }));
      const isDate = parsed.some(({ cell }) => cell?.type === 'date') && aggregate !== 'sum';
      const type = isDate ? 'date' : 'number';
      const fitting = parsed.flatMap(({ text, cell }) => (cell?.type === type ? [{ text, cell }] : []));
      if (fitting.length === 0) throw new QueryMistake(`${of} has no numbers to take the ${aggregate} of.`);
      const left = texts.length - fitting.length;
      return (
        aggregateCells(aggregate, fitting) +
        (left > 0 ? ` (${left} cells are no ${type}s and are left out)` : '')
      );
    },
  };
}

interface ParsedCell {
  text: string;
  cell: Cell;
}

function aggregateCells(
  aggregate: 'sum' | 'average' | 'min' | 'max' | 'median',
  cells: readonly ParsedCell[],
): string {
  const sorted = [...cells].sort((one, other) => one.cell.value - other.cell.value);
  if (aggregate === 'min') return sorted[0]?.text.trim() ?? '';
  if (aggregate === 'max') return sorted.at(-1)?.text.trim() ?? '';
  if (cells.some(({ cell }) => cell.type === 'date')) {
    if (aggregate === 'median') return sorted[Math.floor((sorted.length - 1) / 2)]?.text.trim() ?? '';
    throw new QueryMistake(`Dates have no ${aggregate}.`);
  }
  const numbers = sorted.map(({ cell }) => new Decimal(cell.type === 'number' ? cell.text : 0));
  if (aggregate === 'median') {
    const [low, high] = [Math.floor((numbers.length - 1) / 2), Math.ceil((numbers.length - 1) / 2)];
    return writeDecimal((numbers[low] ?? new Decimal(0)).plus(numbers[high] ?? 0).div(2));
  }
  const sum = numbers.reduce((total, number) => total.plus(number), new Decimal(0));
  return writeDecimal(aggregate === 'sum' ? sum : sum.div(numbers.length));
}

const writeDecimal = (number: Decimal) => number.toSignificantDigits(15).toFixed();

function listRows(table: Columns, rows: readonly Row[], query: TableQuery): string {
  const { columns, sortBy, descending = false, limit = defaultRowLimit } = query;
  const shown = (columns ?? table.names).map((name) => table.find(name));
  const sorted = sortBy === undefined ? rows : sortRows(table, rows, table.find(sortBy), descending);
  const kept = sorted.slice(0, limit);
  const cells = [
    shown.map((at) => table.names[at] ?? ''),
    ...kept.map((row) => shown.map((at) => row[at] ?? '')),
  ];
  return toCsv(cells) + moreOf(rows.length - kept.length);
}

function sortRows(table: Columns, rows: readonly Row[], at: number, isDown: boolean): Row[] {
  const read = table.reader(at);
  const keyed = rows.map((row) => ({
    row,
    text: (row[at] ?? '').trim().toLowerCase(),
    cell: read(row[at] ?? ''),
  }));
  keyed.sort((one, other) => {
    // Cells that are neither numbers nor dates come last in both directions.
    if (!one.cell !== !other.cell) return one.cell ? -1 : 1;
    return compareCells(one.cell, other.cell, one.text, other.text) * (isDown ? -1 : 1);
  });
  return keyed.map(({ row }) => row);
}

function listGroups(
  table: Columns,
  rows: readonly Row[],
  { groupBy, sortBy, descending, limit = defaultRowLimit }: TableQuery & { groupBy: string },
  { name, value }: Aggregate,
): string {
  const at = table.find(groupBy);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = (row[at] ?? '').trim();
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const lines = [...groups].map(([key, group]) => [key, value(group)] as const);
  const isByKey = sortBy !== undefined && foldCase(sortBy) === foldCase(groupBy);
  const cells = isByKey ? table.reader(at) : cellReader(lines.map(([, result]) => result));
  const keyOf = ([key, result]: readonly [string, string]) => (isByKey ? key : result);
  lines.sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return compareCells(cells(a), cells(b), a, b) * ((descending ?? !isByKey) ? -1 : 1);
  });
  const kept = lines.slice(0, limit);
  return (
    toCsv([[table.names[at] ?? '', name], ...kept.map((line) => [...line])]) +
    moreOf(lines.length - kept.length)
  );
}

const toCsv = (cells: string[][]) => Papa.unparse(cells, { newline: '\n' });
const moreOf = (count: number) => (count > 0 ? `\n(${count} more rows)` : '');

type Cell = { type: 'number'; value: number; text: string } | { type: 'date'; value: number };

type ReadCell = (text: string) => Cell | undefined;

/** Looks at the whole column to decide whether `1.234` is more than a thousand, and whether `3/4` is in April or in March. */
function cellReader(cells: readonly string[]): ReadCell {
  const decimal = decimalOf(cells);
  const isDayFirst = isDayFirstIn(cells);
  return (text) => {
    const trimmed = text.trim();
    return readNumber(trimmed, decimal) ?? readDate(trimmed, isDayFirst);
  };
}

const unitPattern = String.raw`[\s\u00a0]*(?:[$€£¥₹元]|[A-Z]{3}|%|％)?[\s\u00a0]*`;
const numericPattern = new RegExp(
  String.raw`^\(?${unitPattern}[-+−]?${unitPattern}(\d[\d.,'’\s\u00a0]*)(?:e([-+]?\d{1,3}))?${unitPattern}\)?$`,
  'i',
);

/** Guesses the decimal separator of a column. A single comma or point before exactly three digits is ambiguous, so it does not count. */
function decimalOf(cells: readonly string[]): '.' | ',' {
  let comma = 0;
  let point = 0;
  for (const cell of cells) {
    const digits = numericPattern.exec(cell.trim())?.[1];
    if (digits === undefined) continue;
    const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
    if (last < 0) continue;
    const isThousands = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(digits);
    const isMixed = digits.includes(',') && digits.includes('.');
    if (isThousands && !isMixed) {
      // A separator that occurs twice must group thousands, so the other one marks decimals.
      if (digits.split(digits[last] ?? '').length <= 2) continue;
      if (digits[last] === ',') point++;
      else comma++;
    } else if (digits[last] === ',') comma++;
    else point++;
  }
  return comma > point ? ',' : '.';
}

function readNumber(text: string, decimal: '.' | ','): Cell | undefined {
  const match = numericPattern.exec(text);
  if (!match) return undefined;
  const [, digits = '', exponent = ''] = match;
  const group = decimal === '.' ? ',' : '.';
  const plain = digits
    .replace(/['’\s\u00a0]/g, '')
    .replaceAll(group, '')
    .replace(decimal, '.');
  if (!/^\d+(?:\.\d*)?$/.test(plain)) return undefined;
  // Accountants write negative numbers in parentheses.
  const isNegative = /[-−]/.test(text.slice(0, text.indexOf(digits))) || /^\(.*\)$/.test(text);
  const written = `${isNegative ? '-' : ''}${plain}${exponent === '' ? '' : `e${exponent}`}`;
  const value = Number(written);
  return Number.isFinite(value) ? { type: 'number', value, text: written } : undefined;
}

const [yearFirst, yearLast, chinese] = [
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?.*)?$/,
  /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/,
  /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日?)?$/,
];

/** Whether days come before months: yes for dates with points, and if the first number of any cell is above 12. */
function isDayFirstIn(cells: readonly string[]): boolean {
  return cells.some((cell) => {
    const match = yearLast.exec(cell.trim());
    return match ? match[2] === '.' || Number(match[1]) > 12 : false;
  });
}

function readDate(text: string, isDayFirst: boolean): Cell | undefined {
  const first = yearFirst.exec(text) ?? chinese.exec(text);
  if (first) {
    const [, year, month, day = '1', ...time] = first;
    return dateOf([year, month, day], time);
  }
  const last = yearLast.exec(text);
  if (!last) return undefined;
  const [, one, , other, year, ...time] = last;
  return dateOf(isDayFirst ? [year, other, one] : [year, one, other], time);
}

function dateOf(
  date: readonly (string | undefined)[],
  time: readonly (string | undefined)[],
): Cell | undefined {
  const [year = 0, month = 0, day = 0] = date.map(Number);
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
  const value = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(value).getUTCMonth() === month - 1 && new Date(value).getUTCDate() === day;
  return isReal && hour < 24 ? { type: 'date', value } : undefined;
}

export interface Table {
  columns: string[];
  rows: string[][];
}

const maxColumns = 2000;

/** Throws an `Error` with a readable message if the text is not a table. */
export function readTable(text: string, kind: 'table' | 'json'): Table {
  const table = kind === 'table' ? readCsv(text) : readItems(readJson(text));
  if (table.columns.length > maxColumns)
    throw new Error(`This table has ${table.columns.length} columns, more than can be asked about.`);
  return table;
}

function readCsv(text: string): Table {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', delimitersToGuess: csvDelimiters });
  const [head = [], ...body] = data;
  const columns = head.map((name, at) => name.trim() || `column ${at + 1}`);
  return { columns: distinctNames(columns), rows: body.map((row) => columns.map((_, at) => row[at] ?? '')) };
}

const csvDelimiters = [',', ';', '\t', '|'];

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

/** Uses the outer list, or the longest list among the fields of the outer object. */
function readItems(json: unknown): Table {
  const items = listIn(json);
  if (!items) throw new Error('This JSON holds no list of items. Call read_attachment to look into it.');
  const columns: string[] = [];
  const known = new Map<string, number>();
  const add = (name: string) => {
    const at = known.get(name);
    if (at !== undefined) return at;
    known.set(name, columns.length);
    return columns.push(name) - 1;
  };
  const rows = items.map((item) => {
    const row: string[] = [];
    const put = (name: string, value: unknown) => {
      if (known.size <= maxColumns) row[add(name)] = textOfValue(value);
    };
    if (typeof item !== 'object' || item === null || Array.isArray(item)) put('value', item);
    else
      for (const [name, value] of Object.entries(item as Record<string, unknown>)) {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) put(name, value);
        else for (const [inner, deep] of Object.entries(value)) put(`${name}.${inner}`, deep);
      }
    return row;
  });
  return { columns, rows: rows.map((row) => columns.map((_, at) => row[at] ?? '')) };
}

function listIn(json: unknown): unknown[] | undefined {
  if (isList(json)) return json;
  if (typeof json !== 'object' || json === null) return undefined;
  const lists: unknown[][] = Object.values(json as Record<string, unknown>).filter(isList);
  return lists.reduce<unknown[] | undefined>(
    (longest, list) => (longest && longest.length >= list.length ? longest : list),
    undefined,
  );
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function distinctNames(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/** Answers a query about a table: filters, sorts, counts and aggregates its rows, optionally by group. */
import { Decimal } from 'decimal.js';
import Papa from 'papaparse';
import { isRecord } from '../../contracts/schema';
import type { TableQuery } from './table-query';

/** `text`: the answer for the model. `mistake`: what the model must correct in the query. */
export type TableAnswer = { text: string } | { mistake: string };

type Row = readonly string[];
const defaultRowLimit = 20;

class QueryError extends Error {}

export function askTable(table: Table, query: TableQuery): TableAnswer {
  try {
    return { text: answerQuery(table, query) };
  } catch (error) {
    if (error instanceof QueryError) return { mistake: error.message };
    throw error;
  }
}

type Column = ReturnType<typeof findColumn>;

function findColumn({ columns, rows }: Table, name: string) {
  const asked = normaliseColumnName(name);
  const exact = columns.indexOf(name);
  const at = exact >= 0 ? exact : columns.findIndex((one) => normaliseColumnName(one) === asked);
  if (at < 0) {
    const known = columns.slice(0, 60).map((one) => one.slice(0, 60));
    throw new QueryError(`There is no column "${name.slice(0, 60)}". There are: ${known.join(', ')}.`);
  }
  const textIn = (row: Row) => row[at] ?? '';
  return { name: columns[at] ?? '', textIn, createReader: () => createCellReader(rows.map(textIn)) };
}

const normaliseColumnName = (name: string) =>
  name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

function answerQuery(table: Table, query: TableQuery): string {
  const { where = [], aggregate, groupBy } = query;
  const tests = where.map((condition) => createRowTest(table, condition));
  const rows = table.rows.filter((row) => tests.every((test) => test(row)));
  const found = `${rows.length} of ${table.rows.length} rows${where.length > 0 ? ' fit' : ''}.`;
  if (aggregate === undefined && groupBy === undefined) return `${found}\n${listRows(table, rows, query)}`;
  const results = createAggregate(table, query);
  if (groupBy === undefined) return `${found}\n${results.name}: ${results.valueOf(rows)}`;
  return `${found}\n${listGroups(table, rows, { ...query, groupBy }, results)}`;
}

function createRowTest(
  table: Table,
  { column, is, value }: NonNullable<TableQuery['where']>[number],
): (row: Row) => boolean {
  const { textIn, createReader } = findColumn(table, column);
  if (is === 'empty') return (row) => textIn(row).trim() === '';
  if (is === 'not empty') return (row) => textIn(row).trim() !== '';
  if (value === undefined) throw new QueryError(`Say the value that ${column} is compared with.`);
  const wanted = String(value).trim();
  const folded = wanted.toLowerCase();
  if (is === 'contains') return (row) => textIn(row).toLowerCase().includes(folded);
  const read = createReader();
  const other: Cell | undefined =
    typeof value === 'number' ? { type: 'number', value, text: wanted } : read(wanted);
  const fits = {
    '=': (order: number) => order === 0,
    '!=': (order: number) => order !== 0,
    '>': (order: number) => order > 0,
    '>=': (order: number) => order >= 0,
    '<': (order: number) => order < 0,
    '<=': (order: number) => order <= 0,
  }[is];
  const isOrder = is !== '=' && is !== '!=';
  return (row) => {
    const cell = read(textIn(row));
    // A comparison with `<` or `>` never matches cells of another type: a word is not less than a number.
    if (isOrder && other && cell?.type !== other.type) return false;
    return fits(compareCells(cell, other, textIn(row).trim().toLowerCase(), folded));
  };
}

function compareCells(one: Cell | undefined, other: Cell | undefined, text: string, otherText: string) {
  if (one && other && one.type === other.type) return one.value - other.value;
  return text === otherText ? 0 : text < otherText ? -1 : 1;
}

function createAggregate(table: Table, { aggregate = 'count', of }: TableQuery) {
  if (aggregate === 'count' && of === undefined)
    return { name: 'count', valueOf: (rows: readonly Row[]) => String(rows.length) };
  if (of === undefined) throw new QueryError(`Say in "of" which column the ${aggregate} is of.`);
  const column = findColumn(table, of);
  const name = `${aggregate} of ${column.name}`;
  const textsIn = (rows: readonly Row[]) => rows.map(column.textIn).filter((text) => text.trim() !== '');
  const read = column.createReader();
  const valueOf = (rows: readonly Row[]) => {
    if (aggregate === 'count') return String(textsIn(rows).length);
    if (aggregate === 'distinct') return String(new Set(textsIn(rows)).size);
    const parsed = textsIn(rows).map((text) => ({ text, cell: read(text) }));
    const isDate = parsed.some(({ cell }) => cell?.type === 'date') && aggregate !== 'sum';
    const type = isDate ? 'date' : 'number';
    const fitting = parsed.flatMap(({ text, cell }) => (cell?.type === type ? [{ text, cell }] : []));
    if (fitting.length === 0) throw new QueryError(`${of} has no numbers to take the ${aggregate} of.`);
    const left = parsed.length - fitting.length;
    const note = left > 0 ? ` (${left} cells are no ${type}s and are left out)` : '';
    return aggregateCells(aggregate, fitting) + note;
  };
  return { name, valueOf };
}

function aggregateCells(
  aggregate: 'sum' | 'average' | 'min' | 'max' | 'median',
  cells: readonly { text: string; cell: Cell }[],
): string {
  const sorted = [...cells].sort((one, other) => one.cell.value - other.cell.value);
  if (aggregate === 'min') return sorted[0]?.text.trim() ?? '';
  if (aggregate === 'max') return sorted.at(-1)?.text.trim() ?? '';
  if (cells.some(({ cell }) => cell.type === 'date')) {
    if (aggregate === 'median') return sorted[Math.floor((sorted.length - 1) / 2)]?.text.trim() ?? '';
    throw new QueryError(`Dates have no ${aggregate}.`);
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

function listRows(table: Table, rows: readonly Row[], query: TableQuery): string {
  const { columns = table.columns, sortBy, descending = false, limit = defaultRowLimit } = query;
  const shown = columns.map((name) => findColumn(table, name));
  const sorted = sortBy === undefined ? rows : sortRows(rows, findColumn(table, sortBy), descending);
  const cells = sorted.slice(0, limit).map((row) => shown.map(({ textIn }) => textIn(row)));
  return toCsv([shown.map(({ name }) => name), ...cells]) + writeMoreRowsNote(rows.length - cells.length);
}

function sortRows(rows: readonly Row[], { textIn, createReader }: Column, isDescending: boolean): Row[] {
  const read = createReader();
  const keyed = rows.map((row) => ({ row, text: textIn(row).trim().toLowerCase(), cell: read(textIn(row)) }));
  keyed.sort((one, other) => {
    // Cells that are neither numbers nor dates come last in both directions.
    if (!one.cell !== !other.cell) return one.cell ? -1 : 1;
    return compareCells(one.cell, other.cell, one.text, other.text) * (isDescending ? -1 : 1);
  });
  return keyed.map(({ row }) => row);
}

function listGroups(
  table: Table,
  rows: readonly Row[],
  { groupBy, sortBy, descending, limit = defaultRowLimit }: TableQuery & { groupBy: string },
  { name, valueOf }: ReturnType<typeof createAggregate>,
): string {
  const column = findColumn(table, groupBy);
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = column.textIn(row).trim();
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const lines = [...groups].map(([key, group]) => [key, valueOf(group)] as const);
  const isByKey = sortBy !== undefined && normaliseColumnName(sortBy) === normaliseColumnName(groupBy);
  const read = isByKey ? column.createReader() : createCellReader(lines.map(([, result]) => result));
  const keyOf = ([key, result]: readonly [string, string]) => (isByKey ? key : result);
  lines.sort((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return compareCells(read(a), read(b), a, b) * ((descending ?? !isByKey) ? -1 : 1);
  });
  const shown = lines.slice(0, limit).map((line) => [...line]);
  return toCsv([[column.name, name], ...shown]) + writeMoreRowsNote(lines.length - shown.length);
}

const toCsv = (cells: string[][]) => Papa.unparse(cells, { newline: '\n' });
const writeMoreRowsNote = (count: number) => (count > 0 ? `\n(${count} more rows)` : '');

type Cell = { type: 'number'; value: number; text: string } | { type: 'date'; value: number };

type ReadCell = (text: string) => Cell | undefined;

/** Checks the whole column to decide whether `1.234` is more than a thousand, and whether `3/4` is in April or in March. */
export function createCellReader(cells: readonly string[]): ReadCell {
  const decimal = guessDecimalSeparator(cells);
  const isDayFirst = detectDayFirst(cells);
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

/** A single comma or point before exactly three digits is ambiguous, so this guess ignores it. */
function guessDecimalSeparator(cells: readonly string[]): '.' | ',' {
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
      // If a separator occurs twice, it groups thousands, and the other one marks decimals.
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

const yearFirstPattern = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?.*)?$/;
const yearLastPattern = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const chineseDatePattern = /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日?)?$/;

/** True if the dates in these cells start with the day: one of them has dots, or a first number above 12. */
function detectDayFirst(cells: readonly string[]): boolean {
  return cells.some((cell) => {
    const match = yearLastPattern.exec(cell.trim());
    return match ? match[2] === '.' || Number(match[1]) > 12 : false;
  });
}

function readDate(text: string, isDayFirst: boolean): Cell | undefined {
  const first = yearFirstPattern.exec(text) ?? chineseDatePattern.exec(text);
  if (first) {
    const [, year, month, day = '1', ...time] = first;
    return toDateCell([year, month, day], time);
  }
  const last = yearLastPattern.exec(text);
  if (!last) return undefined;
  const [, one, , other, year, ...time] = last;
  return toDateCell(isDayFirst ? [year, other, one] : [year, one, other], time);
}

function toDateCell(
  date: readonly (string | undefined)[],
  time: readonly (string | undefined)[],
): Cell | undefined {
  const [year = 0, month = 0, day = 0] = date.map(Number);
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
  const value = Date.UTC(year, month - 1, day, hour, minute, second);
  const isReal = new Date(value).getUTCMonth() === month - 1 && new Date(value).getUTCDate() === day;
  return isReal && hour < 24 ? { type: 'date', value } : undefined;
}

export type Table = { columns: string[]; rows: string[][] };

const maxColumns = 2000;

/** Throws an `Error` with a readable message if the text is not a table. */
export function readTable(text: string, kind: 'table' | 'json'): Table {
  const table = kind === 'table' ? readCsv(text) : toTable(readJson(text));
  if (table.columns.length > maxColumns)
    throw new Error(`This table has ${table.columns.length} columns, more than can be asked about.`);
  return table;
}

function readCsv(text: string): Table {
  // A file for Excel may begin with a line like `sep=;`, which is no row.
  const [mark = '', delimiter = ''] = /^\uFEFF?sep=(.)(?:\r?\n|$)/i.exec(text) ?? [];
  const { data } = Papa.parse<string[]>(text.slice(mark.length), {
    delimiter,
    skipEmptyLines: 'greedy',
    delimitersToGuess: csvDelimiters,
  });
  const [head = [], ...body] = data.slice(countTitleRows(data));
  const columns = head.map((name, at) => name.trim() || `column ${at + 1}`);
  return {
    columns: makeNamesUnique(columns),
    rows: body.map((row) => columns.map((_, at) => row[at] ?? '')),
  };
}

const maxTitleRows = 10;

/**
 * Counts the rows above the header that fill only their first cell, such as the title of a report. A row like `Name,,` may be a header, too: it is a
 * title only if the row after it has names, not numbers.
 */
function countTitleRows(rows: readonly string[][]): number {
  const isTitle = (row: readonly string[]) => row.every((cell, at) => (cell.trim() !== '') === (at === 0));
  const count = rows.slice(0, maxTitleRows + 1).findIndex((row) => !isTitle(row));
  if (count <= 0) return 0;
  const isPadded = rows.slice(0, count).some(({ length }) => length > 1);
  const hasNumbers = rows[count]?.some((cell) => /^\s*[-+]?\d[\d.,]*\s*%?\s*$/.test(cell)) === true;
  return isPadded && hasNumbers ? 0 : count;
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
function toTable(json: unknown): Table {
  const items = findList(json);
  if (!items) throw new Error('This JSON holds no list of items. Call read_attachment to look into it.');
  const places = new Map<string, number>();
  const rows = items.map((item) => {
    const row: string[] = [];
    const put = (name: string, value: unknown) => {
      if (places.size > maxColumns) return;
      const at = places.get(name) ?? places.size;
      places.set(name, at);
      row[at] = toCellText(value);
    };
    if (!isRecord(item)) put('value', item);
    else
      for (const [name, value] of Object.entries(item)) {
        if (!isRecord(value)) put(name, value);
        else for (const [inner, deep] of Object.entries(value)) put(`${name}.${inner}`, deep);
      }
    return row;
  });
  const columns = [...places.keys()];
  return { columns, rows: rows.map((row) => columns.map((_, at) => row[at] ?? '')) };
}

function findList(json: unknown): unknown[] | undefined {
  if (isList(json)) return json;
  const lists = Object.values(isRecord(json) ? json : {}).filter(isList);
  return lists.sort((one, other) => other.length - one.length)[0];
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function toCellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function makeNamesUnique(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

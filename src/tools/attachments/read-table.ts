/** Parses a table: CSV with any common delimiter, or a JSON list of similar objects. */
import Papa from 'papaparse';

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
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy', delimitersToGuess: delimiters });
  const [head = [], ...body] = data;
  const columns = head.map((name, at) => name.trim() || `column ${at + 1}`);
  return { columns: distinct(columns), rows: body.map((row) => columns.map((_, at) => row[at] ?? '')) };
}

const delimiters = [',', ';', '\t', '|'];

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => JSON.parse(line) as unknown);
  }
}

/** Takes the outer list, or the longest list among the fields of the outer object. */
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

function distinct(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

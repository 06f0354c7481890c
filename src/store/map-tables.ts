/** The tables in memory, for private windows and temporary chats. They behave like those of `Database`. */
import {
  type IndexValue,
  type RowSelection,
  type Table,
  type TableName,
  type Tables,
  databaseVersions,
  type WhereClause,
} from './tables';

type Key = string | number;
type Row = Record<string, unknown>;

interface StoredTable {
  name: string;
  /** Name of the key field. `isNumbered`: whether the table assigns the keys. */
  keyField: string;
  isNumbered: boolean;
  rows: Map<Key, Row>;
  lastNumber: number;
}

interface TransactionLog {
  /** Functions that undo the changes. Call the last one first. */
  undo: (() => void)[];
  changed: Set<string>;
  read: Set<string>;
  commits: (() => void)[];
}

export function createMapTables(): Tables {
  const stored = createStoredTables();
  const watchers = new Set<{ reads: ReadonlySet<string>; look: () => void }>();
  /** Runs transactions one after another, so none sees the partial changes of another. */
  let queue: Promise<unknown> = Promise.resolve();

  function run<Value>(task: (work: TransactionLog) => Promise<Value>): Promise<Value> {
    const done = queue.then(async () => {
      const work: TransactionLog = { undo: [], changed: new Set(), read: new Set(), commits: [] };
      try {
        const value = await task(work);
        for (const commit of work.commits) commit();
        for (const { reads, look } of watchers) if ([...work.changed].some((name) => reads.has(name))) look();
        return value;
      } catch (error) {
        for (const takeBack of work.undo.reverse()) takeBack();
        throw error;
      }
    });
    queue = done.catch(() => undefined);
    return done;
  }

  function within(work: TransactionLog): Tables {
    const nested: Tables['write'] = (_names, scope) => scope(tables);
    const tables: Tables = {
      ...wrapStoredTables(stored, (task) => Promise.resolve().then(() => task(work))),
      write: nested,
      read: nested,
      onCommit: (task) => void work.commits.push(task),
      watch: () => {
        throw new Error('A transaction watches nothing.');
      },
    };
    return tables;
  }

  const transaction: Tables['write'] = (_names, scope) => run((work) => scope(within(work)));

  return {
    ...wrapStoredTables(stored, (task) => run((work) => Promise.resolve(task(work)))),
    write: transaction,
    read: transaction,
    onCommit: () => {
      throw new Error('Only a transaction is committed.');
    },
    watch(query, onValue, onError) {
      let isOver = false;
      const watcher = { reads: new Set<string>() as ReadonlySet<string>, look };
      function look() {
        run(async (work) => {
          const value = await query(within(work));
          watcher.reads = work.read;
          return value;
        }).then(
          (value) => isOver || onValue(value),
          (error: unknown) => isOver || onError(error instanceof Error ? error : new Error(String(error))),
        );
      }
      watchers.add(watcher);
      look();
      return () => {
        isOver = true;
        watchers.delete(watcher);
      };
    },
  };
}

function createStoredTables(): StoredTable[] {
  const schemas = new Map<string, string>(databaseVersions.flatMap((version) => Object.entries(version)));
  return [...schemas].map(([name, schema]) => {
    const [key = ''] = schema.split(', ');
    const isNumbered = key.startsWith('++');
    return { name, isNumbered, keyField: key.replace('++', ''), rows: new Map(), lastNumber: 0 };
  });
}

type RunTask = <Value>(task: (work: TransactionLog) => Value) => Promise<Value>;

function wrapStoredTables(stored: readonly StoredTable[], run: RunTask): Pick<Tables, TableName> {
  const tables = Object.fromEntries(stored.map((table) => [table.name, createTable(table, run)]));
  // TypeScript cannot tell from the names which table has which rows.
  return tables as unknown as Pick<Tables, TableName>;
}

function createTable(table: StoredTable, run: RunTask): Table<Row, Key> {
  const { name, rows, keyField, isNumbered } = table;

  const reading = <Value>(task: () => Value) =>
    run((work) => {
      work.read.add(name);
      return task();
    });
  const get = (key: Key) => structuredClone(rows.get(key));
  function set(work: TransactionLog, key: Key, row: Row | undefined): void {
    const before = rows.get(key);
    work.changed.add(name);
    work.undo.push(() => (before ? rows.set(key, before) : rows.delete(key)));
    if (row) rows.set(key, row);
    else rows.delete(key);
  }
  function put(work: TransactionLog, row: Row): Key {
    // Copy the row, as a database does. Later changes by the caller then have no effect, and a value that cannot be cloned throws.
    const copy = structuredClone(row);
    if (isNumbered) copy[keyField] ??= ++table.lastNumber;
    const key = copy[keyField] as Key;
    set(work, key, copy);
    return key;
  }
  function add(work: TransactionLog, row: Row): Key {
    if (rows.has(row[keyField] as Key)) throw new DOMException(`${name} has this row.`, 'ConstraintError');
    return put(work, row);
  }
  function update(work: TransactionLog, key: Key, changes: object): number {
    const row = get(key);
    if (!row) return 0;
    for (const [path, value] of Object.entries(structuredClone(changes)))
      setAtPath(row, path.split('.'), value);
    set(work, key, row);
    return 1;
  }
  function remove(work: TransactionLog, keys: readonly Key[]): void {
    for (const key of keys) if (rows.has(key)) set(work, key, undefined);
  }

  const select = (index: string, isIn: (value: unknown) => boolean): RowSelection<Row, Key> =>
    selectionOf({ index, isIn: (row) => isIn(indexValueOf(row, index)), cut: (list) => list });

  function selectionOf(chosen: {
    index: string;
    isIn: (row: Row) => boolean;
    cut: (list: [Key, Row][]) => [Key, Row][];
  }): RowSelection<Row, Key> {
    const { index, isIn, cut } = chosen;
    const value = (row: Row) => indexValueOf(row, index);
    const entries = () =>
      cut(
        [...rows]
          .filter(([, row]) => isIn(row))
          .sort(([, one], [, other]) => compareKeys(value(one), value(other))),
      );
    const keys = () => entries().map(([, row]) => value(row));
    return {
      toArray: () => reading(() => entries().map(([, row]) => structuredClone(row))),
      primaryKeys: () => reading(() => entries().map(([key]) => key)),
      keys: () => reading(keys),
      uniqueKeys: () => reading(() => [...new Set(keys())]),
      lastKey: () => reading(() => keys().at(-1)),
      count: () => reading(() => entries().length),
      delete: () =>
        run((work) => {
          const chosenKeys = entries().map(([key]) => key);
          remove(work, chosenKeys);
          return chosenKeys.length;
        }),
      modify: (changes) =>
        run((work) => entries().reduce((count, [key]) => count + update(work, key, changes), 0)),
      filter: (isToo) => selectionOf({ ...chosen, isIn: (row) => isIn(row) && isToo(row) }),
      reverse: () => selectionOf({ ...chosen, cut: (list) => cut(list).reverse() }),
      offset: (count) => selectionOf({ ...chosen, cut: (list) => cut(list).slice(count) }),
      limit: (count) => selectionOf({ ...chosen, cut: (list) => cut(list).slice(0, count) }),
    };
  }
  const all = (index: string) => select(index, (value) => value !== undefined);
  const where = (index: string): WhereClause<Row, Key> => ({
    equals: (value) => select(index, (own) => isIndexValue(own) && compareKeys(own, value) === 0),
    anyOf: (values) => select(index, (own) => values.includes(own as IndexValue)),
    above: (value) => select(index, (own) => isIndexValue(own) && compareKeys(own, value) > 0),
    between: (from, to) =>
      select(index, (own) => isIndexValue(own) && compareKeys(own, from) >= 0 && compareKeys(own, to) <= 0),
  });
  return {
    get: (key) => reading(() => get(key)),
    bulkGet: (keys) => reading(() => keys.map(get)),
    toArray: () => all(keyField).toArray(),
    count: () => reading(() => rows.size),
    add: (row) => run((work) => add(work, row)),
    bulkAdd: (list) => run((work) => list.map((row) => add(work, row))),
    put: (row) => run((work) => put(work, row)),
    bulkPut: (list) => run((work) => list.map((row) => put(work, row))),
    update: (key, changes) => run((work) => update(work, key, changes)),
    bulkUpdate: (list) =>
      run((work) => list.reduce((count, { key, changes }) => count + update(work, key, changes), 0)),
    delete: (key) => run((work) => remove(work, [key])),
    bulkDelete: (keys) => run((work) => remove(work, keys)),
    clear: () => run((work) => remove(work, [...rows.keys()])),
    where,
    orderBy: all,
    toCollection: () => all(keyField),
  };
}

/** Whether an index includes rows with this value. An index leaves out rows without the field. */
function isIndexValue(value: unknown): value is IndexValue {
  return Array.isArray(value)
    ? value.every((part) => part !== undefined)
    : typeof value === 'string' || typeof value === 'number';
}

/** Reads the value to index. `index`: a field, a path such as `agentOf.chatId`, or several fields such as `[chatId+depth]`. */
function indexValueOf(row: Row, index: string): unknown {
  if (index.startsWith('[')) {
    return index
      .slice(1, -1)
      .split('+')
      .map((field) => row[field]);
  }
  return index.split('.').reduce<unknown>((inner, field) => (inner as Row | undefined)?.[field], row);
}

function setAtPath(row: Row, [field = '', ...path]: readonly string[], value: unknown): void {
  if (path.length > 0) setAtPath(row[field] as Row, path, value);
  else if (value === undefined) Reflect.deleteProperty(row, field);
  else row[field] = value;
}

/** Compares keys in the order of IndexedDB: numbers, then strings, then arrays. */
function compareKeys(one: unknown, other: unknown): number {
  if (Array.isArray(one) && Array.isArray(other)) {
    const differing = one.map((part, at) => compareKeys(part, other[at])).find((order) => order !== 0);
    return differing ?? one.length - other.length;
  }
  const [ranks, otherRanks] = [typeRankOf(one), typeRankOf(other)];
  if (ranks !== otherRanks) return ranks - otherRanks;
  const [a, b] = [one as Key, other as Key];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function typeRankOf(value: unknown): number {
  if (Array.isArray(value)) return 2;
  return typeof value === 'string' ? 1 : 0;
}

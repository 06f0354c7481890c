import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { backupParts } from '../../../src/contracts/backup';
import { Database } from '../../../src/store/database';
import { backedUpTables, databasesWithoutBackup, tablesWithoutBackup } from '../../../src/store/kept-tables';

const { tables } = new Database('schema');

test('invariant: every database table is in the backup, or excluded with a reason', () => {
  const named = [...backedUpTables.map(({ name }) => name), ...tablesWithoutBackup];
  expect(named.sort()).toEqual(tables.map(({ name }) => name).sort());
});

test('every database that is not backed up is listed with the reason', () => {
  const sources = Object.values(
    import.meta.glob<string>(['../../../src/**/*.ts', '../../../workers/*.ts'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  );
  const names = sources.flatMap((source) =>
    [...source.matchAll(/(?:[nN]ame = |index: )'(hearth-[a-z]+)'/g)].map(([, name]) => name),
  );
  expect([...new Set(names)].sort()).toEqual(databasesWithoutBackup.toSorted());
});

describe.for(backedUpTables)('the backed-up database table $name', ({ name, key, part }) => {
  test('has the same primary key as in the database and belongs to a backup category', () => {
    expect(tables.find((table) => table.name === name)?.schema.primKey.keyPath).toBe(key);
    expect(backupParts).toContain(part);
  });
});

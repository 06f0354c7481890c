import { describe, expect, test } from 'vitest';
import {
  toBackupName,
  findFreeBackupName,
  minKeptBackups,
  listBackupNames,
  findBackupsToDelete,
  backupTimeOf,
} from '../../../src/backup/write-to-folder';

const at = (text: string) => Date.parse(text);
const filled = (names: readonly string[]) => names.map((name) => ({ name, size: 1 }));

test("a backup's file name contains the time in UTC and whether it is encrypted", () => {
  const when = at('2026-11-26T18:05:12.345Z');
  expect(toBackupName(when, false)).toBe('hearth-auto-2026-11-26-180512.zip');
  expect(toBackupName(when, true)).toBe('hearth-auto-2026-11-26-180512.zip.age');
  expect(backupTimeOf(toBackupName(when, true))).toBe(at('2026-11-26T18:05:12Z'));
});

test.for([
  'holiday.zip',
  'hearth-2026-11-26-1805.zip',
  'hearth-auto-2026-99-99-999999.zip',
  'hearth-auto-.zip',
])('a file does not count as a backup: %s', (name) => expect(listBackupNames(filled([name]))).toEqual([]));

describe('a folder with many backups', () => {
  const hourly = Array.from({ length: 15 }, (_, hour) =>
    toBackupName(at('2026-11-26T00:00:00Z') + hour * 3_600_000, false),
  );
  const older = ['2026-10-03', '2026-10-30', '2026-09-12', '2025-10-01'].map((day) =>
    toBackupName(at(`${day}T08:00:00Z`), false),
  );
  const names = [...older, 'holiday.jpg', ...hourly];

  test('keeps the newest backups and the last of each earlier month', () => {
    const gone = findBackupsToDelete(filled(names), at('2026-11-26T15:00:00Z'));
    const kept = names.filter((name) => !gone.includes(name));
    expect(kept).toEqual([
      ...['2026-10-30', '2026-09-12', '2025-10-01'].map((day) => toBackupName(at(`${day}T08:00:00Z`), false)),
      'holiday.jpg',
      // The last backup of November that is not among the newest ten.
      ...hourly.slice(15 - minKeptBackups - 1),
    ]);
  });

  test('loses no backup if there are only a few', () =>
    expect(findBackupsToDelete(filled(names.slice(0, 8)), 0)).toEqual([]));

  test('does not count an incomplete backup file, which is deleted after a while', () => {
    const broken = toBackupName(at('2026-11-27T08:00:00Z'), false);
    const traces = [
      { name: broken, size: 0 },
      { name: `${broken}.crswap`, size: 900 },
    ];
    const others = [
      { name: 'x', size: 0 },
      { name: 'letter.crswap', size: 1 },
    ];
    const files = [...filled(hourly.slice(0, minKeptBackups)), ...traces, ...others];
    expect(listBackupNames(files)).toEqual(hourly.slice(0, minKeptBackups).toReversed());
    expect(findBackupsToDelete(files, at('2026-11-27T09:00:00Z'))).toEqual([]);
    expect(findBackupsToDelete(files, at('2026-11-27T09:00:01Z'))).toEqual(traces.map(({ name }) => name));
  });
});

test('a new backup does not reuse an existing file name', () => {
  const when = at('2026-11-26T23:59:59Z');
  const taken = filled([toBackupName(when, true), toBackupName(when + 1000, true)]);
  expect(findFreeBackupName(taken, when, true)).toBe('hearth-auto-2026-11-27-000001.zip.age');
  expect(findFreeBackupName(taken, when, false)).toBe(toBackupName(when, false));
});

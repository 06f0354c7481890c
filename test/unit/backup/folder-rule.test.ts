import { describe, expect, test } from 'vitest';
import { backupName, keptNewest, newestFirst, surplusOf, timeOf } from '../../../src/backup/folder-rule';

const at = (text: string) => Date.parse(text);

test('a name says when, in universal time, and whether it is encrypted', () => {
  const when = at('2026-11-26T18:05:12.345Z');
  expect(backupName(when, false)).toBe('hearth-auto-2026-11-26-180512.zip');
  expect(backupName(when, true)).toBe('hearth-auto-2026-11-26-180512.zip.age');
  expect(timeOf(backupName(when, true))).toBe(at('2026-11-26T18:05:12Z'));
});

test.for([
  'holiday.zip',
  'hearth-2026-11-26-1805.zip',
  'hearth-auto-2026-99-99-999999.zip',
  'hearth-auto-.zip',
])('%s is none of them', (name) => expect(newestFirst([name])).toEqual([]));

describe('of many', () => {
  const hourly = Array.from({ length: 15 }, (_, hour) =>
    backupName(at('2026-11-26T00:00:00Z') + hour * 3_600_000, false),
  );
  const older = ['2026-10-03', '2026-10-30', '2026-09-12', '2025-10-01'].map((day) =>
    backupName(at(`${day}T08:00:00Z`), false),
  );
  const names = [...older, 'holiday.jpg', ...hourly];

  test('the newest are kept, and of each month before them the last', () => {
    const gone = surplusOf(names);
    const kept = names.filter((name) => !gone.includes(name));
    expect(kept).toEqual([
      ...['2026-10-30', '2026-09-12', '2025-10-01'].map((day) => backupName(at(`${day}T08:00:00Z`), false)),
      'holiday.jpg',
      // The last of November among those that are not of the newest.
      ...hourly.slice(15 - keptNewest - 1),
    ]);
  });

  test('few are all kept', () => expect(surplusOf(names.slice(0, 8))).toEqual([]));
});

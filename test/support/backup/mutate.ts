/** Backups with something wrong in them, the same in every run. */
import { type Files, manifestOf, withRows } from './forge';

/** Bytes turned, cut out, doubled, moved, or cut off. */
export function mutateBytes(bytes: Uint8Array, random: () => number): Blob {
  const at = Math.floor(random() * bytes.length);
  const length = 1 + Math.floor(random() ** 3 * 2000);
  const [head, middle, tail] = [bytes.slice(0, at), bytes.slice(at, at + length), bytes.slice(at + length)];
  switch (Math.floor(random() * 6)) {
    case 0: {
      const turned = bytes.slice();
      turned[at] = (turned[at] ?? 0) ^ (1 << Math.floor(random() * 8));
      return new Blob([turned]);
    }
    case 1:
      return new Blob([head, tail]);
    case 2:
      return new Blob([head, middle, middle, tail]);
    case 3:
      return new Blob([tail, head]);
    case 4:
      return new Blob([head]);
    default:
      return new Blob([head, middle.map(() => Math.floor(random() * 256)), tail]);
  }
}

const values = [null, true, -1, 1e300, '', 'x', '\u0000', [], {}, ['id'], { id: 'id' }];

/** A row changed, left out, doubled or moved, with sums that fit. */
export function mutateRows(from: Files, random: () => number): Files {
  const tables = manifestOf(from).files.filter(({ rows }) => rows > 0);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const table = pick(tables)?.table ?? 'chats';
  return withRows(from, table, (rows) => {
    const at = Math.floor(random() * rows.length);
    const row = rows[at] ?? '{}';
    const fields = Object.keys(JSON.parse(row) as object);
    switch (Math.floor(random() * 6)) {
      case 0:
        return rows.toSpliced(at, 1);
      case 1:
        return [...rows, row];
      case 2:
        return rows.toReversed();
      case 3:
        return rows.with(at, changedRow(row, { [pick(fields) ?? 'id']: pick(values) }));
      case 4:
        return rows.with(at, row.slice(0, Math.floor(random() * row.length)));
      default: {
        const place = Math.floor(random() * row.length);
        return rows.with(
          at,
          row.slice(0, place) + String.fromCharCode(32 + Math.floor(random() * 95)) + row.slice(place + 1),
        );
      }
    }
  });
}

/** A row with other values in some of its fields. */
export const changedRow = (row: string | undefined, fields: object): string =>
  JSON.stringify({ ...(JSON.parse(row ?? '{}') as object), ...fields });

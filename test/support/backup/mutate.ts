/** Creates damaged backups, the same ones in every run. */
import { type Files, manifestOf, withRows } from './forge';

/** Flips, cuts out, duplicates, moves or cuts off bytes. */
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

/** Changes, removes, duplicates or moves a row, with correct checksums. */
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

export const changedRow = (row: string | undefined, fields: object): string =>
  JSON.stringify({ ...(JSON.parse(row ?? '{}') as object), ...fields });

const paths = [
  '../chats.jsonl',
  '/etc/passwd',
  'results/../../x.txt',
  'C:\\x.txt',
  'results/1.txt',
  'chats.jsonl/',
  'a\u0000b',
];

/** Creates files that are not a valid backup although their checksums fit. Each must be refused. */
export function forgeFiles(from: Files, random: () => number): Files {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const manifest = manifestOf(from);
  const saying = (changed: object): Files =>
    new Map([...from, ['manifest.json', JSON.stringify({ ...manifest, ...changed })]]);
  const above = 1 + Math.floor(random() * 1e6);
  switch (Math.floor(random() * 5)) {
    case 0:
      return new Map([...from, [pick(paths) ?? '/', 'x']]);
    case 1:
      return saying({ version: manifest.version + above });
    case 2:
      return saying({ schema: manifest.schema + above });
    case 3:
      // Repeats an id, the second time with other content.
      return withRows(from, pick(manifest.files.filter(({ rows }) => rows > 0))?.table ?? 'chats', (rows) => [
        ...rows,
        pick(rows) ?? '{}',
      ]);
    default:
      return withRows(from, 'messages', (rows) => {
        const chosen = JSON.parse(pick(rows) ?? '{}') as { id: string; chatId: string };
        const others = rows.map((row) => JSON.parse(row) as typeof chosen).filter(isOf(chosen.chatId));
        const other = pick(others) ?? chosen;
        return rows.map((row) => {
          const { id } = JSON.parse(row) as typeof chosen;
          if (id === chosen.id) return changedRow(row, { parentId: other.id });
          return id === other.id ? changedRow(row, { parentId: chosen.id }) : row;
        });
      });
  }
}

const isOf = (id: string) => (row: { chatId: string }) => row.chatId === id;

/** Damages another program's file: changes, removes, duplicates, moves or cuts off characters, or replaces one value. */
export function mutateText(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length);
  const length = 1 + Math.floor(random() ** 3 * 300);
  const [head, middle, tail] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
  switch (Math.floor(random() * 6)) {
    case 0:
      return head + tail;
    case 1:
      return head + middle + middle + tail;
    case 2:
      return tail + head;
    case 3:
      return head;
    case 4:
      return head + String.fromCharCode(32 + Math.floor(random() * 95)) + text.slice(at + 1);
    default:
      return text.replace(/"[^"\n]*"(?=\s*[,}\]])/g, (value) =>
        random() < 0.05 ? JSON.stringify(values[Math.floor(random() * values.length)]) : value,
      );
  }
}

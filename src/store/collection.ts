/** A table of things that a person made: notes, prompts, personas, tools, servers. What they have in common is written once. */
import { AppError } from '../contracts/app-error';
import type { ErrorCode } from '../contracts/error-code';
import { read, type z } from '../contracts/schema';
import type { QuarantineRecord } from '../contracts/store';
import { attempt, toAppError } from './storage-error';
import type { Rows, Tables } from './tables';
import { isBinned, shownOf } from './tree';

export type CollectionName = 'notes' | 'prompts' | 'personas' | 'customTools' | 'mcpServers';
type Item<Name extends CollectionName> = Rows[Name][0];

/** A row that could not be read. `name` is '' where even that cannot be read. */
interface DamagedItem {
  id: string;
  name: string;
  reason: string;
}

interface CollectionOptions<Name extends CollectionName, List> {
  name: Name;
  schema: z.ZodMiniType<Item<Name>>;
  order: (one: Item<Name>, other: Item<Name>) => number;
  /** The name in a row that may be damaged. */
  nameOf?: (row: object) => string;
  toList: (items: Item<Name>[], damaged: DamagedItem[]) => List;
}

/** Lists what is not in the bin. */
interface Listed<List> {
  list: () => Promise<List>;
  watch: (onList: (list: List) => void, onError: (error: Error) => void) => () => void;
}

/** A row as it comes from the table: only its key is certain. */
interface Row {
  id: string;
}

export function createCollection<Name extends CollectionName, List>(
  tables: Tables,
  { name, schema, order, nameOf = () => '', toList }: CollectionOptions<Name, List>,
): Listed<List> {
  async function readRows(within: Tables): Promise<Row[]> {
    const table: { toArray: () => PromiseLike<Row[]> } = within[name];
    return shownOf(await table.toArray());
  }

  function parse(rows: readonly Row[]): { list: List; damaged: QuarantineRecord[] } {
    const items: Item<Name>[] = [];
    const damaged: DamagedItem[] = [];
    const records: QuarantineRecord[] = [];
    for (const row of rows) {
      const item = read(schema, row);
      if (item.ok) {
        items.push(item.value);
        continue;
      }
      const { id } = row;
      damaged.push({ id, name: nameOf(row), reason: item.reason });
      records.push({ id: `${name}/${id}`, chatId: '', row, reason: item.reason });
    }
    return { list: toList(items.sort(order), damaged), damaged: records };
  }

  /** Copies damaged rows for exports. The rows themselves stay in their table. */
  async function quarantine(damaged: readonly QuarantineRecord[]): Promise<void> {
    if (damaged.length > 0) await attempt(() => tables.quarantine.bulkPut(damaged));
  }

  return {
    async list() {
      const { list, damaged } = parse(await attempt(() => readRows(tables)));
      await quarantine(damaged);
      return list;
    },
    watch: (onList, onError) =>
      tables.watch(
        readRows,
        (rows) => {
          const { list, damaged } = parse(rows);
          onList(list);
          quarantine(damaged).catch((error: unknown) => onError(toAppError(error)));
        },
        onError,
      ),
  };
}

/** Reads a draft. Resolves to undefined where there is none, or a damaged one: the next letter typed overwrites it, so a copy is kept. */
export async function readDraft<Name extends 'toolDrafts' | 'personaDrafts' | 'drafts'>(
  tables: Tables,
  name: Name,
  id: string,
  schema: z.ZodMiniType<Rows[Name][0]>,
): Promise<Rows[Name][0] | undefined> {
  const table: { get: (key: string) => PromiseLike<object | undefined> } = tables[name];
  const row = await attempt(() => table.get(id));
  if (!row) return undefined;
  const draft = read(schema, row);
  if (draft.ok) return draft.value;
  const chatId = name === 'drafts' ? id : '';
  await attempt(() => tables.quarantine.put({ id: `${name}/${id}`, chatId, row, reason: draft.reason }));
  return undefined;
}

/** Rejects with `code` unless the row is there and not in the bin. Within a transaction. */
export async function updateShown(
  tables: Tables,
  name: 'notes' | 'prompts',
  id: string,
  changes: object,
  code: ErrorCode,
): Promise<void> {
  const row = await tables[name].get(id);
  if (!row || isBinned(row)) throw new AppError(code, `${id} is not in ${name}.`);
  await tables[name].update(id, changes);
}

/**
 * Imports a file in two steps: `StagedImport` checks its rows and collects them in a separate database, then `applyImport` imports all or
 * none of them. The next visit can continue a complete staged import.
 */
import { Dexie, type EntityTable, type Transaction } from 'dexie';
import { AppError } from '../contracts/app-error';
import { type ImportChoice, type ImportMode, ImportPreview, type PreviewCount } from '../contracts/backup';
import type { ChatRecord, Draft, MessageNode } from '../contracts/chat';
import { maxNotes } from '../contracts/note';
import { maxPrompts } from '../contracts/own-prompt';
import type { Message } from '../contracts/message';
import { isOutside, type Origin } from '../contracts/origin';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { type BackedUpTable, backedUpTables, isDeepEqual } from './kept-tables';
import { isUnfinishedReply } from './read-rows';
import { runQuery, toAppError } from './storage-error';
import { addToTally, tallyId } from './tally';

/** Imports the staged rows in one transaction. On failure, rejects with an `AppError` and changes nothing. */
export async function applyImport(
  staged: StagedImport,
  database: Database,
  { importId, mode, parts, onRows }: ImportChoice & { onRows: (done: number) => void },
): Promise<void> {
  const tables = backedUpTables.filter(({ part }) => parts.includes(part));
  const batches = await staged.listBatches(importId, tables);
  const names = new Set([...tables.map(({ name }) => name), 'tally', 'chats', 'mcpServers', 'mcpSecrets']);
  const areChats = parts.includes('chats');
  await runQuery(() =>
    // Get tables by name from this transaction. A write outside it would leave half an import if the transaction fails.
    database.transaction('rw', [...names], async (within) => {
      const deleted = mode === 'replace' && areChats ? await within.table('messages').count() : 0;
      const secrets = await readServerSecrets(within);
      if (mode === 'replace') for (const { name } of tables) await within.table(name).clear();
      const write = createBatchWriter(within, mode);
      let done = 0;
      let written = 0;
      for (const { table, id } of batches) {
        const rows = await keepTransactionOpen(within, staged.readBatch(id));
        const added = await write(table, rows);
        if (table.name === 'messages') written += added;
        onRows((done += rows.length));
      }
      await deleteMovedSecrets(within, secrets);
      // Do not update the message count in `localStorage`. Until the next message it is too low, and only a high count signals lost data.
      const tally = within.table<unknown, string>('tally');
      if (areChats) await tally.put(addToTally(await tally.get(tallyId), { written, deleted }));
      if (parts.includes('notes') && (await within.table('notes').count()) > maxNotes)
        throw new AppError('notes-full', `More than ${maxNotes} notes.`);
      if (parts.includes('prompts') && (await within.table('prompts').count()) > maxPrompts)
        throw new AppError('prompts-full', `More than ${maxPrompts} prompts.`);
    }),
  );
}

interface ServerSecret {
  secret: Row & { serverId: string };
  /** The address and the header to which the key goes. */
  receiver: string;
}

async function readServerSecrets(within: Transaction): Promise<ServerSecret[]> {
  const secrets = await within.table<ServerSecret['secret'], string>('mcpSecrets').toArray();
  const servers = await within.table<Row, string>('mcpServers').bulkGet(secrets.map((one) => one.serverId));
  return secrets.map((secret, at) => ({ secret, receiver: writeReceiver(servers[at]) }));
}

/** Deletes stored secrets of servers that are gone or have another address now. Otherwise, a file could have a key sent to its own server. */
async function deleteMovedSecrets(within: Transaction, before: readonly ServerSecret[]): Promise<void> {
  const stored = within.table<Row, string>('mcpSecrets');
  const servers = within.table<Row, string>('mcpServers');
  for (const { secret, receiver } of before) {
    const isOwn = isDeepEqual(await stored.get(secret.serverId), secret);
    if (isOwn && writeReceiver(await servers.get(secret.serverId)) !== receiver)
      await stored.delete(secret.serverId);
  }
}

function writeReceiver(server: Row | undefined): string {
  return JSON.stringify([server?.['url'], server?.['header']]);
}

/** Keeps a transaction busy while waiting for another database. An idle transaction would commit the rows written so far. */
function keepTransactionOpen<Value>(within: Transaction, waiting: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let settle: (() => void) | undefined;
    waiting.then(
      (value) => (settle = () => resolve(value)),
      (error: unknown) => (settle = () => reject(toAppError(error))),
    );
    const ask = () => {
      const request = within.idbtrans.objectStore('tally').count();
      request.onsuccess = () => (settle ? settle() : ask());
    };
    ask();
  });
}

/** Returns a function that writes a batch and resolves to the number of new rows. */
function createBatchWriter(within: Transaction, mode: ImportMode) {
  const begun = new Set<unknown>();
  /** Ids of stored messages that `isShown` has found to be sound. */
  const shown = new Set<unknown>();

  /** Drops permissions for chats that neither exist nor are imported, because no deletion of a chat would ever delete these permissions. */
  async function withChats(rows: readonly Row[]): Promise<readonly Row[]> {
    const ids = rows.flatMap(({ chatId }) => (typeof chatId === 'string' ? [chatId] : []));
    const chats = await within.table<Row, unknown>('chats').bulkGet(ids);
    const here = new Set(chats.map((chat) => chat?.['id']));
    return rows.filter(({ chatId }) => typeof chatId !== 'string' || here.has(chatId));
  }

  /** True if the stored row `here` is damaged: it is unreadable, it is a sub-agent of itself, or it is a message that no chat shows. */
  async function isDamaged({ name, schema }: BackedUpTable, row: Row, here: Row): Promise<boolean> {
    if (read(schema, row).ok && !read(schema, here).ok) return true;
    if (name === 'chats') return (here as Partial<ChatRecord>).agentOf?.chatId === here['id'];
    if (name !== 'messages') return false;
    const isElsewhere = row['parentId'] !== here['parentId'] || row['chatId'] !== here['chatId'];
    return isElsewhere && !(await isShown(here));
  }

  const readRow = async (table: string, id: unknown): Promise<Row | undefined> =>
    typeof id === 'string' ? within.table<Row, string>(table).get(id) : undefined;

  /** Whether the chat of a stored message exists and its parents lead to the chat's first message. */
  async function isShown(message: Row): Promise<boolean> {
    const { chatId } = message;
    if (!(await readRow('chats', chatId))) return false;
    const path = new Set<unknown>();
    let at = message;
    while (at['parentId'] !== null && !shown.has(at['id'])) {
      path.add(at['id']);
      const parent = await readRow('messages', at['parentId']);
      if (!parent || parent['chatId'] !== chatId || path.has(parent['id'])) return false;
      at = parent;
    }
    for (const id of path) shown.add(id);
    return true;
  }

  return async (table: BackedUpTable, rows: readonly Row[]): Promise<number> => {
    const target = within.table<Row, unknown>(table.name);
    if (table.name === 'deltas') {
      const own = rows.filter(({ messageId }) => begun.has(messageId));
      // Let the database assign the numbers, because only their order matters. After a huge number from a file it could assign no more.
      await target.bulkAdd(own.map((row) => withoutField(row, table.key)));
      return own.length;
    }
    const known = table.name === 'grants' ? await withChats(rows) : rows;
    const here = mode === 'replace' ? [] : await readExistingRows(within, table, known);
    const added = known.filter((_, at) => here[at] === undefined);
    const changed: Row[] = [];
    for (const [at, row] of known.entries()) {
      const own = here[at];
      if (!own || !isDifferentRow(table, own, row)) continue;
      if (isNewerRow(table, row, own) || (await isDamaged(table, row, own))) changed.push(row);
    }
    await target.bulkPut([...added, ...changed].map((row) => markImported(table, row)));
    if (table.name === 'messages') {
      const messages = [...added, ...changed] as unknown as readonly MessageNode[];
      for (const message of messages) if (isUnfinishedReply(message)) begun.add(message.id);
    }
    return added.length;
  };
}

function isNewerRow({ changedAt }: BackedUpTable, row: Row, here: Row): boolean {
  const [one, other] = [changedAt?.(row), changedAt?.(here)];
  return typeof one === 'number' && typeof other === 'number' && one > other;
}

function withoutField(row: Row, key: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key));
}

type Row = Readonly<Record<string, unknown>>;

const stagedId = 'staged';

/** Adds the rows of one import to the staging area. */
export interface ImportWriter {
  addBatch: (table: BackedUpTable, rows: readonly object[]) => Promise<void>;
  /** Completes the import. Rejects with `backup-gone` if another tab has discarded some of its batches. */
  finish: (preview: Omit<ImportPreview, 'importId' | 'counts'>) => Promise<void>;
  discard: () => Promise<void>;
}

/** Two tabs can stage a file at the same time. Each import has its own `importId`, so their rows never mix. */
export class StagedImport extends Dexie {
  declare readonly batches: EntityTable<
    { id: number; importId: string; table: string; rows: readonly Row[] },
    'id'
  >;
  declare readonly staged: EntityTable<{ id: string; preview: unknown }, 'id'>;

  constructor(name = 'hearth-import') {
    super(name, { cache: 'disabled', chromeTransactionDurability: 'strict' });
    this.version(2).stores({ batches: '++id, importId, [importId+table]', staged: 'id' });
  }

  async discard(): Promise<void> {
    await runQuery(() =>
      this.transaction('rw', this.batches, this.staged, async () => {
        await this.staged.clear();
        await this.batches.clear();
      }),
    );
  }

  /** Discards an earlier import and starts a new one. */
  async begin(): Promise<ImportWriter> {
    await this.discard();
    const importId = crypto.randomUUID();
    let batchCount = 0;
    return {
      addBatch: async (table, rows) => {
        await runQuery(() => this.batches.add({ importId, table: table.name, rows: rows as readonly Row[] }));
        batchCount++;
      },
      finish: (preview) =>
        runQuery(() =>
          this.transaction('rw', this.batches, this.staged, async () => {
            const left = await this.batches.where('importId').equals(importId).count();
            if (left !== batchCount)
              throw new AppError('backup-gone', `${left} of ${batchCount} batches are left.`);
            await this.staged.put({ id: stagedId, preview: { ...preview, importId } });
          }),
        ),
      discard: async () =>
        void (await runQuery(() => this.batches.where('importId').equals(importId).delete())),
    };
  }

  /** Compares the staged import with the current data. Undefined if no import is complete. */
  async preview(database: Database): Promise<ImportPreview | undefined> {
    const staged = await runQuery(() => this.staged.get(stagedId));
    const stored = read(ImportPreview, { ...(staged?.preview as object), counts: {} });
    if (!stored.ok) return undefined;
    const { importId } = stored.value;
    const counts: Record<string, PreviewCount> = {};
    for (const table of backedUpTables) {
      const count = { total: 0, added: 0, differing: 0 };
      for (const { id } of await this.listBatches(importId, [table])) {
        const rows = await runQuery(() => this.readBatch(id));
        const here = await runQuery(() => readExistingRows(database, table, rows));
        count.total += rows.length;
        count.added += here.filter((row) => !row).length;
        count.differing += here.filter((row, at) => row && isDifferentRow(table, row, rows[at] ?? {})).length;
      }
      if (count.total > 0) counts[table.name] = count;
    }
    return { ...stored.value, counts };
  }

  async listBatches(
    importId: string,
    tables: readonly BackedUpTable[],
  ): Promise<{ table: BackedUpTable; id: number }[]> {
    const lists = tables.map(async (table) => {
      const ids = await runQuery(() => this.batches.where({ importId, table: table.name }).primaryKeys());
      return ids.map((id) => ({ table, id }));
    });
    return (await Promise.all(lists)).flat();
  }

  /** Rejects with `backup-gone` if another tab has discarded the batch. */
  async readBatch(id: number): Promise<readonly Row[]> {
    const batch = await this.batches.get(id);
    if (!batch) throw new AppError('backup-gone', 'Another tab has discarded it.');
    return batch.rows;
  }
}

async function readExistingRows(
  tables: Pick<Transaction, 'table'>,
  { name, key }: BackedUpTable,
  rows: readonly Row[],
): Promise<(Row | undefined)[]> {
  return tables.table<Row, unknown>(name).bulkGet(rows.map((row) => row[key]));
}

/** Whether the stored row `here` differs from the imported one. A field that an older version did not write counts as its default. */
function isDifferentRow(table: BackedUpTable, here: Row, row: Row): boolean {
  if (isDeepEqual(here, row)) return false;
  const own = read(table.schema, here);
  return !own.ok || !isDeepEqual(markImported(table, own.value), markImported(table, row));
}

const importOrigin: Origin = { door: 'import', name: 'Hearth' };

/** Whoever made the file may have written its texts, so nothing in it counts as typed on this device. */
function markImported({ name }: Pick<BackedUpTable, 'name'>, row: object): Row {
  switch (name) {
    case 'messages': {
      const { message, summary } = row as MessageNode;
      const marked = { ...row, message: markMessage(message) };
      return summary ? { ...marked, summary: withImportOrigin(summary) } : marked;
    }
    case 'drafts': {
      // The user can bring these texts back by undoing or pasting, or by opening an unsent edit.
      const { text, edits = [], inserted: before = [] } = row as Draft;
      const texts = [...before, { text }, ...edits].map((one) => one.text).filter((one) => one !== '');
      const inserted = [...new Set(texts)].map((one) => ({ text: one, origin: importOrigin }));
      return { ...withImportOrigin(row as Draft), ...(inserted.length > 0 && { inserted }) };
    }
    case 'followUps':
    case 'notes':
      return { ...withImportOrigin(row as { origins: Origin[] }) };
    case 'prompts':
    case 'personas':
    case 'personaDrafts':
    case 'customTools':
    case 'toolDrafts': {
      // A forged file may say that the user typed it.
      const { origin } = row as { origin?: Origin };
      return { ...row, origin: origin && isOutside(origin) ? origin : importOrigin };
    }
    default:
      return { ...row };
  }
}

function markMessage(message: Message): Message {
  if (message.role === 'system') return message;
  if (message.role === 'tool') return { ...message, results: message.results.map(withImportOrigin) };
  return { ...message, ...withImportOrigin({ ...message, origins: message.origins ?? [] }) };
}

function withImportOrigin<Marked extends { origins: Origin[] }>(marked: Marked): Marked {
  const isMarked = marked.origins.some(({ door }) => door === 'import');
  return isMarked ? marked : { ...marked, origins: [...marked.origins, importOrigin] };
}

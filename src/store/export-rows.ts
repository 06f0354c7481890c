/** Reads the rows of a backup in batches. Reads each chat in one transaction, so its tree is consistent even if the user is writing. */
import type { BackupPart } from '../contracts/backup';
import type { ChatRecord } from '../contracts/chat';
import { read, writeJson } from '../contracts/schema';
import type { StoredAttachment, StoredResult } from '../contracts/store';
import { hasTextFields, isAttachment } from './attachments';
import type { Database } from './database';
import { type BackedUpTable, backedUpTables, type SettingRow, withoutApiKeys } from './kept-tables';
import { isUnfinishedReply, repairTree, readChat, readNodes } from './read-rows';
import { runQuery } from './storage-error';
import type { DeltaRecord } from './tables';
import { createChatRecord } from './upkeep';

const maxBatchRows = 200;

export class ExportReader {
  /** Number of rows so far that were unreadable, or readable only in part. */
  unreadableCount = 0;
  readonly #database: Database;
  readonly #parts: ReadonlySet<BackupPart>;
  readonly #chats = new Map<string, ChatRecord>();
  #deltas: DeltaRecord[] = [];

  constructor(database: Database, parts: readonly BackupPart[]) {
    this.#database = database;
    this.#parts = new Set(parts);
  }

  async countRows(): Promise<number> {
    const readTables = this.#tables().map(({ name }) => runQuery(() => this.#database.table(name).count()));
    return (await Promise.all(readTables)).reduce((sum, count) => sum + count, 0);
  }

  /** Yields all tables except results and attachments, in the order of the backup. Read each table's rows before asking for the next. */
  *tables(): Generator<{ name: string; rows: AsyncIterable<object> }> {
    for (const table of this.#tables()) {
      if (table.name === 'results' || table.name === 'attachments') continue;
      yield { name: table.name, rows: this.#rowsOf(table) };
    }
  }

  /** Yields results one at a time, because they are large. Call it after the chats are read. */
  async *readResults(): AsyncGenerator<StoredResult> {
    for await (const row of this.#readSingly('results', isStoredResult)) {
      const { id, chatId, createdAt, text } = row;
      if (this.#chats.has(chatId)) yield { id, chatId, createdAt, text };
    }
  }

  /** Yields attachments one at a time. Call it after the chats are read. */
  readAttachments(): AsyncGenerator<StoredAttachment> {
    return this.#readSingly('attachments', isAttachment);
  }

  async *#readSingly<Row>(name: string, isRow: (row: unknown) => row is Row): AsyncGenerator<Row> {
    if (!this.#parts.has('chats')) return;
    const table = this.#database.table<unknown, string>(name);
    for (const id of await runQuery(() => table.toCollection().primaryKeys())) {
      const row = await runQuery(() => table.get(id));
      if (isRow(row)) yield row;
      else this.unreadableCount += row === undefined ? 0 : 1;
    }
  }

  #tables(): BackedUpTable[] {
    return backedUpTables.filter(({ part }) => this.#parts.has(part));
  }

  #rowsOf(table: BackedUpTable): AsyncIterable<object> {
    if (table.name === 'chats') return this.#readChats();
    if (table.name === 'messages') return this.#readMessages();
    if (table.name === 'deltas') return this.#readDeltas(table);
    return table.name === 'quarantine' ? this.#readQuarantine(table) : this.#readTable(table);
  }

  async *#readChats(): AsyncGenerator<object> {
    const { chats, messages } = this.#database;
    const rows = await runQuery(() => chats.toArray());
    for (const row of rows) {
      const { chat, damaged } = readChat(row);
      this.unreadableCount += damaged.length;
      this.#chats.set(chat.id, chat);
    }
    for (const chatId of await runQuery(() => messages.orderBy('chatId').uniqueKeys())) {
      if (typeof chatId !== 'string' || this.#chats.has(chatId)) continue;
      const { nodes } = readNodes(await runQuery(() => messages.where({ chatId }).toArray()));
      this.unreadableCount++;
      this.#chats.set(chatId, createChatRecord(chatId, nodes));
    }
    for (const chat of this.#chats.values()) {
      if (chat.agentOf && !this.#chats.has(chat.agentOf.chatId)) this.#chats.delete(chat.id);
      else yield chat;
    }
  }

  async *#readMessages(): AsyncGenerator<object> {
    const { messages, deltas } = this.#database;
    for (const chatId of this.#chats.keys()) {
      const [tree, grown] = await runQuery(() =>
        this.#database.transaction('r', messages, deltas, async () => {
          const own = readNodes(await messages.where({ chatId }).toArray());
          const begun = own.nodes.filter(isUnfinishedReply).map(({ id }) => id);
          return [own, await deltas.where('messageId').anyOf(begun).toArray()] as const;
        }),
      );
      const whole = repairTree(tree.nodes);
      this.unreadableCount += tree.damaged.length + whole.movedCount;
      this.#deltas.push(...grown);
      yield* whole.nodes;
    }
  }

  async *#readDeltas(table: BackedUpTable): AsyncGenerator<object> {
    const rows = this.#deltas.toSorted((one, other) => one.sequence - other.sequence);
    this.#deltas = [];
    for (const row of rows) yield* this.#readable(table, row);
    await Promise.resolve();
  }

  /** If a quarantined row cannot be written as JSON, exports only its id and the reason. */
  async *#readQuarantine(table: BackedUpTable): AsyncGenerator<object> {
    for await (const row of this.#readTable(table)) {
      yield writeJson(row) === undefined ? { ...row, row: null } : row;
    }
  }

  async *#readTable(table: BackedUpTable): AsyncGenerator<object> {
    const rows = this.#database.table<unknown, unknown>(table.name);
    let batch = await runQuery(() => rows.orderBy(':id').limit(maxBatchRows).toArray());
    while (batch.length > 0) {
      for (const row of batch) yield* this.#readable(table, row);
      const last = primaryKeyOf(table, batch.at(-1));
      if (last === undefined) return;
      batch = await runQuery(() => rows.where(':id').above(last).limit(maxBatchRows).toArray());
    }
  }

  *#readable(table: BackedUpTable, row: unknown): Generator<object> {
    const parsed = read(table.schema, row);
    if (!parsed.ok) {
      this.unreadableCount++;
      return;
    }
    if (table.isOfChat && !this.#hasChatOf(parsed.value)) return;
    if (table.name !== 'settings' || this.#parts.has('keys')) yield parsed.value;
    else yield withoutApiKeys(parsed.value as SettingRow);
  }

  #hasChatOf(row: object): boolean {
    const chatId = 'chatId' in row ? row.chatId : null;
    return typeof chatId !== 'string' || this.#chats.has(chatId);
  }
}

function primaryKeyOf({ key }: BackedUpTable, row: unknown): string | number | undefined {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, key) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function isStoredResult(row: unknown): row is StoredResult {
  return hasTextFields(row, ['id', 'chatId', 'text']);
}

/**
 * Reads what goes into a backup: table by table, in batches, never more than one chat at once.
 *
 * A chat's messages are read in one transaction, so that its tree holds together though the person goes on writing meanwhile.
 */
import type { BackupPart } from '../contracts/backup';
import type { ChatRecord } from '../contracts/chat';
import { read } from '../contracts/schema';
import type { KeptAttachment } from '../contracts/store';
import { isAttachment } from './attachments';
import type { Database } from './database';
import { type CarriedTable, carriedTables } from './kept-tables';
import { mendTree } from './mend-tree';
import { isBegunReply, readChat, readNodes } from './read-rows';
import { type SettingRow, withoutKeys } from './setting-rows';
import { attempt } from './storage-error';
import type { DeltaRecord } from './tables';
import { recordOf } from './upkeep';

/** Rows in one batch. */
const batchRows = 200;

export interface ExportedTable {
  name: string;
  /** To be read once, and before those of the next table are. */
  rows: AsyncIterable<object>;
}

/** A whole result: its row as it is kept. */
export interface ExportedResult {
  id: string;
  chatId: string;
  createdAt: number;
  text: string;
}

export class ExportReader {
  /** Rows that could not be read, so far: they are left out, or in it as far as they could be read. */
  unreadable = 0;
  readonly #database: Database;
  readonly #parts: ReadonlySet<BackupPart>;
  readonly #chats = new Map<string, ChatRecord>();
  #deltas: DeltaRecord[] = [];

  constructor(database: Database, parts: readonly BackupPart[]) {
    this.#database = database;
    this.#parts = new Set(parts);
  }

  /** About how many rows there will be. */
  async countRows(): Promise<number> {
    const tables = this.#tables().map(({ name }) => attempt(() => this.#database.table(name).count()));
    return (await Promise.all(tables)).reduce((sum, count) => sum + count, 0);
  }

  /** Every table but the results and the files, in the order in which a backup has them. */
  *tables(): Generator<ExportedTable> {
    for (const table of this.#tables()) {
      if (table.name === 'results' || table.name === 'attachments') continue;
      yield { name: table.name, rows: this.#rowsOf(table) };
    }
  }

  /** One after another, for they are large. After the chats. */
  async *results(): AsyncGenerator<ExportedResult> {
    if (!this.#parts.has('chats')) return;
    const { results } = this.#database;
    for (const id of await attempt(() => results.toCollection().primaryKeys())) {
      const row: unknown = await attempt(() => results.get(id));
      if (!isResult(row)) this.unreadable += row === undefined ? 0 : 1;
      else if (this.#chats.has(row.chatId)) {
        const { chatId, createdAt, text } = row;
        yield { id: row.id, chatId, createdAt, text };
      }
    }
  }

  /** As `results`. */
  async *attachments(): AsyncGenerator<KeptAttachment> {
    if (!this.#parts.has('chats')) return;
    const { attachments } = this.#database;
    for (const id of await attempt(() => attachments.toCollection().primaryKeys())) {
      const row: unknown = await attempt(() => attachments.get(id));
      if (isAttachment(row)) yield row;
      else this.unreadable += row === undefined ? 0 : 1;
    }
  }

  #tables(): CarriedTable[] {
    return carriedTables.filter(({ part }) => this.#parts.has(part));
  }

  #rowsOf(table: CarriedTable): AsyncIterable<object> {
    switch (table.name) {
      case 'chats':
        return this.#readChats();
      case 'messages':
        return this.#readMessages();
      case 'deltas':
        return this.#readDeltas();
      case 'quarantine':
        return this.#readQuarantine(table);
      default:
        return this.#readTable(table);
    }
  }

  async *#readChats(): AsyncGenerator<object> {
    const { chats, messages } = this.#database;
    const rows = await attempt(() => chats.toArray());
    for (const row of rows) {
      const { chat, damaged } = readChat(row);
      if (damaged) this.unreadable++;
      this.#chats.set(chat.id, chat);
    }
    // Messages whose chat has lost its record.
    for (const chatId of await attempt(() => messages.orderBy('chatId').uniqueKeys())) {
      if (typeof chatId !== 'string' || this.#chats.has(chatId)) continue;
      const { nodes } = readNodes(await attempt(() => messages.where({ chatId }).toArray()));
      this.unreadable++;
      this.#chats.set(chatId, recordOf(chatId, nodes));
    }
    for (const chat of this.#chats.values()) {
      if (chat.agentOf && !this.#chats.has(chat.agentOf.chatId)) this.#chats.delete(chat.id);
      else yield chat;
    }
  }

  async *#readMessages(): AsyncGenerator<object> {
    const { messages, deltas } = this.#database;
    for (const chatId of this.#chats.keys()) {
      const [tree, grown] = await attempt(() =>
        this.#database.transaction('r', messages, deltas, async () => {
          const own = readNodes(await messages.where({ chatId }).toArray());
          const begun = own.nodes.filter(isBegunReply).map(({ id }) => id);
          return [own, await deltas.where('messageId').anyOf(begun).toArray()] as const;
        }),
      );
      const whole = mendTree(tree.nodes);
      this.unreadable += tree.damaged.length + whole.mended;
      this.#deltas.push(...grown);
      yield* whole.nodes;
    }
  }

  async *#readDeltas(): AsyncGenerator<object> {
    const table = carriedTables.find(({ name }) => name === 'deltas');
    const rows = this.#deltas.toSorted((one, other) => one.sequence - other.sequence);
    this.#deltas = [];
    for (const row of rows) if (table) yield* this.#readable(table, row);
    await Promise.resolve();
  }

  /** Copies of what could not be read: a row that JSON cannot hold is named, and not copied. */
  async *#readQuarantine(table: CarriedTable): AsyncGenerator<object> {
    for await (const row of this.#readTable(table)) {
      yield isJson(row) ? row : { ...row, row: null };
    }
  }

  async *#readTable(table: CarriedTable): AsyncGenerator<object> {
    const rows = this.#database.table<unknown, unknown>(table.name);
    let batch = await attempt(() => rows.orderBy(':id').limit(batchRows).toArray());
    while (batch.length > 0) {
      for (const row of batch) yield* this.#readable(table, row);
      const last = keyOf(table, batch.at(-1));
      if (last === undefined) return;
      batch = await attempt(() => rows.where(':id').above(last).limit(batchRows).toArray());
    }
  }

  *#readable(table: CarriedTable, row: unknown): Generator<object> {
    const parsed = read(table.schema, row);
    if (!parsed.ok) {
      this.unreadable++;
      return;
    }
    if (table.isOfChat && !this.#hasChatOf(parsed.value)) return;
    if (table.name !== 'settings' || this.#parts.has('keys')) yield parsed.value;
    else yield withoutKeys(parsed.value as SettingRow);
  }

  /** What belongs to no chat in particular is carried too. */
  #hasChatOf(row: object): boolean {
    const chatId = 'chatId' in row ? row.chatId : null;
    return typeof chatId !== 'string' || this.#chats.has(chatId);
  }
}

function keyOf({ key }: CarriedTable, row: unknown): string | number | undefined {
  const value: unknown = typeof row === 'object' && row !== null ? Reflect.get(row, key) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function isResult(row: unknown): row is ExportedResult {
  if (typeof row !== 'object' || row === null) return false;
  const { id, chatId, createdAt, text } = row as Partial<Record<keyof ExportedResult, unknown>>;
  const areTexts = [id, chatId, text].every((value) => typeof value === 'string');
  return areTexts && typeof createdAt === 'number';
}

/** Dates, maps and circles are not. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

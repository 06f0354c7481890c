/** Takes over what was read in: all of it or nothing, in one transaction. */
import type { Transaction } from 'dexie';
import type { ImportChoice, ImportMode } from '../contracts/backup';
import { AppError } from '../contracts/app-error';
import { mostNotes } from '../contracts/note';
import { mostPrompts } from '../contracts/own-prompt';
import type { ChatRecord, MessageNode } from '../contracts/chat';
import { read } from '../contracts/schema';
import type { Database } from './database';
import { type CarriedTable, carriedTables } from './kept-tables';
import { isBegunReply } from './read-rows';
import { existing, isOther, type Row, type StagedImport } from './staged-import';
import { attempt, toAppError } from './storage-error';
import type { TallyRecord } from './tables';
import { countOn, tallyId } from './tally';

interface ApplyOptions extends ImportChoice {
  /** After each batch: how many rows were taken so far. */
  onRows: (done: number) => void;
}

/** Rejects with an `AppError`, and has changed nothing then. */
export async function applyImport(
  staged: StagedImport,
  database: Database,
  { mode, parts, onRows }: ApplyOptions,
): Promise<void> {
  const tables = carriedTables.filter(({ part }) => parts.includes(part));
  const batches = await staged.list(tables);
  const names = new Set([...tables.map(({ name }) => name), 'tally', 'chats']);
  const areChats = parts.includes('chats');
  await attempt(() =>
    // Every table is that of the transaction by name: a write that fell out of it would be half an import.
    database.transaction('rw', [...names], async (within) => {
      const deleted = mode === 'replace' && areChats ? await within.table('messages').count() : 0;
      if (mode === 'replace') for (const { name } of tables) await within.table(name).clear();
      const keepsNumbers = areChats && (await within.table('deltas').count()) === 0;
      const taken = new Taken(within, mode, keepsNumbers);
      let done = 0;
      for (const { table, id } of batches) {
        const rows = await keptOpen(within, staged.rowsOf(id));
        await taken.put(table, rows);
        onRows((done += rows.length));
      }
      if (areChats) await within.table('tally').put(await counted(within, taken.messages, deleted));
      if (parts.includes('notes') && (await within.table('notes').count()) > mostNotes)
        throw new AppError('notes-full', `More than ${mostNotes} notes.`);
      if (parts.includes('prompts') && (await within.table('prompts').count()) > mostPrompts)
        throw new AppError('prompts-full', `More than ${mostPrompts} prompts.`);
    }),
  );
}

/**
 * A transaction ends when nothing is asked of it, and what was put by then would stay: while another database is waited for it is asked
 * for something small. What was waited for goes on within the last of these answers.
 */
function keptOpen<Value>(within: Transaction, waiting: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let goOn: (() => void) | undefined;
    waiting.then(
      (value) => (goOn = () => resolve(value)),
      (error: unknown) => (goOn = () => reject(toAppError(error))),
    );
    const ask = () => {
      const request = within.idbtrans.objectStore('tally').count();
      request.onsuccess = () => (goOn ? goOn() : ask());
    };
    ask();
  });
}

/** What remembers the count outside the database is behind by this until the next message: that is no alarm. */
async function counted(within: Transaction, written: number, deleted: number): Promise<TallyRecord> {
  return countOn(await within.table<unknown, string>('tally').get(tallyId), { written, deleted });
}

/** What was put so far, by which the rest is put. */
class Taken {
  /** That were not there before. */
  messages = 0;
  readonly #within: Transaction;
  readonly #mode: ImportMode;
  readonly #keepsNumbers: boolean;
  /** Replies that had only begun: their checkpoints come with them. */
  readonly #begun = new Set<unknown>();

  /** `keepsNumbers`: no checkpoint is here whose number could be taken. */
  constructor(within: Transaction, mode: ImportMode, keepsNumbers: boolean) {
    this.#within = within;
    this.#mode = mode;
    this.#keepsNumbers = keepsNumbers;
  }

  async put(table: CarriedTable, rows: readonly Row[]): Promise<void> {
    const target = this.#within.table<Row, unknown>(table.name);
    if (table.name === 'deltas') {
      const own = rows.filter(({ messageId }) => this.#begun.has(messageId));
      // Their order is what counts.
      await target.bulkAdd(this.#keepsNumbers ? own : own.map((row) => withoutKey(row, table.key)));
      return;
    }
    const known = table.name === 'grants' ? await this.#withChats(rows) : rows;
    const here = this.#mode === 'replace' ? [] : await existing(this.#within, table, known);
    const added = known.filter((_, at) => here[at] === undefined);
    const changed = known.filter((row, at) => {
      const own = here[at];
      return own !== undefined && isOther(table, own, row) && isBetter(table, row, own);
    });
    await target.bulkPut([...added, ...changed]);
    if (table.name !== 'messages') return;
    for (const row of [...added, ...changed] as unknown as readonly MessageNode[]) {
      if (isBegunReply(row)) this.#begun.add(row.id);
    }
    this.messages += added.length;
  }

  /** A permission for a chat that did not come along, and is not here, would lie here for ever. */
  async #withChats(rows: readonly Row[]): Promise<readonly Row[]> {
    const ids = rows.flatMap(({ chatId }) => (typeof chatId === 'string' ? [chatId] : []));
    if (ids.length === 0) return rows;
    const chats = await this.#within.table<Row, unknown>('chats').bulkGet(ids);
    const here = new Set(chats.map((chat) => chat?.['id']));
    return rows.filter(({ chatId }) => typeof chatId !== 'string' || here.has(chatId));
  }
}

/** Where the rows do not say when they were changed, what is here stays, unless it is damaged. */
function isBetter(table: CarriedTable, row: Row, here: Row): boolean {
  return isLater(table, row, here) || isDamaged(table, row, here);
}

/**
 * What is here cannot be read, is hidden as a chat of its own agent, or is a message that stands elsewhere: none ever moves, and the tree
 * of the file was checked as a whole. One that is at the top there may have lost its place before the file was written.
 */
function isDamaged({ name, schema }: CarriedTable, row: Row, here: Row): boolean {
  if (read(schema, row).ok && !read(schema, here).ok) return true;
  if (name === 'chats') return (here as Partial<ChatRecord>).agentOf?.chatId === here['id'];
  if (name !== 'messages') return false;
  const isElsewhere = row['parentId'] !== null && row['parentId'] !== here['parentId'];
  return isElsewhere || row['chatId'] !== here['chatId'];
}

function isLater({ changedAt }: CarriedTable, row: Row, here: Row): boolean {
  const [one, other] = [changedAt?.(row), changedAt?.(here)];
  return typeof one === 'number' && typeof other === 'number' && one > other;
}

function withoutKey(row: Row, key: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== key));
}

/** A database with rows in every table: the newest fixture, plus rows that only chats in use have. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Draft, MessageNode } from '../../../src/contracts/chat';
import type { Origin } from '../../../src/contracts/origin';
import { z } from '../../../src/contracts/schema';
import { Database } from '../../../src/store/database';
import { backedUpTables } from '../../../src/store/kept-tables';
import { asStored } from '../fixture-rows';
import { answer, chatRecord, question } from '../stored-chat';

const Rows = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
const folder = new URL('../../fixtures/store/', import.meta.url);

/** All rows are readable. */
export async function stockDatabase(name: string): Promise<void> {
  const database = new Database(name);
  await database.open();
  for (const [table, content] of Object.entries(newestRows(database.verno))) {
    const isWritten = table !== 'results' && table !== 'attachments';
    const carried = isWritten ? backedUpTables.find(({ name: other }) => other === table) : undefined;
    // Rows as the current version writes them, with defaults filled in.
    const rows = content.flatMap((row) =>
      carried ? (carried.schema.safeParse(row).data ?? []) : asStored(table, row),
    );
    await database.table(table).bulkPut(rows);
  }
  await database.chats.add(chatRecord('grown', { leafId: 'g3', toolsOff: ['clock'] }));
  const branch = [
    question('g1', null, 'Line\n\u2028two 😀 \ud800', 'grown'),
    answer('g2', 'g1', 'x'.repeat(5000), 'grown'),
  ];
  await database.messages.bulkAdd([...branch, { ...question('g3', 'g2', 'Again', 'grown'), parentId: 'g2' }]);
  await database.messages.add({
    id: 'g4',
    chatId: 'grown',
    parentId: 'g3',
    createdAt: 9,
    message: { role: 'assistant', content: [], finishReason: 'aborted' },
  });
  await database.deltas.bulkAdd(
    ['Half ', 'a reply'].map((text) => ({
      messageId: 'g4',
      events: [{ type: 'text-delta' as const, text }],
    })),
  );
  for (const [at, text] of ['灯塔\n\n', '\ufeffmark', ''].entries())
    await database.results.put({
      id: `whole-${at}`,
      chatId: 'grown',
      createdAt: at,
      text,
      bytes: Buffer.byteLength(text),
    });
  await database.drafts.put({
    chatId: 'grown',
    text: '',
    origins: [{ door: 'typed' }],
    inserted: undefined,
    attached: undefined,
    edits: [{ questionId: 'g1', text: 'Line three 😀' }],
  });
  await database.tally.put({ id: 'messages', written: await database.messages.count(), deleted: 0 });
  database.close();
}

function newestRows(version: number) {
  const file = readdirSync(folder).find((fileName) => fileName === `version-${version}.json`);
  if (file === undefined) throw new Error(`No fixture of version ${version}.`);
  return Rows.parse((JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { rows: unknown }).rows);
}

/** Returns every table that a backup contains, ordered by key. */
export async function dumpTables(name: string): Promise<Record<string, unknown[]>> {
  const database = new Database(name);
  await database.open();
  const dump: Record<string, unknown[]> = {};
  for (const table of [...backedUpTables.map((carried) => carried.name), 'tally'])
    dump[table] = await database.table(table).orderBy(':id').toArray();
  database.close();
  return dump;
}

const imported: Origin = { door: 'import', name: 'Hearth' };
const withOrigin = (row: object) => ({ ...row, origin: imported });
const withOrigins = <Row extends { origins?: Origin[] | undefined }>(row: Row) => ({
  ...row,
  origins: [...(row.origins ?? []), imported],
});

function markMessage(node: MessageNode) {
  const { message, summary } = node;
  if (message.role === 'system') return node;
  const isOfTools = message.role === 'tool';
  return {
    ...node,
    message: isOfTools ? { ...message, results: message.results.map(withOrigins) } : withOrigins(message),
    ...(summary && { summary: withOrigins(summary) }),
  };
}

/** Returns the rows of `dump` as an import into an empty database writes them: nothing in them counts as typed. */
export function markImported(dump: Readonly<Record<string, unknown[]>>): Record<string, unknown[]> {
  const marked = { ...dump };
  for (const name of ['prompts', 'personas', 'personaDrafts', 'customTools', 'toolDrafts'])
    marked[name] = (dump[name] as object[]).map(withOrigin);
  marked['drafts'] = (dump['drafts'] as Draft[]).map(withInserted);
  // The database numbers checkpoints anew.
  marked['deltas'] = (dump['deltas'] as object[]).map((row, at) => ({ ...row, sequence: at + 1 }));
  for (const name of ['drafts', 'followUps', 'notes'])
    marked[name] = (marked[name] as { origins: Origin[] }[]).map(withOrigins);
  marked['messages'] = (dump['messages'] as MessageNode[]).map(markMessage);
  return marked;
}

function withInserted(draft: Draft): Draft {
  const { text, edits = [], inserted = [] } = draft;
  const texts = [...inserted.map((one) => one.text), text, ...edits.map((edit) => edit.text)];
  const origin = { door: 'import' as const, name: 'Hearth' };
  return { ...draft, inserted: texts.filter((one) => one !== '').map((one) => ({ text: one, origin })) };
}

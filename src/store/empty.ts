/** Deletes all of a kind for good, to make room: each in one step, all or nothing. */
import type { EmptiedKind } from '../contracts/store';
import type { Database } from './database';
import { attempt } from './storage-error';
import type { Tally } from './tally';

export function emptyKind(database: Database, tally: Tally, kind: EmptiedKind): Promise<void> {
  const { results, traces } = database;
  if (kind === 'results') return attempt(() => results.clear());
  if (kind === 'prompts') return attempt(() => traces.clear());
  return attempt(() => emptyChats(database, tally));
}

/** What was typed in a chat that was never begun is no chat yet, and stays. */
async function emptyChats(database: Database, tally: Tally): Promise<void> {
  const { chats, messages, deltas, traces, drafts, quarantine, grants, results, attachments } = database;
  const { followUps } = database;
  const tables = [
    ...[chats, messages, deltas, traces, drafts, followUps],
    ...[quarantine, grants, results, attachments, database.tally],
  ];
  await database.transaction('rw', tables, async () => {
    const ids = await chats.toCollection().primaryKeys();
    await drafts.bulkDelete(ids);
    for (const table of [quarantine, grants, attachments]) await table.where('chatId').anyOf(ids).delete();
    const deleted = await messages.count();
    await Promise.all([chats, messages, deltas, traces, followUps, results].map((table) => table.clear()));
    await tally.add({ deleted });
  });
}

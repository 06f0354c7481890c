/** How one thing of each kind goes into the bin and comes out of it. All of it within a transaction on all tables. */
import type { EntityTable } from 'dexie';
import type { BinKind } from '../contracts/bin';
import { binChat, binMessages, restoreChat, restoreMessages } from './bin-chats';
import { type Naming, naming, renamed } from './bin-entries';
import { binnedModelsOf } from './bin-models';
import type { BinnedKind, BinnedStores } from './binned-kind';
import type { Database } from './database';
import { isBinned, shownOf } from './tree';

interface Row {
  id: string;
  deletedAt?: number | undefined;
}

export function binnedKinds(database: Database, kept: BinnedStores): Readonly<Record<BinKind, BinnedKind>> {
  const { chats, messages, personas, customTools, notes, prompts, mcpServers } = database;
  return {
    chat: {
      ...rowsOf(chats),
      put: (id, at) => binChat(database, id, at),
      restore: (id) => restoreChat(database, id),
      remove: (id) => kept.chats.delete(id),
    },
    messages: {
      ...rowsOf(messages),
      async put(id, at) {
        await binMessages(database, id, at);
      },
      restore: (id) => restoreMessages(database, id),
      remove: (id) => kept.chats.removeFrom(id),
    },
    persona: { ...rowsOf(personas, naming.persona), remove: (id) => kept.personas.remove(id) },
    tool: { ...rowsOf(customTools, naming.tool), remove: (id) => kept.customTools.remove(id) },
    note: { ...rowsOf(notes, naming.note), remove: (id) => kept.notes.remove(id) },
    prompt: { ...rowsOf(prompts, naming.prompt), remove: (id) => kept.ownPrompts.remove(id) },
    server: { ...rowsOf(mcpServers, naming.server), remove: (id) => kept.mcpServers.remove(id) },
    model: binnedModelsOf(kept),
  };
}

/** What is marked by its row alone. */
function rowsOf<One extends Row>(table: EntityTable<One, 'id'>, names?: Naming): Omit<BinnedKind, 'remove'> {
  // Of a table of any kind Dexie's types say little: its rows are no more than this here.
  const rows = table as unknown as EntityTable<Row, 'id'>;
  return {
    async put(id, deletedAt) {
      const row = await rows.get(id);
      if (row && !isBinned(row)) await rows.update(id, { deletedAt });
    },
    async restore(id) {
      const row = await rows.get(id);
      if (!row) return false;
      if (!isBinned(row)) return true;
      const others = names?.unique ? shownOf(await rows.toArray()) : [];
      await rows.update(id, { deletedAt: undefined, ...(names && renamed(row, names, others)) });
      return true;
    },
    async deletedAt(id) {
      const row = await rows.get(id);
      return row && isBinned(row) ? row.deletedAt : undefined;
    },
  };
}

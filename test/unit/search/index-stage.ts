/** Chats in a database, and the worker's side of the search. */
import { Dexie } from 'dexie';
import type { ChatRecord, MessageNode } from '../../../src/contracts/chat';
import type { SearchAnswer, SearchHit } from '../../../src/contracts/search';
import { type WorkerAnswer, serveSearch } from '../../../src/search/serve-search';
import { Database } from '../../../src/store/database';
import { openStore } from '../../../src/store/open-store';

let opened = 0;

export async function openStage() {
  const name = `found-${opened++}`;
  const index = `${name}-index`;
  const store = await openStore({ name });
  const rows = new Database(name);
  await rows.open();

  async function openSearch() {
    const api = serveSearch();
    valueOf(await api.open({ chats: name, index }));
    const grow = async (only?: string[]) => {
      valueOf(await api.begin(only));
      let steps = 0;
      while (valueOf(await api.step())) steps += 1;
      return steps;
    };
    const find = async (query: string, most = 20): Promise<SearchAnswer> =>
      valueOf(await api.find({ query, most }));
    const ids = async (query: string, most?: number) => (await find(query, most)).hits.map(({ id }) => id);
    return { api, grow, find, ids };
  }

  return {
    store,
    rows,
    name,
    index,
    openSearch,
    async keep(chat: ChatRecord, nodes: readonly MessageNode[]) {
      await rows.chats.put(chat);
      await rows.messages.bulkPut([...nodes]);
    },
    async dumpIndex(): Promise<Record<string, unknown[]>> {
      const database = await new Dexie(index, { autoOpen: false }).open();
      const tables = await Promise.all(
        database.tables.map(async (table) => [table.name, await table.toArray()] as const),
      );
      database.close();
      return Object.fromEntries(tables);
    },
  };
}

export function valueOf<Value>(answered: WorkerAnswer<Value>): Value {
  if ('failure' in answered) throw new Error(answered.failure);
  return answered.value;
}

export const written = (pieces: SearchHit['snippet']) =>
  pieces.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('');

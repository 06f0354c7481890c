/** The bin, for a visit in which nothing can be kept: it holds copies, and ends with the visit. */
import type { BinEntry, BinKind, BinPlace } from '../contracts/bin';
import type { BinStore, Store } from '../contracts/store';
import { type Removers, removersOf } from './bin';
import type { MemoryChats } from './memory-chats';

type Stores = Pick<Store, 'personas' | 'customTools' | 'notes' | 'mcpServers'> & { chats: MemoryChats };

interface Held {
  entry: BinEntry;
  putBack: () => Promise<unknown>;
}

export function createMemoryBin(stores: Stores, now: () => number): BinStore {
  const { chats } = stores;
  const removers: Removers = removersOf(stores);
  const held = new Map<string, Held>();
  const watchers = new Set<() => void>();
  const keyOf = ({ kind, id }: BinPlace) => `${kind}/${id}`;
  const list = () =>
    [...[...held.values()].map(({ entry }) => entry), ...chats.binned()].sort(
      (a, b) => b.deletedAt - a.deletedAt,
    );
  const changed = () => {
    for (const tell of watchers) tell();
  };

  async function put({ kind, id }: BinPlace): Promise<void> {
    if (kind === 'chat') return chats.bin([id]);
    if (kind === 'messages') {
      await chats.binFrom(id);
      return;
    }
    const copy = await copyOf(stores, kind, id);
    if (!copy) return;
    held.set(keyOf({ kind, id }), {
      entry: { kind, id, name: copy.name, deletedAt: now() },
      putBack: copy.putBack,
    });
    await removers[kind](id);
  }

  async function restore(place: BinPlace): Promise<boolean> {
    const { kind, id } = place;
    const one = held.get(keyOf(place));
    held.delete(keyOf(place));
    await one?.putBack();
    const isInChats =
      (kind === 'chat' && (await chats.restore(id))) ||
      (kind === 'messages' && (await chats.restoreFrom(id)));
    return one !== undefined || isInChats;
  }

  async function purge({ kind, id }: BinPlace): Promise<void> {
    const isThere = chats.binned().some((entry) => entry.kind === kind && entry.id === id);
    if (kind === 'chat' && isThere) await chats.delete(id);
    else if (kind === 'messages' && isThere) await chats.removeFrom(id);
    else held.delete(keyOf({ kind, id }));
  }

  return {
    async put(places) {
      for (const place of places) await put(place);
      changed();
    },
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    async restore(place) {
      const isRestored = await restore(place);
      changed();
      return isRestored;
    },
    async restoreAll(places) {
      for (const place of places) await restore(place);
      changed();
    },
    async purge(places) {
      for (const place of places) await purge(place);
      changed();
    },
    async purgeBefore(time) {
      for (const entry of list()) if (entry.deletedAt < time) await purge(entry);
      changed();
    },
  };
}

/** One of a kind, and how it is put back as it was. */
async function copyOf(
  { personas, customTools, notes, mcpServers }: Stores,
  kind: Exclude<BinKind, 'chat' | 'messages'>,
  id: string,
): Promise<{ name: string; putBack: () => Promise<unknown> } | undefined> {
  const isIt = (one: { id: string }) => one.id === id;
  switch (kind) {
    case 'persona': {
      const one = (await personas.list()).personas.find(isIt);
      return one && { name: one.content.name, putBack: () => personas.save(one) };
    }
    case 'tool': {
      const one = (await customTools.list()).tools.find(isIt);
      return one && { name: one.content.title, putBack: () => customTools.save(one) };
    }
    case 'note': {
      const one = (await notes.list()).notes.find(isIt);
      return one && { name: one.text, putBack: () => notes.add(one) };
    }
    case 'server': {
      const one = (await mcpServers.list()).servers.find(isIt);
      const secrets = await mcpServers.secretsOf(id);
      return one && { name: one.name, putBack: () => mcpServers.add(one, secrets) };
    }
  }
}

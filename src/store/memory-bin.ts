/** The bin, for a visit in which nothing can be kept: it ends with the visit. */
import type { BinEntry, BinKind } from '../contracts/bin';
import type { BinStore } from '../contracts/store';
import { binnedModelsOf, entryOfModel } from './bin-models';
import type { BinnedKind, BinnedStores } from './binned-kind';
import type { MemoryChats } from './memory-chats';
import type { MarkedRows } from './memory-marks';

type Marked<Kept> = Kept & { marks: MarkedRows };

/** Those of a visit. */
type MemoryStores = Pick<BinnedStores, 'settings' | 'exams'> & { chats: MemoryChats } & {
  [Name in 'personas' | 'customTools' | 'notes' | 'ownPrompts' | 'mcpServers']: Marked<BinnedStores[Name]>;
};

export function createMemoryBin(stores: MemoryStores, now: () => number): BinStore {
  const { chats, personas, customTools, notes, ownPrompts, mcpServers, settings } = stores;
  const kinds = kindsOf(stores);
  const watchers = new Set<() => void>();

  async function list(): Promise<BinEntry[]> {
    const { binnedModels = [] } = await settings.load();
    const rows = [personas, customTools, notes, ownPrompts, mcpServers].flatMap(({ marks }) =>
      marks.binned(),
    );
    return [...chats.binned(), ...rows, ...binnedModels.map(entryOfModel)].sort(
      (a, b) => b.deletedAt - a.deletedAt,
    );
  }
  async function changing<Value>(work: () => Promise<Value>): Promise<Value> {
    const value = await work();
    for (const tell of watchers) tell();
    return value;
  }
  async function purge(kind: BinKind, id: string, before = Infinity): Promise<void> {
    if (((await kinds[kind].deletedAt(id)) ?? Infinity) < before) await kinds[kind].remove(id);
  }

  return {
    put: (places) =>
      changing(async () => {
        const deletedAt = now();
        for (const { kind, id } of places) await kinds[kind].put(id, deletedAt);
      }),
    watch(onList) {
      const tell = () => void list().then(onList);
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    restore: ({ kind, id }) => changing(() => kinds[kind].restore(id)),
    restoreAll: (places) =>
      changing(async () => {
        for (const { kind, id } of places) await kinds[kind].restore(id);
      }),
    purge: (places) =>
      changing(async () => {
        for (const { kind, id } of places) await purge(kind, id);
      }),
    purgeBefore: (time) =>
      changing(async () => {
        for (const { kind, id } of await list()) await purge(kind, id, time);
      }),
  };
}

function kindsOf(stores: MemoryStores): Readonly<Record<BinKind, BinnedKind>> {
  const { chats, personas, customTools, notes, ownPrompts, mcpServers } = stores;
  const deletedAt = (kind: BinKind) => (id: string) =>
    Promise.resolve(chats.binned().find((entry) => entry.kind === kind && entry.id === id)?.deletedAt);
  return {
    chat: {
      put: (id) => chats.bin([id]),
      restore: (id) => chats.restore(id),
      deletedAt: deletedAt('chat'),
      remove: (id) => chats.delete(id),
    },
    messages: {
      async put(id) {
        await chats.binFrom(id);
      },
      restore: (id) => chats.restoreFrom(id),
      deletedAt: deletedAt('messages'),
      remove: (id) => chats.removeFrom(id),
    },
    persona: { ...personas.marks, remove: personas.remove },
    tool: { ...customTools.marks, remove: customTools.remove },
    note: { ...notes.marks, remove: notes.remove },
    prompt: { ...ownPrompts.marks, remove: ownPrompts.remove },
    server: { ...mcpServers.marks, remove: mcpServers.remove },
    model: binnedModelsOf(stores),
  };
}

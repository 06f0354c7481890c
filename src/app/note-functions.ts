/** Part of the composition root: actions of the Notes screen. They need no model and load none. */
import type { NoteStore } from '../contracts/store';
import type { NoteFunctions } from '../state/app.svelte';
import { loadOnce } from './load-once';

export function createNoteFunctions(store: NoteStore, onError: (error: Error) => void): NoteFunctions {
  const finder = loadOnce(async () => (await import('../tools/find-notes')).createNoteFinder());
  return {
    watch: (onList) => store.watch(onList, onError),
    async add(text) {
      const at = Date.now();
      await store.add({ id: crypto.randomUUID(), text, createdAt: at, updatedAt: at });
    },
    edit: (id, text) => store.edit(id, { text, updatedAt: Date.now() }),
    find: async (words, notes) => (await finder.load())(words, notes),
  };
}

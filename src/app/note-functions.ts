/** A part of the composition root: what the screen of notes does with them. It needs no model, and loads none. */
import type { NoteStore } from '../contracts/store';
import type { NoteFunctions } from '../state/note-functions';
import { loadOnce } from './load-once';

export function createNoteFunctions(
  load: () => Promise<NoteStore>,
  onError: (error: Error) => void,
): NoteFunctions {
  const finder = loadOnce(async () => (await import('../tools/find-notes')).createNoteFinder());
  return {
    watch: async (onList) => (await load()).watch(onList, onError),
    async add(text) {
      const at = Date.now();
      await (await load()).add({ id: crypto.randomUUID(), text, createdAt: at, updatedAt: at });
    },
    edit: async (id, text) => (await load()).edit(id, { text, updatedAt: Date.now() }),
    find: async (words, notes) => (await finder.load())(words, notes),
  };
}

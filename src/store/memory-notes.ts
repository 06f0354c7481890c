/** Notes, for a visit in which nothing can be kept. */
import type { Note, NoteList } from '../contracts/note';
import { mostNotes } from '../contracts/note-text';
import type { NoteStore } from '../contracts/store';
import { type MarkedRows, marksOn } from './memory-marks';
import { deleted, full, newestFirst } from './notes';
import { isBinned, shownOf } from './tree';

export function createMemoryNotes(): NoteStore & { marks: MarkedRows } {
  const notes = new Map<string, Note>();
  const watchers = new Set<() => void>();
  const list = (): NoteList => ({ notes: newestFirst(shownOf([...notes.values()])), damaged: [] });
  const changed = () => {
    for (const tell of watchers) tell();
  };

  return {
    marks: marksOn('note', notes, changed),
    list: () => Promise.resolve(list()),
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    add(note) {
      if (list().notes.length >= mostNotes) return Promise.reject(full());
      notes.set(note.id, structuredClone(note));
      changed();
      return Promise.resolve();
    },
    edit(id, change) {
      const note = notes.get(id);
      if (!note || isBinned(note)) return Promise.reject(deleted(id));
      notes.set(id, { ...note, ...change });
      changed();
      return Promise.resolve();
    },
    remove(id) {
      notes.delete(id);
      changed();
      return Promise.resolve();
    },
  };
}

/** Keeps notes. */
import { AppError } from '../contracts/app-error';
import { mostNotes, Note } from '../contracts/note';
import type { NoteStore } from '../contracts/store';
import { createCollection, updateShown } from './collection';
import { attempt } from './storage-error';
import type { Tables } from './tables';

export function createNotes(tables: Tables): NoteStore {
  return {
    ...createCollection(tables, {
      name: 'notes',
      schema: Note,
      order: (one, other) => other.updatedAt - one.updatedAt,
      toList: (notes, damaged) => ({ notes, damaged }),
    }),

    add(note: Note): Promise<void> {
      return tables.write(['notes'], async ({ notes }) => {
        // Notes in the bin do not count.
        const binned = await notes.where('deletedAt').above(0).count();
        if ((await notes.count()) - binned >= mostNotes) {
          throw new AppError('notes-full', `${mostNotes} notes are kept already.`);
        }
        await notes.add(note);
      });
    },

    edit(id: string, changed: Pick<Note, 'text' | 'updatedAt'>): Promise<void> {
      return tables.write(['notes'], (within) => updateShown(within, 'notes', id, changed, 'note-deleted'));
    },

    remove(id: string): Promise<void> {
      return attempt(() => tables.notes.delete(id));
    },
  };
}

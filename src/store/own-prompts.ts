/** Keeps the person's own prompts. */
import { AppError } from '../contracts/app-error';
import { mostPrompts, OwnPrompt } from '../contracts/own-prompt';
import type { OwnPromptStore } from '../contracts/store';
import { createCollection, updateShown } from './collection';
import { attempt } from './storage-error';
import type { Tables } from './tables';
import { shownOf } from './tree';

export function createOwnPrompts(tables: Tables): OwnPromptStore {
  return {
    ...createCollection(tables, {
      name: 'prompts',
      schema: OwnPrompt,
      // Two tabs, or an import, may give two prompts one place: then the older comes first.
      order: (one, other) => one.place - other.place || one.createdAt - other.createdAt,
      toList: (prompts, damaged) => ({ prompts, damaged }),
    }),

    add(prompt: Omit<OwnPrompt, 'place'>): Promise<void> {
      return tables.write(['prompts'], async ({ prompts }) => {
        // Prompts in the bin do not count.
        const shown: Partial<OwnPrompt>[] = shownOf(await prompts.toArray());
        if (shown.length >= mostPrompts) {
          throw new AppError('prompts-full', `${mostPrompts} prompts are kept already.`);
        }
        const places = shown.flatMap(({ place }) => (typeof place === 'number' ? [place] : []));
        await prompts.add({ ...prompt, place: Math.max(-1, ...places) + 1 });
      });
    },

    edit(id: string, changed: Pick<OwnPrompt, 'name' | 'text' | 'updatedAt'>): Promise<void> {
      return tables.write(['prompts'], (within) =>
        updateShown(within, 'prompts', id, changed, 'prompt-deleted'),
      );
    },

    order(ids: readonly string[]): Promise<void> {
      return tables.write(['prompts'], async ({ prompts }) => {
        // Not `put`: a prompt that another tab has deleted meanwhile stays deleted.
        for (const [place, id] of ids.entries()) await prompts.update(id, { place });
      });
    },

    remove(id: string): Promise<void> {
      return attempt(() => tables.prompts.delete(id));
    },
  };
}

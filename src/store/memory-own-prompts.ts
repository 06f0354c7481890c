/** Prompts of one's own, for a visit in which nothing can be kept. */
import type { OwnPrompt, OwnPromptList } from '../contracts/own-prompt';
import { mostPrompts } from '../contracts/prompt-template';
import type { OwnPromptStore } from '../contracts/store';
import { type MarkedRows, marksOn } from './memory-marks';
import { deleted, full, inPlace, placeAfter } from './own-prompts';
import { isBinned, shownOf } from './tree';

export function createMemoryOwnPrompts(): OwnPromptStore & { marks: MarkedRows } {
  const prompts = new Map<string, OwnPrompt>();
  const watchers = new Set<() => void>();
  const list = (): OwnPromptList => ({ prompts: inPlace(shownOf([...prompts.values()])), damaged: [] });
  const changed = () => {
    for (const tell of watchers) tell();
  };

  return {
    marks: marksOn('prompt', prompts, changed),
    list: () => Promise.resolve(list()),
    watch(onList) {
      const tell = () => onList(list());
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    add(prompt) {
      const shown = list().prompts;
      if (shown.length >= mostPrompts) return Promise.reject(full());
      prompts.set(prompt.id, { ...prompt, place: placeAfter(shown) });
      changed();
      return Promise.resolve();
    },
    edit(id, change) {
      const prompt = prompts.get(id);
      if (!prompt || isBinned(prompt)) return Promise.reject(deleted(id));
      prompts.set(id, { ...prompt, ...change });
      changed();
      return Promise.resolve();
    },
    order(ids) {
      for (const [place, id] of ids.entries()) {
        const prompt = prompts.get(id);
        if (prompt) prompts.set(id, { ...prompt, place });
      }
      changed();
      return Promise.resolve();
    },
    remove(id) {
      prompts.delete(id);
      changed();
      return Promise.resolve();
    },
  };
}

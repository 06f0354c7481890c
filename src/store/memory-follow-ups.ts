/** The messages that wait, for a visit or a chat of which nothing is kept. */
import type { FollowUp } from '../contracts/follow-up';
import type { FollowUpStore } from '../contracts/store';
import { inOrder } from './follow-ups';

export function createMemoryFollowUps(): FollowUpStore {
  const kept = new Map<string, FollowUp>();
  const watchers = new Set<() => void>();
  const changed = () => {
    for (const tell of watchers) tell();
    return Promise.resolve();
  };
  return {
    watch(onList) {
      const tell = () => onList(inOrder([...kept.values()]));
      watchers.add(tell);
      queueMicrotask(tell);
      return () => watchers.delete(tell);
    },
    list: (chatId) =>
      Promise.resolve(inOrder([...kept.values()].filter((followUp) => followUp.chatId === chatId))),
    add(followUp) {
      kept.set(followUp.id, structuredClone(followUp));
      return changed();
    },
    change(id, change) {
      const followUp = kept.get(id);
      if (followUp) kept.set(id, { ...followUp, ...change });
      return changed();
    },
    remove(id) {
      kept.delete(id);
      return changed();
    },
  };
}

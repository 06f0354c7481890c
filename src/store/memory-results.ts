/** Whole results for a visit in which nothing can be kept beyond it. */
import type { ChatStore, KeptResult, ResultStore } from '../contracts/store';
import { bytesOf, mostResultBytes } from './results';

export function createMemoryResults(chats: Pick<ChatStore, 'load'>): ResultStore {
  const kept = new Map<string, KeptResult & { bytes: number }>();

  return {
    async keep(result) {
      const bytes = bytesOf(result.text);
      if (bytes > mostResultBytes.one) return 'too-long';
      // Those of chats that are gone make room.
      for (const [id, { chatId }] of kept) if (!(await chats.load(chatId))) kept.delete(id);
      const used = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
      if (used + bytes > mostResultBytes.all) return 'full';
      kept.set(result.id, { ...result, bytes });
      return undefined;
    },
    load: (id) => Promise.resolve(kept.get(id)?.text),
  };
}

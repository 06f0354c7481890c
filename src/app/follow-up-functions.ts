/** Part of the composition root: stores queued messages. Those of a temporary chat are never written to the disk. */
import type { FollowUp } from '../contracts/chat';
import { takeLock } from '../platform/waiting-locks';
import type { App } from '../state/app.svelte';
import { type FollowUpFunctions, FollowUps } from '../state/follow-ups.svelte';
import { createMemoryStore, type OpenStore } from '../store/open-store';
import type { LoadedOnce } from './load-once';
import type { TemporaryChats } from './temporary-chats';
import { turnLock } from './turn-lock';

interface FollowUpParts {
  app: App;
  store: Promise<Pick<OpenStore, 'followUps'>>;
  temporary: LoadedOnce<TemporaryChats>;
}

export async function createFollowUps({ app, store, temporary }: FollowUpParts): Promise<FollowUps> {
  const { followUps: kept } = await store;
  const { followUps: unkept } = createMemoryStore();
  const storeOf = async (chatId: string) => ((await temporary.begun)?.has(chatId) ? unkept : kept);
  const functions: FollowUpFunctions = {
    watch(onList) {
      const lists: [readonly FollowUp[], readonly FollowUp[]] = [[], []];
      const tell = (place: 0 | 1) => (list: readonly FollowUp[]) => {
        lists[place] = list;
        onList(lists.flat());
      };
      const onError = (error: Error) => (app.fault = String(error));
      kept.watch(tell(0), onError);
      unkept.watch(tell(1), onError);
    },
    list: async (chatId) => (await storeOf(chatId)).list(chatId),
    add: async (followUp) => (await storeOf(followUp.chatId)).add(followUp),
    // An id is in only one of the two stores.
    change: async (id, changed) => {
      await Promise.all([kept.change(id, changed), unkept.change(id, changed)]);
    },
    remove: async (id) => {
      await Promise.all([kept.remove(id), unkept.remove(id)]);
    },
    lock: (chatId) => takeLock(turnLock(chatId), 1000),
    newId: () => crypto.randomUUID(),
    onRemoved: (deletion) => (app.deletion = deletion),
  };
  return new FollowUps(functions);
}

/** Temporary chats, which exist only in memory and are lost when the page closes. Also the queued messages of all chats. */
import { type ChatFunctions, ChatSession } from '../state/chat-session.svelte';
import type { RequestStore, ResultStore } from '../contracts/store';
import { createMemoryStore, type OpenStore } from '../store/open-store';
import type { App } from '../state/app.svelte';
import { type FollowUpFunctions, FollowUps } from '../state/follow-ups.svelte';
import type { AttachmentStores } from './attachment-functions';
import type { LoadedOnce } from './load-once';

export type TemporaryChats = ReturnType<typeof createTemporaryChats>;

export function createTemporaryChats(chatFunctions: ChatFunctions, hasWords: () => boolean) {
  const { chats, results, attachments, requests } = createMemoryStore();
  const ids = new Set<string>();
  const drafts = { save: () => Promise.resolve() };
  addEventListener('beforeunload', (event) => {
    if (hasWords()) event.preventDefault();
  });
  return {
    begin: () => {
      const id = crypto.randomUUID();
      ids.add(id);
      return new ChatSession({ ...chatFunctions, chats, drafts }, { id }, { isTemporary: true });
    },
    has: (chatId: string) => ids.has(chatId),
    results,
    attachments,
    requests,
  };
}

type ListWatcher<Item> = (onList: (list: Item[]) => void, onError: (error: Error) => void) => () => void;

function watchLists<Item>(first: ListWatcher<Item>, second: ListWatcher<Item>): ListWatcher<Item> {
  return (onList, onError) => {
    let lists: [Item[], Item[]] = [[], []];
    const ends = [
      first((list) => onList((lists = [list, lists[1]]).flat()), onError),
      second((list) => onList((lists = [lists[0], list]).flat()), onError),
    ];
    return () => ends.forEach((end) => end());
  };
}

export function mergeRequestStores(stored: RequestStore, temporary: RequestStore): RequestStore {
  return {
    add: stored.add,
    watch: (onList, onError) =>
      watchLists(stored.watch, temporary.watch)((list) => onList(list.sort((a, b) => b.at - a.at)), onError),
    async clear() {
      await Promise.all([stored.clear(), temporary.clear()]);
    },
  };
}

export function combineChatStores(
  store: () => Promise<Pick<OpenStore, 'results' | 'attachments'>>,
  begun: () => Promise<TemporaryChats> | undefined,
): { results: ResultStore; attachments: AttachmentStores } {
  const storesOf = async (chatId: string) => {
    const temporary = await begun();
    return temporary?.has(chatId) ? temporary : store();
  };
  return {
    results: {
      keep: async (result) => (await storesOf(result.chatId)).results.keep(result),
      load: async (id) => (await (await begun())?.results.load(id)) ?? (await store()).results.load(id),
    },
    attachments: {
      storeOf: async (chatId) => (await storesOf(chatId)).attachments,
      load: async (id) =>
        (await (await begun())?.attachments.load(id)) ?? (await store()).attachments.load(id),
      async remove(id) {
        await Promise.all([(await begun())?.attachments.remove(id), (await store()).attachments.remove(id)]);
      },
    },
  };
}

/** `lock` waits until the chat's running turn has ended, then locks the chat for the next turn. */
export async function createFollowUps(
  app: App,
  store: Promise<Pick<OpenStore, 'followUps'>>,
  temporary: LoadedOnce<TemporaryChats>,
  lock: FollowUpFunctions['lock'],
): Promise<FollowUps> {
  const { followUps: stored } = await store;
  const { followUps: inMemory } = createMemoryStore();
  const storeOf = async (chatId: string) => ((await temporary.begun)?.has(chatId) ? inMemory : stored);
  return new FollowUps({
    watch: (onList) =>
      void watchLists(stored.watch, inMemory.watch)(onList, (error) => (app.fault = String(error))),
    list: async (chatId) => (await storeOf(chatId)).list(chatId),
    add: async (followUp) => (await storeOf(followUp.chatId)).add(followUp),
    // Only one of the two stores contains the id, so the other one ignores the change.
    change: async (id, changed) => {
      await Promise.all([stored.change(id, changed), inMemory.change(id, changed)]);
    },
    remove: async (id) => {
      await Promise.all([stored.remove(id), inMemory.remove(id)]);
    },
    lock,
    newId: () => crypto.randomUUID(),
    onRemoved: (deletion) => (app.deletion = deletion),
  });
}

/** Permissions, for a visit in which nothing can be kept. */
import type { Grant } from '../contracts/permission';
import type { ChatStore, GrantStore } from '../contracts/store';

/** Those of a chat go with it. */
export function createMemoryGrants(chats: ChatStore): GrantStore {
  const grants = new Map<string, Grant>();
  const watchers = new Set<() => Promise<void>>();

  const list = async () => {
    const ids = new Set((await chats.list()).map(({ id }) => id));
    return [...grants.values()]
      .filter(({ chatId }) => chatId === null || ids.has(chatId))
      .sort((a, b) => b.createdAt - a.createdAt);
  };
  const changed = async () => {
    await Promise.all([...watchers].map((tell) => tell()));
  };

  return {
    list,
    watch(onList) {
      const tell = async () => onList(await list());
      watchers.add(tell);
      const endChats = chats.watch(
        () => void tell(),
        () => undefined,
      );
      return () => {
        watchers.delete(tell);
        endChats();
      };
    },
    async add(grant) {
      grants.set(grant.id, structuredClone(grant));
      await changed();
    },
    async remove(id) {
      grants.delete(id);
      await changed();
    },
  };
}

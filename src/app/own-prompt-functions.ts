/** Part of the composition root: actions of the screens on the user's own prompts. */
import type { OwnPromptStore } from '../contracts/store';
import type { OwnPromptFunctions } from '../state/app.svelte';

export function createOwnPromptFunctions(
  store: OwnPromptStore,
  onError: (error: Error) => void,
): OwnPromptFunctions {
  return {
    watch: (onList) => store.watch(onList, onError),
    async add(name, text) {
      const [id, at] = [crypto.randomUUID(), Date.now()];
      await store.add({ id, name, text, createdAt: at, updatedAt: at });
      return id;
    },
    edit: (id, name, text) => store.edit(id, { name, text, updatedAt: Date.now() }),
    order: (ids) => store.order(ids),
  };
}

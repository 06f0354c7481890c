/** Part of the composition root: measures and frees the storage of this browser, and warns before it is full. */
import { AppError } from '../contracts/app-error';
import type { StoredKind } from '../contracts/store';
import { askToPersist, hasRoomFor, measureUse } from '../platform/storage';
import { measureParts } from '../platform/stored-parts';
import type { App, StorageFunctions } from '../state/app.svelte';
import type { OpenStore } from '../store/open-store';

/** Bytes left at each warning. The first is far more than chats need in a day; the second is the last chance. */
const warnBelow = [50_000_000, 10_000_000];
const lookEveryMs = 10 * 60_000;

interface StorageParts {
  app: () => App;
  /** Milliseconds, from any start. */
  now: () => number;
  store: Promise<Pick<OpenStore, 'empty'>>;
}

/** Tables of the main database, by the kind that users see. */
const tables: Readonly<Record<string, StoredKind>> = {
  chats: 'chats',
  messages: 'chats',
  deltas: 'chats',
  drafts: 'chats',
  followUps: 'chats',
  quarantine: 'chats',
  attachments: 'attachments',
  results: 'results',
  traces: 'prompts',
};

export function createStorageFunctions({ app, store, now }: StorageParts): StorageFunctions {
  /** Number of warnings that the user has dismissed. */
  let seen = 0;
  let lookedAt = -Infinity;

  async function warn(): Promise<void> {
    const asked = seen;
    const bytes = warnBelow[asked];
    const isNearlyFull = bytes !== undefined && !(await hasRoomFor(bytes));
    // If the user dismissed the warning in the meantime, this answer must not show it again.
    if (seen === asked) app().isNearlyFull = isNearlyFull;
  }

  async function removeChats(): Promise<void> {
    for (const session of app().running) session.stop();
    await (await store).empty('chats');
    // Start with a fresh chat next time the chat screen opens.
    app().session = undefined;
  }

  async function removeModels(): Promise<void> {
    const { models } = app().functions;
    const { cards } = await models.view();
    for (const { id, kept, origin } of cards) {
      if (kept.bytes > 0 && origin !== 'built-in' && origin !== 'browser') await models.remove(id);
    }
  }

  async function rebuildIndex(): Promise<void> {
    const search = await app().functions.loadSearch();
    await search.functions.rebuild();
    if (search.fault !== undefined) throw new AppError(search.fault, 'The index could not be built.');
  }

  return {
    async measure() {
      await warn();
      return measureUse();
    },
    async lookForRoom() {
      if (now() - lookedAt < lookEveryMs) return;
      lookedAt = now();
      await warn();
    },
    measureParts: () =>
      measureParts({
        ...{ main: 'hearth', index: 'hearth-search', tables },
        ...{ modelCaches: 'webllm/', modelFolders: ['models', 'parts', 'model-states'] },
      }),
    async deleteKind(kind) {
      if (kind === 'models') await removeModels();
      else if (kind === 'index') await rebuildIndex();
      else if (kind === 'chats') await removeChats();
      else await (await store).empty(kind);
    },
    askToPersist,
    dismissWarning() {
      seen += 1;
      app().isNearlyFull = false;
    },
  };
}

/** What the screens for storage, notes, prompts and custom tools do. Loaded with the first of them. */
import { AppError } from '../contracts/app-error';
import type { StoredKind, NoteStore, OwnPromptStore } from '../contracts/store';
import { askToPersist, hasRoomFor, measureUse } from '../platform/storage';
import { measureParts } from '../platform/stored-parts';
import type { App, StorageFunctions, NoteFunctions, OwnPromptFunctions } from '../state/app.svelte';
import type { OpenStore } from '../store/open-store';
import { loadOnce, deferred } from './load-once';
import type { CustomToolContent } from '../contracts/custom-tool';
import type { CustomToolFunctions } from '../state/custom-tools.svelte';
import type { CustomToolRuntime } from './turn-tools';

/** Free bytes below which we warn. The first leaves room for days of chats, the second is the last chance. */
const warnBelow = [50_000_000, 10_000_000];
const lookEveryMs = 10 * 60_000;

interface StorageParts {
  app: () => App;
  now: () => number;
  store: Promise<Pick<OpenStore, 'empty'>>;
}

/** The names on the screen for the tables of the main database. */
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
  let seen = 0;
  let lookedAt = -Infinity;

  async function warn(): Promise<void> {
    const asked = seen;
    const bytes = warnBelow[asked];
    const isNearlyFull = bytes !== undefined && !(await hasRoomFor(bytes));
    // A warning that the user has dismissed in the meantime must not come back.
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
        main: 'hearth',
        index: 'hearth-search',
        tables,
        modelCaches: 'webllm/',
        modelFolders: ['models', 'parts', 'model-states'],
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

export function createNoteFunctions(store: NoteStore, onError: (error: Error) => void): NoteFunctions {
  const finder = loadOnce(async () => (await import('../tools/builtin/recall')).createNoteFinder());
  return {
    watch: (onList) => store.watch(onList, onError),
    async add(text) {
      const at = Date.now();
      await store.add({ id: crypto.randomUUID(), text, createdAt: at, updatedAt: at });
    },
    edit: (id, text) => store.edit(id, { text, updatedAt: Date.now() }),
    find: async (words, notes) => (await finder.load())(words, notes),
  };
}

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

export function createCustomToolFunctions(
  store: Promise<Pick<OpenStore, 'customTools' | 'grants'>>,
  loadRuntime: () => Promise<CustomToolRuntime>,
): Omit<CustomToolFunctions, 'newId' | 'date'> {
  async function forgetGrants(name: string): Promise<void> {
    const { grants } = await store;
    const stale = (await grants.list()).filter(({ tool, revision }) => tool === name && revision !== '');
    await Promise.all(stale.map(({ id }) => grants.remove(id)));
  }

  return {
    ...deferred(
      async () => (await store).customTools,
      ['list', 'loadDraft', 'saveDraft', 'removeDraft', 'setSecret', 'keptSecrets'],
    ),
    async save(tool) {
      const { customTools } = await store;
      const { tools } = await customTools.list();
      const before = tools.find(({ id }) => id === tool.id)?.content;
      await customTools.save(tool);
      if (before && permitted(before) !== permitted(tool.content)) await forgetGrants(before.name);
    },
    ...deferred(loadRuntime, ['check', 'run', 'readFile']),
    writeFile: async (content) => (await import('../tools/custom/tool-file')).writeToolFile(content),
    gallery: async () => (await import('../tools/custom/gallery/registry')).gallery,
  };
}

/** What a permission depends on: the name, and all parts of the revision in `tools/custom/custom-tool.ts`. */
function permitted({ name, code, class: kind, hosts, secrets }: CustomToolContent): string {
  return JSON.stringify([name, code, kind, hosts, secrets]);
}

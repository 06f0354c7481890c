/** The services that screens use for storage, notes, prompts and custom tools. Loaded when the first of them is needed. */
import { AppError } from '../contracts/app-error';
import type { CustomTool, CustomToolContent } from '../contracts/custom-tool';
import type { StoredKind } from '../contracts/store';
import { askToPersist, hasRoomFor, measureStorage, measureUsage } from '../platform/storage';
import type { App } from '../state/app.svelte';
import type { Services } from '../state/services';
import type { OpenStore } from '../store/open-store';
import type { ServiceOptions } from './on-demand-services';
import { loadLazily, loadOnce } from './load-once';

export function createScreenServices({ app, store, runtime }: ServiceOptions) {
  const onError = (error: Error) => (app().fault = String(error));
  return {
    notes: createNoteService(store, onError),
    prompts: createPromptService(store, onError),
    customTools: createCustomToolService(store, runtime),
    storage: createStorage(app, store),
  };
}

/** Free bytes below which we warn. The first warning leaves room for days of chats. The second is the last chance to free space. */
const lowSpaceBytes = [50_000_000, 10_000_000];
const spaceCheckIntervalMs = 10 * 60_000;

const kindByTable: Readonly<Record<string, StoredKind>> = {
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

export function createStorage(app: () => App, store: Promise<Pick<OpenStore, 'empty'>>): Services['storage'] {
  let seen = 0;
  let lookedAt = -Infinity;

  async function warn(): Promise<void> {
    const asked = seen;
    const bytes = lowSpaceBytes[asked];
    const isNearlyFull = bytes !== undefined && !(await hasRoomFor(bytes));
    if (seen === asked) app().isStorageNearlyFull = isNearlyFull;
  }

  async function removeChats(): Promise<void> {
    for (const session of app().running) session.stop();
    await (await store).empty('chats');
    // Start with a fresh chat next time the chat screen opens.
    app().session = undefined;
  }

  async function removeModels(): Promise<void> {
    const { models } = app().services;
    const { cards } = await models.view();
    for (const { id, kept, origin } of cards) {
      if (kept.bytes > 0 && origin !== 'built-in' && origin !== 'browser') await models.remove(id);
    }
  }

  async function rebuildIndex(): Promise<void> {
    const search = await app().services.loadSearch();
    await search.functions.rebuild();
    if (search.fault !== undefined) throw new AppError(search.fault, 'The index could not be built.');
  }

  return {
    async measure() {
      await warn();
      return measureUsage();
    },
    async lookForRoom() {
      if (performance.now() - lookedAt < spaceCheckIntervalMs) return;
      lookedAt = performance.now();
      await warn();
    },
    measureParts: () =>
      measureStorage({
        main: 'hearth',
        index: 'hearth-search',
        tables: kindByTable,
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
      app().isStorageNearlyFull = false;
    },
  };
}

export function createNoteService(
  store: Promise<Pick<OpenStore, 'notes'>>,
  onError: (error: Error) => void,
): Services['notes'] {
  const finder = loadOnce(async () => (await import('../tools/builtin/recall')).createNoteFinder());
  return {
    watch: async (onList) => (await store).notes.watch(onList, onError),
    async add(text) {
      const at = Date.now();
      await (
        await store
      ).notes.add({
        id: crypto.randomUUID(),
        text,
        createdAt: at,
        updatedAt: at,
        origins: [{ door: 'typed' }],
      });
    },
    edit: async (id, text) => (await store).notes.edit(id, { text, updatedAt: Date.now() }),
    find: async (words, notes) => (await finder.load())(words, notes),
  };
}

export function createPromptService(
  store: Promise<Pick<OpenStore, 'ownPrompts'>>,
  onError: (error: Error) => void,
): Services['prompts'] {
  return {
    watch: async (onList) => (await store).ownPrompts.watch(onList, onError),
    async add(name, text, origin) {
      const [id, at] = [crypto.randomUUID(), Date.now()];
      await (await store).ownPrompts.add({ id, name, text, origin, createdAt: at, updatedAt: at });
      return id;
    },
    edit: async (id, name, text) => (await store).ownPrompts.edit(id, { name, text, updatedAt: Date.now() }),
    order: async (ids) => (await store).ownPrompts.order(ids),
  };
}

function createCustomToolService(
  store: ServiceOptions['store'],
  runtime: ServiceOptions['runtime'],
): Omit<Services['customTools'], 'newId' | 'date'> {
  const inRuntime = loadLazily(async () => (await runtime.load()).customTools);

  async function forgetGrants(name: string): Promise<void> {
    const { grants } = await store;
    const stale = (await grants.list()).filter(({ tool, revision }) => tool === name && revision !== '');
    await Promise.all(stale.map(({ id }) => grants.remove(id)));
  }

  return loadLazily(async () => (await store).customTools, {
    async save(tool: CustomTool) {
      const { customTools } = await store;
      const { tools } = await customTools.list();
      const before = tools.find(({ id }) => id === tool.id)?.content;
      await customTools.save(tool);
      if (before && permissionKeyOf(before) !== permissionKeyOf(tool.content))
        await forgetGrants(before.name);
    },
    check: inRuntime.check,
    run: inRuntime.run,
    readFile: inRuntime.readFile,
    writeFile: async (content: CustomToolContent) =>
      (await import('../tools/custom/tool-file')).writeToolFile(content),
    gallery: async () => (await import('../tools/custom/gallery/registry')).galleryTools,
  });
}

/** Returns everything that a permission depends on: the name, and all parts of the revision in `tools/custom/custom-tool.ts`. */
function permissionKeyOf({ name, code, class: kind, hosts, secrets }: CustomToolContent): string {
  return JSON.stringify([name, code, kind, hosts, secrets]);
}

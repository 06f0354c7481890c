/** The page's composition, with a store in IndexedDB and fakes for everything that loads later. */
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import type { AgentRuntime, AgentRuntimeOptions } from '../../../src/app/agent-runtime';
import { createApp } from '../../../src/app/create-app';
import type { ModelLibraryOptions } from '../../../src/app/model-library';
import type { RequestRecord } from '../../../src/contracts/egress';
import type { ModelSpec } from '../../../src/contracts/model';
import { type OpenOptions, type OpenStore, openStore } from '../../../src/store/open-store';
import enRest from '../../../src/ui/i18n/en.json?rest';

const stores: OpenStore[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

interface Fakes {
  /** Name of the database, so that a second page can open it again. */
  name?: string;
  loadFails?: boolean;
  refuses?: Error;
}

async function makePage({ name = crypto.randomUUID(), loadFails = false, refuses }: Fakes = {}) {
  const given: {
    store?: Pick<OpenOptions, 'onBlocked' | 'onClosed'>;
    runtime: AgentRuntimeOptions[];
    library: ModelLibraryOptions[];
  } = { runtime: [], library: [] };
  const model: Partial<ModelSpec> = { id: 'ember' };
  const page = createApp({
    loadWords: async () => enRest,
    async openStore(options) {
      given.store = options;
      if (refuses) throw refuses;
      const store = await openStore({ ...options, name });
      stores.push(store);
      return store;
    },
    async loadRuntime(options) {
      given.runtime.push(options);
      if (loadFails) throw new Error('no network');
      const load = async () => options.onPhase({ type: 'ready' }, model as ModelSpec);
      return { load } as Partial<AgentRuntime> as AgentRuntime;
    },
    async loadLibrary(options) {
      given.library.push(options);
      return { functions: { view: async () => ({}) } } as never;
    },
  });
  return { ...page, given };
}

const request: RequestRecord = {
  id: 'r',
  at: 1,
  tool: 'models',
  method: 'GET',
  host: 'models.example',
  sentBytes: 1,
  receivedBytes: 2,
  durationMs: 3,
  outcome: 200,
};

test('the settings of an earlier visit are restored', async () => {
  const name = crypto.randomUUID();
  const first = await makePage({ name });
  await first.settingsRead;
  const before = first.app.settings;
  await first.app.saveSettings({ rounds: 3 });
  const second = await makePage({ name });
  await second.settingsRead;
  expect(second.app.settings).toEqual({ ...before, rounds: 3 });
});

test('the code for running and managing models is loaded on first use, and only once', async () => {
  const { given, runtime, library } = await makePage();
  expect([given.runtime, given.library]).toEqual([[], []]);
  await Promise.all([runtime.load(), runtime.load()]);
  await library.load();
  expect([given.runtime, given.library].map(({ length }) => length)).toEqual([1, 1]);
  expect(given.runtime[0]?.library).toBe(library.load);
});

test('if the code that runs models fails to load, the model is shown as failed', async () => {
  const { app, given, runtime } = await makePage({ loadFails: true });
  await expect(runtime.load()).rejects.toMatchObject({ code: 'model-unreachable' });
  expect(app.model.phase).toEqual({
    type: 'failed',
    code: 'model-unreachable',
    detail: 'Error: no network',
  });
  await expect(runtime.load()).rejects.toMatchObject({ code: 'model-unreachable' });
  expect(given.runtime).toHaveLength(2);
});

test('the screen shows the reported state of the model', async () => {
  const { app, given, runtime } = await makePage();
  app.model.followChoice(() => ({ id: 'ember', name: 'Ember', engine: 'llama' }) as never);
  await (await runtime.load()).load({ id: 'ember' } as never);
  expect(app.model.phase).toEqual({ type: 'ready' });
  given.runtime[0]?.onSlow(true);
  expect(app.model.isSlow).toBe(true);
  expect(given.runtime[0]?.app()).toBe(app);
});

test('the screen reports that another tab blocks or has deleted the database', async () => {
  const { app, given } = await makePage();
  given.store?.onBlocked?.();
  expect(app.storage).toEqual({ type: 'blocked' });
  given.store?.onClosed?.('deleted');
  expect(app.storage).toEqual({ type: 'closed', reason: 'deleted' });
});

test('network requests of tools and of downloads are written to the same log', async () => {
  const { given, runtime, library, store } = await makePage();
  await runtime.load();
  await library.load();
  given.runtime[0]?.record({ ...request, id: 'of a tool', tool: 'fetch_page' });
  given.library[0]?.record(request);
  const { requests } = await store;
  let listed: readonly RequestRecord[] = [];
  const end = requests.watch(
    (list) => (listed = list),
    () => undefined,
  );
  await vi.waitFor(() => expect(listed.map(({ id }) => id).sort()).toEqual(['of a tool', 'r']));
  end();
});

test('a failure to write the log of network requests causes no error', async () => {
  const { given, store, settingsRead, library } = await makePage({ refuses: new Error('no disk') });
  await expect(store).rejects.toThrow('no disk');
  await expect(settingsRead).rejects.toThrow('no disk');
  await library.load();
  expect(() => given.library[0]?.record(request)).not.toThrow();
});

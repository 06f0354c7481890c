/** Creates the services for the screens. Each group of services loads its code on the first call. */
import { isLockHeld, whenLockFree } from '../platform/locks';
import { ChatSession } from '../state/chat-session.svelte';
import type { Services } from '../state/services';
import { toTurnLockName } from './chat-functions';
import type { ServiceOptions } from './on-demand-services';
import { loadLazily, loadOnce } from './load-once';

interface WatchableList<Value> {
  watch: (onList: (list: Value) => void, onError: (error: Error) => void) => () => void;
}

export function createServices(parts: ServiceOptions): Services {
  const { app, store, runtime, library, chatFunctions, temporary } = parts;
  const onError = (error: Error) => (app().fault = String(error));
  const onDemand = loadOnce(async () => (await import('./on-demand-services')).createOnDemandServices(parts));
  const screens = loadOnce(async () => (await import('./screen-services')).createScreenServices(parts));

  const lazyList = <Value, Service extends object>(load: () => Promise<Service & WatchableList<Value>>) =>
    loadLazily(load, {
      watch: async (onList: (list: Value) => void) => (await load()).watch(onList, onError),
    });
  const own = { newId: () => crypto.randomUUID(), date: Date.now };

  async function openSession(chatId: string): Promise<ChatSession | undefined> {
    const { chats, drafts } = await store;
    const [loaded, draft, isRunningElsewhere] = await Promise.all([
      chats.loadTail(chatId),
      drafts.load(chatId),
      isLockHeld(toTurnLockName(chatId)),
    ]);
    if (!loaded) return undefined;
    const { agents, from, damaged } = loaded;
    const options = {
      draft,
      damagedCount: damaged.length,
      isRunningElsewhere,
      agents,
      firstLoadedDepth: from,
    };
    const session = new ChatSession(chatFunctions, loaded, options);
    if (isRunningElsewhere) void whenLockFree(toTurnLockName(chatId)).then(() => app().reopen(session));
    return session;
  }

  return {
    sessions: {
      open: openSession,
      begin: () => new ChatSession(chatFunctions, { id: crypto.randomUUID() }),
      beginTemporary: async () => (await temporary.load()).begin(),
    },
    chats: loadLazily(async () => (await store).chats),
    drafts: loadLazily(async () => (await store).drafts),
    settings: loadLazily(async () => (await store).settings),
    folders: lazyList(async () => (await store).folders),
    bin: lazyList(async () => (await store).bin),
    grants: lazyList(async () => (await store).grants),
    statistics: lazyList(async () => (await store).statistics),
    requests: lazyList(async () => {
      const { requests } = await store;
      const begun = await temporary.begun;
      if (!begun) return requests;
      return (await import('./temporary-chats')).mergeRequestStores(requests, begun.requests);
    }),
    acceptShortage: async () => (await store).acceptShortage(),
    notes: loadLazily(async () => (await screens.load()).notes),
    prompts: loadLazily(async () => (await screens.load()).prompts),
    storage: loadLazily(async () => (await screens.load()).storage),
    customTools: loadLazily(async () => (await screens.load()).customTools, own),
    personas: loadLazily(async () => (await onDemand.load()).personas, own),
    news: loadLazily(async () => (await onDemand.load()).news),
    models: loadLazily(async () => (await library.load()).functions),
    agent: loadLazily(runtime.load),
    loadFollowUps: async () => (await onDemand.load()).loadFollowUps(),
    loadSearch: async () => (await onDemand.load()).loadSearch(),
    loadBackups: async () => (await onDemand.load()).loadBackups(),
    deleteEverything: async () => (await onDemand.load()).deleteEverything(),
    forgetCall: (call) =>
      void runtime.begun?.then(({ forgetCall }) => forgetCall(call)).catch(() => undefined),
    measureDraft: async (...draft) =>
      app().model.phase.type === 'ready' ? (await runtime.begun)?.measure(...draft) : undefined,
    readAddress: async (text) => (await import('../egress/allowed-address')).readAllowedAddress(text),
    newId: own.newId,
    setHash(hash, isReplacing) {
      if (!isReplacing) location.hash = hash;
      else {
        history.replaceState(null, '', hash);
        void app().open(hash);
      }
    },
  };
}

/** Part of the composition root: the functions that screens get from the store and the browser, and those that load later. */
import { isHeld, whenFree } from '../platform/locks';
import type { App, AppFunctions, Watch } from '../state/app.svelte';
import { type ChatFunctions, ChatSession } from '../state/chat-session.svelte';
import type { OpenStore } from '../store/open-store';
import type { LateWords } from '../ui/i18n/words';
import type { AgentRuntime } from './agent-runtime';
import { late, type LoadedOnce, loadOnce } from './load-once';
import type { ModelLibrary } from './model-library';
import type { TemporaryChats } from './temporary-chats';
import { turnLock } from './turn-lock';

interface AppParts {
  app: () => App;
  store: Promise<OpenStore>;
  runtime: LoadedOnce<AgentRuntime>;
  library: LoadedOnce<ModelLibrary>;
  chatFunctions: ChatFunctions;
  temporary: LoadedOnce<TemporaryChats>;
  /** The texts of the screens that load later, in the app's language. */
  loadWords: () => Promise<LateWords>;
}

export function createAppFunctions(parts: AppParts): AppFunctions {
  const { app, store, runtime, library, chatFunctions, temporary, loadWords } = parts;
  const chats = async () => (await store).chats;
  const bin = async () => (await store).bin;
  const folders = async () => (await store).folders;
  const requests = async () => {
    const kept = (await store).requests;
    const begun = await temporary.begun;
    return begun ? (await import('./temporary-chats')).bothRequests(kept, begun.requests) : kept;
  };
  const grants = async () => (await store).grants;
  const statistics = async () => (await store).statistics;

  // Their screens load later, so their functions do too.
  const customTools = loadOnce(async () => {
    const load = async () => (await runtime.load()).customTools;
    return (await import('./custom-tool-functions')).createCustomToolFunctions(store, load);
  });

  const more = loadOnce(async () =>
    (await import('./late-functions')).createLateFunctions({
      app,
      store,
      runtime,
      library,
      temporary,
      loadWords,
    }),
  );

  function watching<Item>(
    load: () => Promise<{
      watch: (onList: (list: Item[]) => void, onError: (error: Error) => void) => () => void;
    }>,
  ): Watch<Item> {
    return async (onList) => (await load()).watch(onList, (error) => (app().fault = String(error)));
  }

  async function openSession(chatId: string): Promise<ChatSession | undefined> {
    const { chats, drafts } = await store;
    const [loaded, draft, isElsewhere] = await Promise.all([
      chats.loadTail(chatId),
      drafts.load(chatId),
      isHeld(turnLock(chatId)),
    ]);
    if (!loaded) return undefined;
    const damaged = loaded.damaged.length;
    const session = new ChatSession(chatFunctions, loaded, {
      ...{ draft, damaged, isElsewhere },
      ...{ agents: loaded.agents, from: loaded.from },
    });
    if (isElsewhere) void whenFree(turnLock(chatId)).then(() => app().reopen(session));
    return session;
  }

  return {
    openSession,
    newSession: () => new ChatSession(chatFunctions, { id: crypto.randomUUID() }),
    newTemporary: async () => (await temporary.load()).begin(),
    chats: late(chats, ['update', 'loadPrompt', 'copyBranch', 'arrange']),
    bin: { ...late(bin, ['put', 'restoreAll', 'purge']), watch: watching(bin) },
    folders: { ...late(folders, ['save', 'remove']), watch: watching(folders) },
    newId: () => crypto.randomUUID(),
    loadChat: async (id) => (await chats()).load(id),
    drafts: late(async () => (await store).drafts, ['listUnbegun']),
    settings: late(async () => (await store).settings, ['save']),
    requests: { ...late(requests, ['clear']), watch: watching(requests) },
    grants: { ...late(grants, ['remove']), watch: watching(grants) },
    statistics: { watch: watching(statistics) },
    ...late(more.load, [
      'loadNotes',
      'loadPrompts',
      'loadSearch',
      'loadFollowUps',
      'loadPersonas',
      'loadBackups',
      'loadStorage',
      'tellTurn',
      'askToNotify',
      'deleteEverything',
    ]),
    ...late(() => store, ['acceptShortage']),
    readAddress: async (text) => (await import('../egress/allowed-address')).readAllowedAddress(text),
    ...late(runtime.load, [
      'trySearch',
      'findTools',
      'loadServers',
      'loadExams',
      'loadAttachments',
      'loadResult',
      'fetchPicture',
    ]),
    forgetCall: (call) =>
      void runtime.begun?.then(({ forgetCall }) => forgetCall(call)).catch(() => undefined),
    measureDraft: async (...draft) =>
      app().model.phase.type === 'ready' ? (await runtime.begun)?.measure(...draft) : undefined,
    customTools: {
      ...late(customTools.load, [
        ...(['list', 'loadDraft', 'saveDraft', 'removeDraft', 'setSecret', 'keptSecrets'] as const),
        ...(['save', 'check', 'run', 'readFile', 'writeFile', 'gallery'] as const),
      ]),
      newId: () => crypto.randomUUID(),
      date: Date.now,
    },
    models: late(
      async () => (await library.load()).functions,
      [
        'view',
        'download',
        'pause',
        'remove',
        'add',
        'addRecord',
        'importFiles',
        'exportModel',
        'seeing',
        'tryEndpoint',
        'saveEndpoint',
        'forgetKey',
      ],
    ),
    setHash(hash, isReplacing) {
      if (!isReplacing) location.hash = hash;
      else {
        history.replaceState(null, '', hash);
        void app().open(hash);
      }
    },
  };
}

/** The state of the app with everything else in memory: real sessions, and a turn that the test controls. */
import type { ChatRecord, Draft, MessageNode } from '../../src/contracts/chat';
import type { Grant } from '../../src/contracts/permission';
import type { ToolSpec } from '../../src/contracts/tool';
import { readAllowedAddress } from '../../src/egress/allowed-address';
import type { ModelsView } from '../../src/contracts/model-library';
import { readModelForm, readModelRecord } from '../../src/engines/library/find-model';
import { App } from '../../src/state/app.svelte';
import type { Services } from '../../src/state/services';
import type { Deletion } from '../../src/state/deletion';
import { type ChatFunctions, ChatSession } from '../../src/state/chat-session.svelte';
import { FollowUps } from '../../src/state/follow-ups.svelte';
import type { BackupFunctions } from '../../src/state/backups.svelte';
import { type ExamFunctions, Exams } from '../../src/state/exams.svelte';
import type { SearchAnswer } from '../../src/contracts/search';
import { ModelStatus } from '../../src/state/model-status.svelte';
import { Search } from '../../src/state/search.svelte';
import { createNoteService, createPromptService } from '../../src/app/screen-services';
import { customToolFunctions } from './custom-tool-functions';
import { personaFunctions } from './persona-functions';
import { Script } from './script';
import { FakeServers } from './fake-servers';
import { noBackups } from './no-backups';
import { createMemoryStore } from '../../src/store/open-store';
import { InsertedTexts } from '../../src/state/inserted-texts';

const tool = (name: string): ToolSpec => ({
  name,
  title: name,
  description: `What ${name} does.`,
  inputSchema: { type: 'object' },
});

interface StageOptions {
  chats?: ChatRecord[];
  nodes?: MessageNode[];
  tools?: readonly ToolSpec[];
  grants?: Grant[];
  shelf?: ModelsView;
  /** Lists the drafts of chats that were never started. */
  listUnbegunDrafts?: () => Promise<Draft[]>;
  measureDraft?: Services['measureDraft'];
  examFunctions?: ExamFunctions;
  /** Returns the results of a search in all chats. */
  found?: (query: string, most: number) => SearchAnswer;
  /** Backup functions that replace the defaults, which do nothing. */
  backupFunctions?: Partial<BackupFunctions>;
  /** Whether the user allows notifications. */
  mayNotify?: boolean;
  fetchPicture?: Services['agent']['fetchPicture'];
  /** Model functions that replace the defaults. */
  modelFunctions?: Partial<Services['models']>;
}

/** `calls` records the functions of the app that were called, with their arguments. */
export function stage({
  chats = [],
  nodes = [],
  tools = [tool('calculator'), tool('clock')],
  grants = [],
  shelf = { cards: [], diagnosis: [] },
  listUnbegunDrafts = async () => [],
  measureDraft = async () => undefined,
  modelFunctions = {},
  found = () => ({ hits: [], hasMore: false }),
  examFunctions = { list: async () => [], remove: async () => undefined, run: async () => 'ended' },
  backupFunctions = {},
  mayNotify = true,
  fetchPicture = async () => ({ ok: false, problem: 'unreachable' }),
}: StageOptions = {}) {
  const script = new Script();
  const calls: [name: string, ...unknown[]][] = [];
  const note = (name: string, ...given: unknown[]) => void calls.push([name, ...given]);
  let ids = 0;
  const done = () => Promise.resolve();
  const ignore = () => undefined;

  const model = new ModelStatus(
    { id: 'ember', name: 'Ember', engine: 'llama', bytes: 6_200_000 },
    {
      load: () => note('load'),
      retry: () => note('retry'),
      cancel: () => note('cancel'),
      loadDespiteOtherTab: async () => note('loadDespiteOtherTab'),
    },
  );
  model.phase = { type: 'ready' };

  const store = createMemoryStore();
  const kept = store.chats;
  for (const chat of chats) void kept.create(chat);
  for (const node of nodes) void kept.save(node);
  for (const { id, leafId } of chats) void kept.update(id, { leafId: leafId });

  const chatFunctions: ChatFunctions = {
    run: (history, options) => script.run(history, options),
    currentModel: () => ({ id: 'ember', engine: 'llama' }),
    chats: {
      ...kept,
      create: async (chat) => {
        await kept.create(chat);
        app.chats = [chat, ...(app.chats ?? [])];
      },
      retitle: async (chatId, title) => {
        app.chats = app.chats?.map((chat) => (chat.id === chatId ? { ...chat, title } : chat));
      },
      binFrom: (nodeId) => {
        note('binFrom', nodeId);
        return kept.binFrom(nodeId);
      },
    },
    drafts: { save: done },
    onRunning: (session, isRunning) => app.setRunning(session, isRunning),
    inserted: new InsertedTexts(),
    nextTask: async () => undefined,
    onUsage: (used) => (model.usage = used),
    lockTurn: async () => () => undefined,
    newId: () => `id${ids++}`,
    now: () => performance.now(),
    date: Date.now,
  };

  const binned: ChatRecord[] = [];
  const folders = store.folders;
  const waiting = store.followUps;
  const followUpFunctions = {
    ...waiting,
    watch: (onList: Parameters<typeof waiting.watch>[0]) => void waiting.watch(onList, ignore),
    onRemoved: (deletion: Deletion) => void (app.deletion = deletion),
    lock: async () => () => undefined,
    newId: () => `id${ids++}`,
  };
  let followUps: FollowUps | undefined;
  const requests = store.requests;
  const customTools = store.customTools;
  const notes = store.notes;
  const prompts = store.ownPrompts;
  const personas = store.personas;
  const servers = new FakeServers(note);
  const exams = new Exams(examFunctions);
  const storage: Services['storage'] = {
    measure: async () => ({ bytes: 12_400_000, quota: 60_000_000_000, isPersisted: false }),
    measureParts: async () => ({
      chats: 1_200_000,
      attachments: 0,
      results: 0,
      prompts: 40_000,
      models: 900_000_000,
      index: 300_000,
      app: 17_000_000,
      rest: 9000,
    }),
    lookForRoom: async () => undefined,
    deleteKind: async (kind) => note('deleteKind', kind),
    askToPersist: async () => {
      note('askToPersist');
      return false;
    },
    dismissWarning() {
      note('dismissWarning');
      app.isStorageNearlyFull = false;
    },
  };
  const search = new Search({
    find: async (query, most) => {
      note('find', query, most);
      return found(query, most);
    },
    warm: () => note('warm'),
    rebuild: async () => note('rebuild'),
  });
  const backups = noBackups(backupFunctions);
  const services: Services = {
    sessions: {
      open: async (chatId) => {
        const chat = app.chats?.find(({ id }) => id === chatId);
        const loaded = await kept.load(chatId);
        return chat && loaded && new ChatSession(chatFunctions, loaded);
      },
      begin: () => new ChatSession(chatFunctions, { id: `chat${ids++}` }),
      beginTemporary: async () =>
        new ChatSession(chatFunctions, { id: `chat${ids++}` }, { isTemporary: true }),
    },
    chats: {
      load: (chatId) => kept.load(chatId),
      update: async (id, patch) => {
        app.chats = app.chats?.map((chat) => (chat.id === id ? { ...chat, ...patch } : chat));
      },
      arrange: async (ids, change) => {
        app.chats = app.chats?.map((chat) => (ids.includes(chat.id) ? { ...chat, ...change } : chat));
      },
      copyBranch: async (...given) => {
        await kept.copyBranch(...given);
        app.chats = [given[1], ...(app.chats ?? [])];
      },
      loadPrompt: async (id) => (id === 'unkept' ? undefined : `PROMPT of ${id}`),
    },
    newId: () => `id${ids++}`,
    folders: {
      watch: async (onList) => folders.watch(onList, ignore),
      save: folders.save,
      remove: folders.remove,
    },
    bin: {
      watch: async (onList) => {
        onList(binned.map(({ id, title }) => ({ kind: 'chat', id, name: title, deletedAt: 1000 })));
        return ignore;
      },
      purge: async (places) => note('purge', ...places),
      put: async (places) => {
        note('bin', ...places);
        const isGone = (id: string) => places.some((place) => place.id === id);
        binned.push(...(app.chats ?? []).filter(({ id }) => isGone(id)));
        app.chats = app.chats?.filter(({ id }) => !isGone(id));
        for (const { kind, id } of places) {
          if (kind === 'server') servers.hide(id);
          else await store.bin.put([{ kind, id }]);
        }
      },
      restoreAll: async (places) => {
        const isBack = (id: string) => places.some((place) => place.id === id);
        app.chats = [...(app.chats ?? []), ...binned.filter(({ id }) => isBack(id))];
        await store.bin.restoreAll(places);
      },
    },
    drafts: { listUnbegun: listUnbegunDrafts },
    settings: { save: async (changed) => note('saveSettings', changed) },
    readAddress: async (text) => readAllowedAddress(text),
    requests: { watch: async (onList) => requests.watch(onList, ignore), clear: () => requests.clear() },
    loadBackups: async () => backups,
    storage,
    news: {
      tell: async () => undefined,
      ask: async () => {
        note('askToNotify');
        return mayNotify;
      },
    },
    notes: createNoteService(Promise.resolve(store), ignore),
    prompts: createPromptService(Promise.resolve(store), ignore),
    acceptShortage: async () => note('acceptShortage'),
    deleteEverything: async () => note('deleteEverything'),
    grants: {
      watch: async (onList) => {
        onList(grants);
        return ignore;
      },
      remove: async (id) => note('removeGrant', id),
    },
    statistics: {
      watch: async (onList) => {
        onList([{ name: 'calculator', calls: 4, failures: 1, repairs: 2, totalMs: 800 }]);
        return ignore;
      },
    },
    agent: {
      fetchPicture,
      loadAttachments: () => Promise.reject(new Error('No files here.')),
      loadResult: async (id) => `All of ${id}.`,
      loadServers: async () => servers.shown,
      loadExams: async () => exams,
      trySearch: async (id) => {
        note('trySearch', id);
        if (id === 'tavily')
          throw new Error('Tavily did not answer: it answered 401: it wants a login or a key.');
        return 3;
      },
      findTools: async (words) => ({
        names: tools.map(({ name }) => name).filter((name) => name.includes(words.trim())),
      }),
    },
    measureDraft,
    forgetCall: (call) => note('forgetCall', call.name, call.arguments),
    customTools: customToolFunctions(customTools),
    personas: personaFunctions(personas),
    loadFollowUps: async () => (followUps ??= new FollowUps(followUpFunctions)),
    loadSearch: async () => search,
    models: {
      view: async () => shelf,
      download: async (id) => note('download', id),
      pause: async (id) => note('pause', id),
      remove: async (id) => note('remove', id),
      add: async (form) => readModelForm(form, []),
      addRecord: async (json) => readModelRecord(json, []),
      tryEndpoint: async (form, id) => {
        note('tryEndpoint', form, id);
        return { address: form.address };
      },
      saveEndpoint: async (form, id) => {
        note('saveEndpoint', form, id);
        return { ok: true, id: id ?? form.model };
      },
      forgetKey: async (id) => note('forgetKey', id),
      seeing: async () => [],
      importFiles: async (files) => {
        note('importFiles', files.length);
        return { ok: false, problem: 'not-gguf' };
      },
      exportModel: async (id) => {
        note('exportModel', id);
        return true;
      },
      ...modelFunctions,
    },
    setHash: (hash) => void app.open(hash),
  };
  const app: App = new App(model, services);
  app.tools = tools;
  app.chats = chats;
  app.storage = { type: 'ok' };
  customTools.watch((list) => (app.customTools.list = list), ignore);
  return {
    app,
    script,
    calls,
    requests,
    customTools,
    notes,
    prompts,
    personas,
    servers,
    exams,
    search,
    bin: store.bin,
  };
}

/** Creates the agent loop, engines and tools. `main.ts` loads this file when the page is idle or the user starts typing. */
import calculatorWorkerUrl from '../../workers/calculator.worker.ts?worker&url';
import checkToolWorkerUrl from '../../workers/check-tool.worker.ts?worker&url';
import egressWorkerUrl from '../../workers/egress.worker.ts?worker&url';
import mcpWorkerUrl from '../../workers/mcp.worker.ts?worker&url';
import readPageWorkerUrl from '../../workers/read-page.worker.ts?worker&url';
import relevantPartWorkerUrl from '../../workers/relevant-part.worker.ts?worker&url';
import { createPersonaStage } from '../agent/speak-as';
import { shouldSmallModelChoose } from '../contracts/hands';
import { summariesOf } from '../contracts/message-parts';
import { type ToolStatistics, specOf, type Tool, type ToolSpec } from '../contracts/tool';
import type { MessageNode } from '../contracts/chat';
import type { ModelSpec } from '../contracts/model';
import type { Settings } from '../contracts/settings';
import type { Message } from '../contracts/message';
import type { CreateSmallModelPolicy } from '../contracts/small-model-policy';
import { createEgress, type EgressOptions } from '../egress/client';
import { networkScopeOf } from '../egress/nearness';
import type { WantedModel } from '../engines/host/fallbacks';
import { modelNameOf } from '../engines/registry';
import { createGpuClaim } from '../engines/host/running-model';
import { silenceLimits } from '../engines/host/model-host';
import { waitForLock } from '../platform/waiting-locks';
import type { App } from '../state/app.svelte';
import { Choices } from '../state/choices.svelte';
import type { OpenStore } from '../store/open-store';
import { startEgressWorker, startWorker } from '../platform/start-worker';
import { createCalculator } from '../tools/builtin/calculator';
import { createPageReader } from '../tools/builtin/fetch-page';
import { createPartsFinder } from '../tools/relevant-part/remote-parts';
import { createBuiltinTools } from '../tools/registry';
import { createLazySandbox } from '../tools/sandbox/lazy-sandbox';
import { providerInfos } from '../tools/web-search/providers';
import { createRateLimits } from '../tools/http';
import { createSearchEngine } from '../tools/web-search/search-engine';
import type { AgentServer } from '../tools/personas/agent-tool';
import {
  createServerModels,
  createModelAccess,
  type ModelAccessOptions,
  openEmbedder,
  openModel,
  createTabSharing,
  createLoadTracker,
  createChatActivity,
} from './model-access';
import { createCallRules, createCustomToolRuntime, createMcpAccess, createPersonaAccess } from './turn-tools';
import { fetchPicture, createFileAccess, addFileTools } from './turn-files';
import { loadLazily, type LoadedOnce, loadOnce } from './load-once';
import {
  createReadAhead,
  findTurnTools,
  readAhead,
  runTurn,
  toDay,
  type TurnOptions,
  type TurnDependencies,
} from './run-turn';
import { combineChatStores, type TemporaryChats } from './temporary-chats';
import { createToolOffers, namesOf, type ToolPreferences } from './tool-offers';
import { createTurnPipeline } from './turn-stages';
import { queryTableToolName, readAttachmentToolName } from '../contracts/tool-names';

export interface AgentRuntimeOptions extends Pick<
  ModelAccessOptions,
  'spec' | 'lastResort' | 'library' | 'onFallback' | 'onPhase' | 'onSlow' | 'onQueued' | 'onSilence'
> {
  record: EgressOptions['record'];
  store: Promise<OpenStore>;
  temporary: LoadedOnce<TemporaryChats>;
  app: () => App;
}

export type AgentRuntime = ReturnType<typeof createAgentRuntime>;

const idAndDateFunctions = { newId: () => crypto.randomUUID(), date: Date.now };

/** Loads the names of all places that the clock knows. Called early, so the first request need not wait. */
async function loadPlaceNameCheck(): Promise<(name: string) => boolean> {
  const { placeIndex, toPlaceKey } = await import('../tools/builtin/clock/places');
  return (name) => placeIndex.has(toPlaceKey(name));
}

function openStoredData({ store, temporary, app }: Pick<AgentRuntimeOptions, 'store' | 'temporary' | 'app'>) {
  /** False during a temporary chat, because Hearth stores nothing about it, not even statistics. */
  const isCounting = () => !app().running.some(({ isTemporary }) => isTemporary);
  return {
    grants: loadLazily(async () => (await store).grants),
    customTools: loadLazily(async () => (await store).customTools),
    toolIndex: loadLazily(async () => (await store).toolIndex),
    notes: loadLazily(async () => (await store).notes),
    ...combineChatStores(
      () => store,
      () => temporary.begun,
    ),
    personas: loadLazily(async () => (await store).personas),
    async addStatistics(added: ToolStatistics) {
      if (isCounting()) await (await store).statistics.add(added);
    },
    isCounting,
  };
}

function findModelServer({ ownModels }: Settings, modelId: string): AgentServer | undefined {
  const own = ownModels.find(({ id }) => id === modelId);
  if (!own?.endpoint || !URL.canParse(own.modelUrl)) return undefined;
  const { hostname, host } = new URL(own.modelUrl);
  return networkScopeOf(hostname) === 'loopback' ? undefined : { server: own.endpoint.model, host };
}

export function createAgentRuntime(options: AgentRuntimeOptions, createPolicy?: CreateSmallModelPolicy) {
  const { library, app } = options;
  const settings = () => app().settings;
  const allowedAddresses = () => settings().allowedAddresses;
  const smallModel = createPolicy?.({ loadPlaces: loadPlaceNameCheck });
  const isSmall = (model: ModelSpec) => smallModel?.appliesTo(model) === true;
  const stored = openStoredData(options);
  const isOnline = () => navigator.onLine;
  const now = () => performance.now();
  const language = () => settings().language ?? navigator.language;
  const egress = createEgress({
    record: options.record,
    allowedAddresses,
    startWorker: () => startEgressWorker(egressWorkerUrl),
    isOnline,
    ...idAndDateFunctions,
  });
  const calculator = createCalculator(() => startWorker(calculatorWorkerUrl));
  const searchEngine = createSearchEngine({ egress, settings, language, limits: createRateLimits(now) });
  const sandbox = createLazySandbox();
  const builtIn = createBuiltinTools({
    calculate: calculator.calculate,
    egress,
    settings,
    language,
    searchEngine,
    readPage: createPageReader(() => startWorker(readPageWorkerUrl)),
    sandbox,
    notes: stored.notes,
    ...idAndDateFunctions,
  });
  const rules = createCallRules({
    ask: (request, signal) => app().approvals.ask(request, signal),
    grants: stored.grants,
    isOnline,
    refuse: egress.refuse,
    recordCall: (added) => void stored.addStatistics(added).catch(() => undefined),
    ...idAndDateFunctions,
    now,
  });
  /** Includes custom tools that are off. Returns an empty list if the tools cannot be read. */
  const ownTools = async () => {
    const { tools } = await stored.customTools.list().catch(() => ({ tools: [] }));
    return tools.map(({ content }) => content);
  };
  const personas = createPersonaAccess(stored.personas, (id) => findModelServer(settings(), id));
  const servers = createMcpAccess({
    startWorker: () => startWorker(mcpWorkerUrl),
    egress,
    store: options.store,
    baseUrl: document.baseURI,
    askPerson: (question, signal) => app().approvals.askForServer(question, signal),
    onTools: () => void listTools().then((tools) => (app().tools = tools)),
    isCounting: stored.isCounting,
    onError: (error) => (app().fault = String(error)),
    allowedAddresses,
    takenNames: async () => namesOf([...builtIn, ...(await ownTools()), ...(await personas.tools([]))]),
  });
  const customTools = createCustomToolRuntime({
    sandbox,
    egress,
    kept: stored.customTools,
    startChecker: () => startWorker(checkToolWorkerUrl),
    // Includes tools that this model is not offered, because another model may be offered them.
    takenNames: namesOf(builtIn),
    otherNames: async () => [...namesOf(await personas.tools([])), ...(await servers.names())],
    permission: rules.inEditor,
  });

  const findModel = async (id: string) => (await library()).find(id);
  const { attachments, loadResult, fileTools, findTableQuery, showing } = createFileAccess(stored);

  const builtInFor = (model: ModelSpec) =>
    builtIn.filter(({ isForLargerModels }) => !(isForLargerModels && isSmall(model)));
  /** Adds the personas that are tools. They come last, so they cannot take the name of another tool. */
  const withAgents = async (tools: readonly Tool[]) => [
    ...tools,
    ...(await personas.tools(namesOf([...builtIn, ...tools]))),
  ];
  const toolsFor = async (model: ModelSpec) => {
    const tools = [...builtInFor(model), ...(await customTools.current()), ...(await servers.tools())];
    return isSmall(model) ? tools : withAgents(tools);
  };
  const offers = createToolOffers({
    // Includes custom tools that are off, because the Tools screen searches them too.
    readTools: async () => [
      ...(await withAgents(builtIn)),
      ...(await ownTools()),
      ...(await servers.tools()),
    ],
    kept: stored.toolIndex,
    canStore: stored.isCounting,
    loadResult,
    settings,
    openEmbedder: (id) => openEmbedder(id, findModel, document.baseURI),
    pinnedAtFirst: new Set([
      ...namesOf(builtIn.filter(({ isCalledByPage }) => !isCalledByPage)),
      readAttachmentToolName,
      queryTableToolName,
    ]),
    spec: () => host.spec,
    isSmall: () => isSmall(host.spec),
  });
  const keyOf = (modelId: string) => settings().ownModels.find(({ id }) => id === modelId)?.endpoint?.key;
  const open = (model: ModelSpec) => openModel(model, { egress, keyOf });
  const loads = createLoadTracker(Date.now);
  const { host, hands, fallbacks, load, retry, loadDespiteOtherTab } = createModelAccess({
    ...options,
    // Stop reading ahead, so the load need not wait.
    beforeLoad: () => ahead.stop(),
    open,
    gpu: createGpuClaim((name) => waitForLock(name, 1000)),
    share: createTabSharing,
    onPhase(phase, loaded) {
      loads.see(phase);
      if (phase.type === 'ready') {
        calculator.prepare();
        smallModel?.prepare().catch(() => undefined);
        void prepareHands(loaded);
        void ahead.begin();
      }
      options.onPhase(phase, loaded);
    },
    limits: silenceLimits,
    // An exam and reading ahead run only while no chat is being answered. Nobody watches them, so they give up at the limit.
    canAsk: () => quiet.isBusy(),
    baseUrl: document.baseURI,
  });

  /** Loads the small model as soon as a model is ready whose tools it will call, so the first question need not wait. */
  const prepareHands = async (model: ModelSpec) => {
    if (hands && !isSmall(model) && (await isForHands(model))) await hands.load().catch(() => undefined);
  };
  const isWantedFor = ({ id }: ModelSpec) => settings().smallModelChooses?.[id] === true;
  const isForHands = async (model: ModelSpec) => {
    const records = await (await options.store).exams.list().catch(() => []);
    const exam = records.find(({ modelId }) => modelId === model.id)?.finished;
    return shouldSmallModelChoose(modelNameOf(model), settings(), exam);
  };

  async function listTools(): Promise<readonly ToolSpec[]> {
    offers.refresh();
    const own = await customTools.refresh();
    return (await withAgents([...builtIn, ...own, ...(await servers.tools())])).map(specOf);
  }

  const turnParts: TurnDependencies = {
    host,
    fallbacks,
    toolsFor,
    offers,
    personas,
    rulesFor: rules.inChat,
    results: stored.results,
    smallModel,
    hands: smallModel && hands && { spec: hands.spec, model: hands, isFor: isForHands, isWantedFor },
    questions: {
      isAsking: () => settings().isAskingWhenUnsure !== false,
      choose: (choice, signal) => (app().choices ??= new Choices()).ask(choice, signal),
      chooseAndAllow: (question, signal) => app().approvals.askForMeaning(question, signal),
    },
    beside: createServerModels(() => settings().ownModels.map(({ id }) => id), findModel, open),
    checkJson: customTools.checkJson,
    readAttached: servers.readAttached,
    fileTools,
    findTableQuery,
    showing,
    loads,
    findParts: createPartsFinder(() => startWorker(relevantPartWorkerUrl)),
    isSearchingFirst: () => settings().isSearchingFirst && searchEngine.targets('').length > 0,
    language: () => (language().startsWith('zh') ? ('zh' as const) : ('en' as const)),
    ...idAndDateFunctions,
  };
  const ahead = createReadAhead(async (signal) => {
    const { session, running } = app();
    if (!session || running.length > 0) return;
    const { settings: chosen, toolOffer } = session;
    await readAhead({ ...chosen, toolOffer, signal, model: host.spec }, turnParts);
  });
  const quiet = createChatActivity();
  const exams = loadOnce(async () => {
    const { openExams } = await import('./exam/open-exams');
    const store = async () => (await options.store).exams;
    return openExams({ store, retry, turnParts, calculate: calculator.calculate, quiet });
  });
  return {
    host,
    retry,
    loadDespiteOtherTab,
    customTools,
    providers: providerInfos,
    load: async (model: WantedModel) => {
      // During an exam, keep the tested model loaded until the user sends a message or chooses another model.
      const begun = await exams.begun?.catch(() => undefined);
      if (!begun?.running) await load(model);
    },
    forgetCall: rules.forgetCall,
    listTools,
    loadExams: exams.load,
    toolsForLargerModels: namesOf(builtIn.filter(({ isForLargerModels }) => isForLargerModels)),
    loadServers: servers.load,
    loadAttachments: attachments.load,
    loadResult,
    findTools: offers.find,
    trySearch: async (providerId: string, query: string, signal: AbortSignal) => {
      const context = { signal, onProgress: () => undefined };
      return (await searchEngine.tryProvider(providerId, query, context)).hits.length;
    },
    async measure(history: readonly Message[], wishes: ToolPreferences & Pick<TurnOptions, 'persona'>) {
      const spec = () => host.spec;
      const isVoice = (await turnParts.hands?.isFor(spec())) === true;
      const { persona, on } = await findTurnTools(wishes.persona, wishes, spec(), { personas, toolsFor });
      const { stage: toolList, tools } = await offers.forTurn({
        on: isSmall(spec()) ? on : addFileTools(on, await fileTools(history)),
        history,
        wishes,
      });
      const answering = { spec, isSmall: () => isSmall(spec()) };
      return createTurnPipeline(host, {
        toolList,
        persona: persona && createPersonaStage(persona.content, answering),
      }).measure(history, isVoice ? [] : tools.map(specOf));
    },
    fetchPicture: (url: string, signal: AbortSignal) => fetchPicture(egress, url, signal),
    async *run(
      history: readonly Message[],
      { branch, ...turn }: Omit<TurnOptions, 'summaries'> & { branch: readonly MessageNode[] },
    ) {
      const end = quiet.begin();
      ahead.stop();
      try {
        const dated = addDays(history, branch);
        return yield* runTurn(dated, { ...turn, summaries: summariesOf(branch) }, turnParts);
      } finally {
        end();
      }
    },
  };
}

/** Adds to each question the day on which it was sent, so the model knows which day it is, also in a chat from yesterday. */
function addDays(history: readonly Message[], branch: readonly MessageNode[]): readonly Message[] {
  const sentAt = new Map(branch.map(({ message, createdAt }) => [message, createdAt]));
  return history.map((message) => {
    const time = sentAt.get(message);
    return message.role === 'user' && time !== undefined ? { ...message, day: toDay(time) } : message;
  });
}

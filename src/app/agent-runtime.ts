/**
 * The part of the composition root that typing does without: loop, engines, tools. `main.ts` loads it when the page
 * is idle or somebody types, and hands its functions to the state.
 */
import calculatorWorkerUrl from '../../workers/calculator.worker?worker&url';
import checkToolWorkerUrl from '../../workers/check-tool.worker?worker&url';
import egressWorkerUrl from '../../workers/egress.worker?worker&url';
import readPageWorkerUrl from '../../workers/read-page.worker?worker&url';
import { answerFromResults } from '../agent/page-reply/answer-from-results';
import { languageHere, replyInstead, replyToTalk } from '../agent/page-reply/write-page-reply';
import { speakFor, writtenByPage } from '../agent/page-reply/speak-for';
import { runAgent } from '../agent/run-agent';
import type { Egress } from '../contracts/egress';
import type { CustomToolList, KeptSecret } from '../contracts/custom-tool';
import type { AgentEvent } from '../contracts/events';
import { defaultLimits } from '../contracts/limits';
import type { ContextUse, ModelSpec } from '../contracts/model';
import type { ModelName } from '../contracts/model-name';
import type { RecoveryStep } from '../contracts/recovery';
import type { ProviderInfo } from '../contracts/search-provider';
import type { Settings } from '../contracts/settings';
import type { Message, ToolCall } from '../contracts/message';
import { specOf, type Tool, type ToolSpec } from '../contracts/tool';
import type { ToolStatistics } from '../contracts/tool-statistics';
import { createEgress, type EgressOptions } from '../egress/client';
import { createGpuClaim } from '../engines/host/gpu-claim';
import { createModelHost, type HostOptions, type ModelHost } from '../engines/host/model-host';
import { createFallbacks, type Wanted } from '../engines/host/fallbacks';
import { watchLimits } from '../engines/host/watch';
import { nameOf } from '../engines/library/name-of';
import { createCustomToolRuntime, type CustomToolRuntime } from './custom-tool-runtime';
import type { ModelStock } from './model-library';
import { openModel } from './open-model';
import { takeLock } from '../platform/locks';
import { startEgressWorker, startWorker } from '../platform/start-worker';
import { createCalculator } from '../tools/builtin/calculator/remote-calculator';
import { createPageReader } from '../tools/builtin/fetch-page/remote-reader';
import { createCallCache } from '../tools/interceptors/call-cache';
import { createDoorCheck } from '../tools/interceptors/door-check';
import { createCallStatistics } from '../tools/interceptors/call-statistics';
import { callsPlainly, works } from '../tools/first-calls/calls-plainly';
import { createPermissions, type PermissionOptions } from '../tools/permissions/permission';
import { createBuiltinTools } from '../tools/registry';
import { createLazySandbox } from '../tools/sandbox/lazy-sandbox';
import { providerInfos } from '../tools/web-search/providers/registry';
import { createRateLimits } from '../tools/web-search/rate-limits';
import { callBeforeModel } from '../tools/web-search/search-first';
import { createSearchEngine } from '../tools/web-search/search-engine';

export interface AgentRuntimeOptions extends Pick<HostOptions, 'onPhase' | 'onSlow'> {
  /** The one that ships with the app, for chats that chose none. */
  spec: ModelSpec;
  /** The one that answers when no other can. */
  lastResort: ModelSpec;
  /** What answers in the place of a model that was chosen: another, or the same with less room. */
  onFallback: (id: string, fallback: { model: ModelName; step: RecoveryStep } | undefined) => void;
  outside: Pick<EgressOptions, 'allowedAddresses' | 'record'>;
  /** Needed for any other model than that. */
  models: () => Promise<Pick<ModelStock, 'find' | 'isKept' | 'alternativesTo'>>;
  /** As they are at this moment. */
  settings: () => Settings;
  permissions: Pick<PermissionOptions, 'ask' | 'grants'>;
  customTools: {
    list: () => Promise<CustomToolList>;
    secretOf: (toolId: string, secret: KeptSecret) => Promise<string | undefined>;
  };
  /** What one call adds to the statistics of its tool. */
  recordCall: (added: ToolStatistics) => void;
}

const newId = () => crypto.randomUUID();

/** In the place of a chat's id: the editor's. */
const noChat = '';

interface TurnOptions {
  chatId: string;
  model: Wanted;
  toolsOff: readonly string[];
  rounds: number;
  signal: AbortSignal;
}

export interface AgentRuntime {
  host: ModelHost;
  /** Names of tools that a small model is not offered. */
  toolsForLarger: readonly string[];
  /** Makes it what is loaded, when no turn runs with another, and loads it. */
  load: (model: Wanted) => Promise<void>;
  /** As `load`, itself, whatever has answered in its place so far. */
  retry: (model: Wanted) => Promise<void>;
  /** As `load`, though another tab has a model on the GPU. */
  loadBeside: (model: Wanted) => Promise<void>;
  /** All that a chat can have on or off, read anew. */
  listTools: () => Promise<readonly ToolSpec[]>;
  own: CustomToolRuntime;
  egress: Egress;
  providers: readonly ProviderInfo[];
  /** Asks one search provider, on or off, for the person; resolves to how many it found. */
  trySearch: (providerId: string, query: string, signal: AbortSignal) => Promise<number>;
  /** The next such call is made anew, though its result is kept. */
  forgetCall: (call: Pick<ToolCall, 'name' | 'arguments'>) => void;
  /** What the model that is loaded would have to read, were the chat to go on so. */
  measure: (history: readonly Message[], toolsOff: readonly string[]) => Promise<ContextUse>;
  run: (history: readonly Message[], options: TurnOptions) => AsyncGenerator<AgentEvent, Message[]>;
}

export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  const { spec, outside, settings, onPhase, onSlow } = options;
  const isOnline = () => navigator.onLine;
  const egress = createEgress({
    ...outside,
    startWorker: () => startEgressWorker(egressWorkerUrl),
    isOnline,
    newId,
    date: Date.now,
  });
  const calculator = createCalculator(() => startWorker(calculatorWorkerUrl));
  const searchEngine = createSearchEngine({
    egress,
    settings,
    language: () => settings().language ?? navigator.language,
    limits: createRateLimits(() => performance.now()),
  });
  const sandbox = createLazySandbox();
  const everyTool = createBuiltinTools({
    calculate: calculator.calculate,
    egress,
    settings,
    searchEngine,
    readPage: createPageReader(() => startWorker(readPageWorkerUrl)),
    sandbox,
  });
  const builtInFor = ({ isSmall }: ModelSpec) =>
    everyTool.filter(({ isForLargerModels }) => !(isForLargerModels && isSmall));
  const permissions = createPermissions({
    ...options.permissions,
    // A call that is in no chat has none to be allowed for.
    ask: ({ offers, ...request }, signal) =>
      options.permissions.ask(
        { ...request, offers: offers.filter((offer) => offer !== 'chat' || request.chatId !== noChat) },
        signal,
      ),
    newId,
    date: Date.now,
  });
  const own = createCustomToolRuntime({
    ...{ sandbox, egress, kept: options.customTools },
    startChecker: () => startWorker(checkToolWorkerUrl),
    // Those that this model is not offered too: another may be.
    takenNames: everyTool.map(({ name }) => name),
    permission: () => permissions.forTurn(noChat),
  });
  const toolsFor = async (model: ModelSpec) => [...builtInFor(model), ...(await own.current())];
  const cache = createCallCache(Date.now);
  const statistics = createCallStatistics(options.recordCall, () => performance.now());
  const firstSearch = (history: readonly Message[], on: readonly Tool[]) => {
    const canSearch = on.some(({ name }) => name === 'web_search') && searchEngine.targets('').length > 0;
    return settings().isSearchingFirst && canSearch ? callBeforeModel(history, newId) : undefined;
  };
  const whole = (found: ModelSpec): ModelSpec => {
    const { path, bytes } = found.file;
    return { ...found, file: { path: new URL(path, document.baseURI).href, bytes } };
  };
  const builtIn = whole(spec);
  const lastResort = whole(options.lastResort);
  const ownOf = (id: string) => [builtIn, lastResort].find((model) => model.id === id);
  const gpu = createGpuClaim((name) => takeLock(name, 1000));
  const host = createModelHost({
    spec: builtIn,
    tools: builtInFor(builtIn).map(specOf),
    open: (model) => openModel(model, { egress }),
    claim: gpu.take,
    onPhase(phase, loaded) {
      // While the model reads, the other core has nothing to do.
      if (phase.type === 'ready') calculator.prepare();
      onPhase(phase, loaded);
    },
    onSlow,
    limits: watchLimits,
  });
  const fallbacks = createFallbacks({
    host,
    builtIn: lastResort,
    async find(id) {
      const own = ownOf(id);
      if (own) return { spec: own, isKept: true };
      const stock = await options.models();
      const [found, isKept] = await Promise.all([stock.find(id), stock.isKept(id)]);
      return { spec: found && whole(found), isKept };
    },
    async alternativesTo(model) {
      if (ownOf(model.id)) return { smaller: [] };
      const { twin, smaller } = await (await options.models()).alternativesTo(model);
      return {
        ...(twin && { twin: { ...twin, spec: whole(twin.spec) } }),
        smaller: smaller.map(whole),
      };
    },
    toolsFor: async (model) => (await toolsFor(model)).map(specOf),
    onChange: (id, fallback) =>
      options.onFallback(id, fallback && { model: nameOf(fallback.spec), step: fallback.step }),
  });
  const load = async (model: Wanted) => {
    const wanted = await fallbacks.specFor(model);
    const specs = (await toolsFor(wanted)).map(specOf);
    const release = await host.hold(wanted, specs, new AbortController().signal);
    await host.load().finally(release);
  };
  return {
    host,
    toolsForLarger: everyTool.flatMap(({ name, isForLargerModels }) => (isForLargerModels ? [name] : [])),
    load,
    retry(model) {
      fallbacks.forget(model.id);
      return load(model);
    },
    loadBeside(model) {
      gpu.share();
      return load(model);
    },
    listTools: async () => [...everyTool, ...(await own.refresh())].map(specOf),
    own,
    egress,
    providers: providerInfos,
    trySearch: async (providerId, query, signal) => {
      const context = { signal, onProgress: () => undefined };
      return (await searchEngine.tryProvider(providerId, query, context)).hits.length;
    },
    forgetCall: (call) => cache.forget(call),
    async measure(history, toolsOff) {
      const on = (await toolsFor(host.spec)).filter(({ name }) => !toolsOff.includes(name));
      return host.measure(history, on.map(specOf));
    },
    async *run(history, { chatId, model, toolsOff, rounds, signal }) {
      const wanted = await fallbacks.specFor(model);
      const offered = await toolsFor(wanted);
      const on = offered.filter(({ name }) => !toolsOff.includes(name));
      const step = fallbacks.untold(model.id);
      if (step) yield { type: 'recovery', step };
      const speaking = {
        modelName: wanted.name,
        tools: on,
        language: (settings().language ?? navigator.language).startsWith('zh')
          ? ('zh' as const)
          : ('en' as const),
      };
      const plain = wanted.isSmall ? await callsPlainly(history, on, signal) : undefined;
      const talk = wanted.isSmall && !plain ? replyToTalk(history, speaking) : undefined;
      if (talk) {
        const message = writtenByPage(talk.text, talk.suggestions);
        yield { type: 'message-end', message, by: 'page' };
        yield { type: 'turn-end', reason: 'answered' };
        return [message];
      }
      const search = plain ? undefined : firstSearch(history, on);
      if (search) {
        yield { type: 'message-end', message: search, by: 'page' };
        yield { type: 'notice', code: 'searched-first' };
      }
      const before = search ? [search] : [];
      let release = () => {};
      try {
        // Stopped while another model answers: the turn below then ends before it begins.
        release = await host.hold(wanted, offered.map(specOf), signal).catch(() => release);
        const turnModel = fallbacks.forTurn(model);
        const added = yield* runAgent([...history, ...before], {
          model: speakFor(turnModel, {
            isSmall: () => host.spec.isSmall === true,
            calls: plain,
            reply: (asked) => replyInstead(asked, speaking),
            answer: (asked) => answerFromResults(asked, languageHere(asked) ?? speaking.language),
            fails: async (call, stop) => !(await works(call, on, stop)),
            hasToolsOff: on.length < offered.length,
          }),
          recover: turnModel.recover,
          tools: {
            tools: on,
            // In this order: what is not allowed reaches none of the others.
            interceptors: [
              createDoorCheck(isOnline, egress.refuse),
              permissions.forTurn(chatId),
              cache,
              statistics,
            ],
          },
          limits: { ...defaultLimits, rounds },
          signal,
          date: Date.now,
          newNonce: () => crypto.randomUUID().slice(0, 8),
        });
        return [...before, ...added];
      } finally {
        release();
      }
    },
  };
}

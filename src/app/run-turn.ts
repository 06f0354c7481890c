/** Runs one turn of a chat: gives the model, tools and sub-agents to the agent loop, and runs the steps that need no model. */
import { createCompactionStage } from '../agent/compaction/compact';
import { createConversationStages, createPersonaStage } from '../agent/speak-as';
import { createReplay } from '../agent/replay';
import { runAgent, type RunOptions } from '../agent/run-agent';
import {
  type SubAgentOptions,
  type AgentChain,
  createSubAgentInterceptor,
  maxAgentDepth,
} from '../agent/sub-agents';
import { createTurnCounts } from '../agent/turn-guard';
import { findRequest } from '../agent/offer-tools';
import { type AgentEvent, defaultAgentLimits, type TurnReplay, type Interceptor } from '../contracts/turn';
import type { Message, BranchSummary } from '../contracts/message';
import type { ChatModel, ModelSpec } from '../contracts/model';
import { type Origin, withoutRepeats } from '../contracts/origin';
import type { PageLanguage, ReadingChooser, SmallModelPolicy } from '../contracts/small-model-policy';
import type { ResultStore } from '../contracts/store';
import { specOf, type Tool } from '../contracts/tool';
import { readResultToolName } from '../contracts/tool-names';
import type { Fallbacks, WantedModel } from '../engines/host/fallbacks';
import type { ModelHost } from '../engines/host/model-host';
import { engineOf } from '../engines/registry';
import {
  createAttachmentCalls,
  createResourceReader,
  type ReadAttachedResource,
  createSearchCall,
} from '../tools/page-calls';
import type { FindParts } from '../text/relevant-part';
import { type TurnRules, filterAllowedTools, type PersonaAccess, toSubAgent } from './turn-tools';
import type { ServerModels, LoadTracker } from './model-access';
import type { ToolOffers, ToolPreferences } from './tool-offers';
import { createCancelStage, createTurnPipeline } from './turn-stages';
import { type CreatePictureStage, addFileTools } from './turn-files';
import { createHandsStage, type Hands, type HandsStageOptions } from './turn-hands';
import type { Persona, PersonaContent } from '../contracts/persona';
import { whenIdle } from '../platform/page-events';

export interface TurnDependencies {
  host: Pick<ModelHost, 'hold' | 'spec' | 'respond' | 'measure'>;
  fallbacks: Pick<Fallbacks, 'specFor' | 'untold' | 'forTurn'>;
  toolsFor: (spec: ModelSpec) => Promise<readonly Tool[]>;
  offers: ToolOffers;
  personas: Pick<PersonaAccess, 'find' | 'personaOf'>;
  beside: ServerModels;
  checkJson: SubAgentOptions['checkJson'];
  rulesFor: (chatId: string) => TurnRules;
  /** Special handling for a small model. Undefined in a build without one. */
  smallModel: SmallModelPolicy | undefined;
  /** The small model beside a larger one. Undefined in a build without a small model. */
  hands: Hands | undefined;
  questions: ReadingChooser;
  /** True if the page may search the web before the model answers. False without a search provider. */
  isSearchingFirst: () => boolean;
  language: () => PageLanguage;
  results: Pick<ResultStore, 'keep'>;
  findParts: FindParts;
  readAttached: ReadAttachedResource;
  fileTools: (history: readonly Message[]) => Promise<readonly Tool[]>;
  findTableQuery: (
    history: readonly Message[],
    signal: AbortSignal,
  ) => Promise<Record<string, unknown> | undefined>;
  showing: CreatePictureStage;
  loads: Pick<LoadTracker, 'follow'>;
  date: () => number;
  newId: () => string;
}

export interface TurnOptions extends ToolPreferences {
  chatId: string;
  /** Summaries from earlier turns, oldest first. Each summary replaces a number of the oldest messages of the branch. */
  summaries?: readonly BranchSummary[];
  persona?: string | undefined;
  agentHistory: (callId: string) => readonly Message[] | undefined;
  model: WantedModel;
  /** Only set in a replay. `branch` then ends with the messages that the replay keeps. */
  replay?: TurnReplay | undefined;
  rounds: number;
  /** True if the user cancelled the loading of the model after asking this question. The turn then starts no other load. */
  isCancelled: () => boolean;
  signal: AbortSignal;
  isSteered?: RunOptions['isSteered'];
}

export async function* runTurn(
  branch: readonly Message[],
  { chatId, persona: personaId, summaries = [], agentHistory, model, ...options }: TurnOptions,
  parts: TurnDependencies,
): AsyncGenerator<AgentEvent, Message[]> {
  const { rounds, isCancelled, signal, isSteered, replay, ...wishes } = options;
  const { host, fallbacks, offers, personas, smallModel, newId, questions } = parts;
  const all = dropFailedReplies(branch);
  const history = all.slice(0, all.length - (replay?.taken ?? 0));
  const taken = all.slice(history.length);
  const isBegun = taken.length > 0;
  const wanted = await fallbacks.specFor(model);
  const { persona, tools, offered, on: chosen } = await findTurnTools(personaId, wishes, wanted, parts);
  const fileTools = await parts.fileTools(history);
  const isWantedSmall = smallModel?.appliesTo(wanted) === true;
  const on = isWantedSmall ? chosen : addFileTools(chosen, fileTools);
  const step = fallbacks.untold(model.id);
  if (step) yield { type: 'recovery', step };

  if (offers.takeFailure()) yield { type: 'notice', code: 'words-only' };

  const files = createAttachmentCalls(history, await parts.findTableQuery(history, signal), newId);
  const nearTools = () => offers.near(findRequest(history), on);
  const speaking = { modelName: wanted.name, tools: on, language: parts.language() };
  const decision =
    isWantedSmall && !files
      ? await smallModel.before({
          ...speaking,
          history,
          nearTools,
          mayReply: !isBegun,
          signal,
        })
      : undefined;
  if (decision && 'reply' in decision) {
    yield { type: 'message-end', message: decision.reply, by: 'page' };
    yield { type: 'turn-end', reason: 'answered' };
    return [decision.reply];
  }
  const plain = decision?.calls;

  const searchTool = on.find(({ name }) => name === 'web_search');
  const canSearch = !plain && !files && !isBegun && parts.isSearchingFirst() && searchTool !== undefined;
  const search = canSearch ? createSearchCall(history, newId) : undefined;
  const attached = isBegun ? undefined : files;
  const before = [search ?? attached].filter((message) => message !== undefined);
  for (const message of before) yield { type: 'message-end', message, by: 'page' };
  if (search) yield { type: 'notice', code: 'searched-first' };
  let release = () => {};
  try {
    // If the user stops the turn during this wait, `runAgent` below returns at once.
    release = await host.hold(wanted, signal).catch(() => release);
    const spec = () => host.spec;
    const answering = { spec, isSmall: () => smallModel?.appliesTo(host.spec) === true };
    const { stage: fallback, recover } = fallbacks.forTurn(model);
    const openConversationStage = createConversationStages();
    const pictures = parts.showing(spec);
    const cancelledLoad = createCancelStage(isCancelled);
    const openConversation = () =>
      createTurnPipeline(host, { conversation: openConversationStage(), pictures, cancelledLoad, fallback });
    const counts = createTurnCounts();
    const guide = replay && createReplay(replay, counts);
    const unlisted = new Set(findRefusedPersonas(toAgentChain(persona), on, personas.personaOf));
    const turn = await offers.forTurn({
      on,
      history,
      wishes: replay ? { ...wishes, toolOffer: replay.toolOffer } : wishes,
      needed: plain?.map(({ name }) => name),
      unlisted,
    });
    const rules = parts.rulesFor(chatId);
    const hands = isWantedSmall || !(await parts.hands?.isFor(wanted)) ? undefined : parts.hands;
    const around = guide ? [guide.recordedAnswers, ...rules.around] : rules.around;
    const reader = createResourceReader(history, parts.readAttached);
    const newNonce = () => newId().slice(0, 8);
    const promptOrigins = promptOriginsOf(persona, on);
    const calling = {
      voice: wanted,
      newId,
      isActive: () => !answering.isSmall(),
      language: parts.language(),
      questions,
    };
    /** Undefined if the model calls tools itself. */
    const openHands =
      hands && smallModel
        ? (used: Parameters<OpenHands>[0]) =>
            createHandsStage(hands, smallModel, offers, { ...calling, wishes, signal, ...used })
        : undefined;
    const run = {
      limits: { ...defaultAgentLimits, rounds },
      date: parts.date,
      newNonce,
      findParts: parts.findParts,
      takeLoad: parts.loads.follow(),
      storeWholeText: (text: string) => storeWholeText(text, chatId, parts),
      tellResults: (told: readonly Message[]) => smallModel?.tellResults(told, parts.language()),
    };
    const agents = createAgentTurns(parts, {
      persona,
      tools: tools.filter(({ name }) => !wishes.toolsOff.includes(name)),
      openConversation,
      openHands,
      spec,
      toolSearch: wishes.toolSearch,
      rules: around,
      run: { ...run, recover },
      counts,
      historyOf: agentHistory,
      replayOf: (callId) => guide?.progressOfAgent(callId),
    });
    const added = yield* runAgent([...history, ...before, ...taken], {
      ...run,
      model: createTurnPipeline(openConversation(), {
        smallModel: smallModel?.stage(
          {
            ...speaking,
            chatId,
            answering: spec,
            hasToolsOff: on.length < offered.length,
            nearTools: isWantedSmall ? undefined : nearTools,
            questions,
            promptOrigins,
            permissions: rules,
            newId,
          },
          plain,
        ),
        hands: await openHands?.({
          on: chosen,
          history,
          unlisted,
          hasPersona: hasVoiceOfItsOwn(persona?.content),
        }),
        summary: createCompactionStage({ ...answering, before: summaries, newNonce }),
        toolList: turn.stage,
        persona: persona && createPersonaStage(persona.content, answering),
      }),
      recover,
      promptOrigins,
      tools: {
        // The model could not call it, so a long result is cut to its best part at once.
        tools: hands ? turn.tools.filter(({ name }) => name !== readResultToolName) : turn.tools,
        pageTools: [reader, ...fileTools, searchTool].filter((tool) => tool !== undefined),
        interceptors: [...around, agents],
      },
      signal,
      isSteered,
      within: { counts },
      replay: guide && { guide, taken: taken.length },
    });
    return [...before, ...added];
  } finally {
    release();
  }
}

/** Returns the origins of strangers' texts in the prompt: the instructions of a persona from a file, and descriptions of tools. */
function promptOriginsOf(persona: Persona | undefined, tools: readonly Tool[]): Origin[] {
  const instructions = persona?.origin ? [{ door: 'persona' as const, name: persona.content.name }] : [];
  return withoutRepeats([...instructions, ...tools.flatMap(({ origin }) => origin ?? [])]);
}

/** Resolves to the persona, all tools of this model, the tools that the persona may use, and those among them that are on. */
export async function findTurnTools(
  personaId: string | undefined,
  { toolsOff }: Pick<ToolPreferences, 'toolsOff'>,
  spec: ModelSpec,
  { personas, toolsFor }: Pick<TurnDependencies, 'personas' | 'toolsFor'>,
) {
  const persona = await personas.find(personaId);
  const tools = await toolsFor(spec);
  const offered = filterAllowedTools(persona?.content, tools);
  return { persona, tools, offered, on: offered.filter(({ name }) => !toolsOff.includes(name)) };
}

export type ReadAheadOptions = Pick<TurnOptions, 'persona' | 'model' | 'signal'> & ToolPreferences;

/** Lets the model read the beginning of the chat's next prompt in advance, but write nothing. Rejects if the model cannot be loaded. */
export async function readAhead(
  { persona: personaId, model, signal, ...wishes }: ReadAheadOptions,
  parts: TurnDependencies,
): Promise<void> {
  const { host, fallbacks, offers, personas, smallModel } = parts;
  const wanted = await fallbacks.specFor(model);
  if (!engineOf(wanted)?.readsAhead) return;
  const { persona, on } = await findTurnTools(personaId, wishes, wanted, parts);
  const release = await host.hold(wanted, signal);
  try {
    const isVoice = (await parts.hands?.isFor(wanted)) === true;
    const turn = await offers.forTurn({
      on,
      history: [],
      wishes,
      unlisted: new Set(findRefusedPersonas(toAgentChain(persona), on, personas.personaOf)),
    });
    const answering = { spec: () => host.spec, isSmall: () => smallModel?.appliesTo(host.spec) === true };
    const reading = createTurnPipeline(host, {
      toolList: turn.stage,
      persona: persona && createPersonaStage(persona.content, answering),
      readAhead: {
        name: 'read-ahead',
        transformRequest: (request) => ({ ...request, onlyRead: true, day: toDay(parts.date()) }),
      },
      fallback: fallbacks.forTurn(model).stage,
    });
    const request = {
      messages: [],
      tools: turn.tools.map(specOf),
      toolChoice: 'auto' as const,
      ...(isVoice && { listed: [] }),
    };
    for await (const event of reading.respond(request, signal)) if (event.type === 'finish') break;
  } finally {
    release();
  }
}

/** Drops replies at the end that failed before their first word, so the question is asked again. */
function dropFailedReplies(branch: readonly Message[]): readonly Message[] {
  const last = branch.findLastIndex((message) => message.role !== 'assistant' || message.content.length > 0);
  return branch.slice(0, last + 1);
}

/** Stores the full text of a long tool result. On failure, the turn continues, and the tool's card shows that text is lost. */
async function storeWholeText(text: string, chatId: string, { results, date, newId }: TurnDependencies) {
  const id = newId();
  const lost = await results.keep({ id, chatId, createdAt: date(), text }).catch(() => 'full' as const);
  return lost ? { lost } : { id };
}

/** Creates the stage in which the small model calls the tools of one chat or sub-agent. */
type OpenHands = (
  used: Pick<HandsStageOptions, 'on' | 'history' | 'unlisted' | 'hasPersona'>,
) => ReturnType<typeof createHandsStage>;

/** True if the persona says how to speak. A sentence of the page alone would not be its answer. */
function hasVoiceOfItsOwn(persona: PersonaContent | undefined): boolean {
  return persona !== undefined && (persona.instructions.trim() !== '' || persona.language !== null);
}

interface AgentTurnContext extends Pick<SubAgentOptions, 'historyOf' | 'replayOf' | 'counts'> {
  persona: Persona | undefined;
  /** The tools that are on in the chat, including those that its persona may not use. */
  tools: readonly Tool[];
  openConversation: () => ChatModel;
  openHands: OpenHands | undefined;
  spec: () => ModelSpec;
  toolSearch: ToolPreferences['toolSearch'];
  rules: readonly Interceptor[];
  run: Omit<RunOptions, 'model' | 'tools' | 'promptOrigins' | 'signal' | 'within'>;
}

function createAgentTurns(parts: TurnDependencies, turn: AgentTurnContext): Interceptor {
  const { smallModel, beside, offers, questions, checkJson } = parts;
  const { persona, tools, openConversation, openHands, spec, toolSearch, rules, run, ...line } = turn;
  const { personaOf } = parts.personas;
  const personas = new Map<string, Persona>();
  return createSubAgentInterceptor(
    {
      ...line,
      checkJson,
      agentOf(tool) {
        const found = personaOf(tool);
        if (!found) return undefined;
        personas.set(found.id, found);
        return toSubAgent(found, spec().id, beside.isThere);
      },
      async begin({ id, answeredBy }, history, place, inner) {
        const content = personas.get(id)?.content;
        const itself = answeredBy && (await beside.open(answeredBy));
        const model = itself?.model ?? openConversation();
        const answering = itself ? () => itself.spec : spec;
        const isSmall = () => smallModel?.appliesTo(answering()) === true;
        const speaking = { spec: answering, isSmall, isAsked: true };
        const on = filterAllowedTools(content, tools);
        const unlisted = findRefusedPersonas(place, tools, personaOf);
        const wishes = { toolSearch };
        const { stage: toolList, tools: offered } = await offers.forTurn({ on, history, wishes, unlisted });
        const hands = itself
          ? undefined
          : await openHands?.({
              on,
              history,
              unlisted,
              hasPersona: hasVoiceOfItsOwn(content),
            });
        return {
          ...run,
          model: createTurnPipeline(model, {
            smallModel: smallModel?.agentStage({ answering: spec, tools: offered, questions }),
            hands,
            toolList,
            persona: content && createPersonaStage(content, speaking),
          }),
          isVoice: hands !== undefined,
          constrainedModel: createTurnPipeline(model, {
            persona: content && createPersonaStage(content, { ...speaking, isConstrained: true }),
          }),
          // A model on a server has no fallback. The calling model receives the failure as a tool result and continues.
          recover: itself ? () => Promise.resolve(undefined) : run.recover,
          promptOrigins: promptOriginsOf(personas.get(id), offered),
          tools: { tools: offered, interceptors: [...rules, inner] },
        };
      },
    },
    toAgentChain(persona),
  );
}

function toAgentChain(persona: Persona | undefined): AgentChain {
  return { ids: persona ? [persona.id] : [], depth: 0 };
}

/** Returns the names of personas that must not be called: those already running, or all of them at the maximum depth. */
export function findRefusedPersonas(
  { ids, depth }: AgentChain,
  tools: readonly Tool[],
  personaOf: PersonaAccess['personaOf'],
): ReadonlySet<string> {
  const refused = tools.filter((tool) => {
    const persona = personaOf(tool);
    return persona && (depth >= maxAgentDepth || ids.includes(persona.id));
  });
  return new Set(refused.map(({ name }) => name));
}

/** Returns the local day of a time, as in a message's `day`. */
export function toDay(time: number): string {
  const date = new Date(time);
  const numbers = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const day = numbers.map((number) => String(number).padStart(2, '0')).join('-');
  return `${day} ${date.toLocaleDateString('en', { weekday: 'long' })}`;
}

const maxIdleWaitMs = 2000;

/** `read` makes the model read the next prompt in advance. It must stop when its signal aborts, and may reject. */
export function createReadAhead(read: (signal: AbortSignal) => Promise<void>) {
  let current = new AbortController();
  const stop = () => current.abort();
  return {
    stop,
    /** Reads the beginning of the next prompt once the page is idle. Stops an earlier read. Never rejects. */
    async begin() {
      stop();
      current = new AbortController();
      const { signal } = current;
      await whenIdle(maxIdleWaitMs);
      // Ignore a failure: the next turn reads the text itself and reports the error.
      if (!signal.aborted) await read(signal).catch(() => undefined);
    },
  };
}

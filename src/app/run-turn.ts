/**
 * Runs one turn of a chat: passes the chosen model, its tools and its sub-agents to the agent loop, and does what the page does before or
 * instead of the model.
 */
import { createSpeakers, type Speakers } from '../agent/speak-as';
import { createReplay } from '../agent/replay';
import { runAgent, type RunOptions } from '../agent/run-agent';
import {
  type SubAgentParts,
  type AgentLine,
  createSubAgentInterceptor,
  maxNested,
} from '../agent/sub-agents';
import { openAccount } from '../agent/turn-guard';
import { requestIn } from '../agent/offer-tools';
import { type AgentEvent, defaultLimits, type TurnReplay, type Interceptor } from '../contracts/turn';
import type { Message, BranchSummary } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { PageLanguage, ReadingQuestions, SmallModelPolicy } from '../contracts/small-model-policy';
import type { ResultStore } from '../contracts/store';
import { specOf, type Tool } from '../contracts/tool';
import type { Fallbacks, Wanted } from '../engines/host/fallbacks';
import type { ModelHost } from '../engines/host/model-host';
import { engineOf } from '../engines/registry';
import {
  callsForAttached,
  createResourceReader,
  type ReadAttached,
  readResourceName,
  searchBeforeModel,
} from '../tools/page-calls';
import type { FindParts } from '../text/relevant-part';
import { type TurnRules, allowedTo, type PersonaRuntime, subAgentOf } from './turn-tools';
import type { BesideModels, LoadTimes } from './model-access';
import type { ToolOffers, ToolWishes } from './tool-offers';
import {
  chatPipeline,
  readAheadPipeline,
  agentPipeline,
  constrainedAgentPipeline,
  type SharedStages,
  sharedPipeline,
} from './turn-stages';
import { type ShowPictures, withFileTools } from './turn-files';
import type { Persona } from '../contracts/persona';
import type { ModelStage } from '../contracts/pipeline';
import { whenIdle } from '../platform/page-events';

export interface TurnParts {
  host: Pick<ModelHost, 'hold' | 'spec' | 'respond' | 'measure'>;
  fallbacks: Pick<Fallbacks, 'specFor' | 'untold' | 'forTurn'>;
  /** Lists the tools that may be offered to a model. A chat can switch some of them off. */
  toolsFor: (spec: ModelSpec) => Promise<readonly Tool[]>;
  offers: ToolOffers;
  personas: Pick<PersonaRuntime, 'find' | 'personaOf'>;
  beside: BesideModels;
  checkJson: SubAgentParts['checkJson'];
  rulesFor: (chatId: string) => TurnRules;
  /** The special treatment of a small model. Undefined in a build without one. */
  smallModel: SmallModelPolicy | undefined;
  questions: ReadingQuestions;
  /** Whether the page should search first when a question obviously needs the web. False without a search provider. */
  isSearchingFirst: () => boolean;
  language: () => PageLanguage;
  results: Pick<ResultStore, 'keep'>;
  findParts: FindParts;
  readAttached: ReadAttached;
  fileTools: (history: readonly Message[]) => Promise<readonly Tool[]>;
  showing: ShowPictures;
  loads: Pick<LoadTimes, 'follow'>;
  date: () => number;
  newId: () => string;
}

export interface TurnOptions extends ToolWishes {
  chatId: string;
  /** Summaries from earlier turns, each of a beginning of the branch, oldest first. */
  summaries?: readonly BranchSummary[];
  persona?: string | undefined;
  agentHistory: (callId: string) => readonly Message[] | undefined;
  model: Wanted;
  /** Set in a replay: `branch` then ends with the messages that the replay keeps. */
  replay?: TurnReplay | undefined;
  rounds: number;
  /** Whether the user has cancelled the model's load after asking. The turn must not start another load. */
  isCancelled: () => boolean;
  signal: AbortSignal;
  isSteered?: RunOptions['isSteered'];
}

/** Returns the messages added to `branch`. */
export async function* runTurn(
  branch: readonly Message[],
  {
    chatId,
    persona: personaId,
    summaries = [],
    agentHistory,
    model,
    rounds,
    isCancelled,
    signal,
    isSteered,
    replay,
    ...wishes
  }: TurnOptions,
  parts: TurnParts,
): AsyncGenerator<AgentEvent, Message[]> {
  const { host, fallbacks, offers, personas, smallModel, newId } = parts;
  const isSmall = (spec: ModelSpec) => smallModel?.appliesTo(spec) === true;
  const all = withoutEmptyEnd(branch);
  const history = all.slice(0, all.length - (replay?.taken ?? 0));
  const taken = all.slice(history.length);
  const isBegun = taken.length > 0;
  const wanted = await fallbacks.specFor(model);
  const persona = await personas.find(personaId);
  const tools = await parts.toolsFor(wanted);
  const offered = allowedTo(persona?.content, tools);
  const isOn = ({ name }: Tool) => !wishes.toolsOff.includes(name);
  const fileTools = await parts.fileTools(history);
  const isWantedSmall = isSmall(wanted);
  const on = isWantedSmall ? offered.filter(isOn) : withFileTools(offered.filter(isOn), fileTools);
  const step = fallbacks.untold(model.id);
  if (step) yield { type: 'recovery', step };

  if (offers.takeFailure()) yield { type: 'notice', code: 'words-only' };

  const files = callsForAttached(history, newId);
  const attached = isBegun ? undefined : files;
  const speaking = { modelName: wanted.name, tools: on, language: parts.language() };
  const decision =
    isWantedSmall && !files
      ? await smallModel?.before({
          ...speaking,
          history,
          nearTools: () => offers.near(requestIn(history), on),
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

  const canSearch =
    !plain && !files && !isBegun && parts.isSearchingFirst() && on.some(({ name }) => name === 'web_search');
  const search = canSearch ? searchBeforeModel(history, newId) : undefined;
  if (search) {
    yield { type: 'message-end', message: search, by: 'page' };
    yield { type: 'notice', code: 'searched-first' };
  }
  if (attached) yield { type: 'message-end', message: attached, by: 'page' };
  const before = [search ?? attached].filter((message) => message !== undefined);
  let release = () => {};
  try {
    // If the user stops during this wait, `runAgent` below returns at once.
    release = await host.hold(wanted, signal).catch(() => release);
    const spec = () => host.spec;
    const { stage: fallback, recover } = fallbacks.forTurn(model);
    const shared = { host, isCancelled, pictures: parts.showing(spec), fallback };
    const speakers = createSpeakers();
    const account = openAccount();
    const guide = replay && createReplay(replay, account);
    const turn = await offers.forTurn({
      on,
      history,
      wishes: replay ? { ...wishes, toolOffer: replay.toolOffer } : wishes,
      needed: plain?.map(({ name }) => name),
      unlisted: new Set([
        readResourceName,
        ...(isWantedSmall ? fileTools.map(({ name }) => name) : []),
        ...refusedIn(agentLineOf(persona), on, personas.personaOf),
      ]),
    });
    const rules = parts.rulesFor(chatId);
    const around = guide ? [guide.recordedAnswers, ...rules.around] : rules.around;
    const readers = [
      createResourceReader(history, parts.readAttached) ?? [],
      isWantedSmall ? fileTools : [],
    ].flat();
    const run = sharedRunOptions(chatId, rounds, parts);
    const agents = createAgentTurns({
      ...parts,
      persona,
      tools: tools.filter(isOn),
      shared,
      recover,
      speakers,
      account,
      spec,
      wishes,
      rules: around,
      run,
      historyOf: agentHistory,
      replayOf: (callId) => guide?.progressOfAgent(callId),
      isSmall,
      smallModel: (ofAgent) =>
        smallModel?.agentStage({ answering: spec, tools: ofAgent, questions: parts.questions }),
    });
    const added = yield* runAgent([...history, ...before, ...taken], {
      ...run,
      model: chatPipeline({
        ...shared,
        toolList: turn.stage,
        voice: persona?.content,
        persona: { spec, isSmall: () => isSmall(spec()) },
        speakers,
        compaction: {
          spec,
          isSmall: () => isSmall(spec()),
          before: summaries,
          newNonce: run.newNonce,
        },
        smallModel: smallModel?.stage(
          {
            ...speaking,
            chatId,
            answering: spec,
            hasToolsOff: on.length < offered.length,
            questions: parts.questions,
            permissions: rules,
            newId,
          },
          plain,
        ),
      }),
      recover,
      tools: {
        tools: [...turn.tools, ...readers],
        interceptors: [...around, agents],
      },
      signal,
      isSteered,
      within: { account },
      replay: guide && { guide, taken: taken.length },
    });
    return [...before, ...added];
  } finally {
    release();
  }
}

export type ReadAheadOptions = Pick<TurnOptions, 'persona' | 'model' | 'signal'> & ToolWishes;

/**
 * Lets the model read in advance what the prompt of the chat's next question begins with. The text is built by the same steps as in a turn,
 * so it is identical. The model writes nothing and no tool runs. Rejects if the model cannot be loaded, or with the signal's reason.
 */
export async function readAhead(
  { persona: personaId, model, signal, ...wishes }: ReadAheadOptions,
  parts: TurnParts,
): Promise<void> {
  const { host, fallbacks, offers, personas, smallModel } = parts;
  const wanted = await fallbacks.specFor(model);
  if (!engineOf(wanted)?.readsAhead) return;
  const persona = await personas.find(personaId);
  const offered = allowedTo(persona?.content, await parts.toolsFor(wanted));
  const on = offered.filter(({ name }) => !wishes.toolsOff.includes(name));
  const release = await host.hold(wanted, signal);
  try {
    const turn = await offers.forTurn({
      on,
      history: [],
      wishes,
      unlisted: new Set([readResourceName, ...refusedIn(agentLineOf(persona), on, personas.personaOf)]),
    });
    const reading = readAheadPipeline({
      host,
      toolList: turn.stage,
      voice: persona?.content,
      persona: { spec: () => host.spec, isSmall: () => smallModel?.appliesTo(host.spec) === true },
      fallback: fallbacks.forTurn(model).stage,
    });
    const request = { messages: [], tools: turn.tools.map(specOf), toolChoice: 'auto' as const };
    for await (const event of reading.respond(request, signal)) if (event.type === 'finish') break;
  } finally {
    release();
  }
}

/** Drops replies at the end that failed before their first word, so that the question is asked again. */
function withoutEmptyEnd(branch: readonly Message[]): readonly Message[] {
  const last = branch.findLastIndex((message) => message.role !== 'assistant' || message.content.length > 0);
  return branch.slice(0, last + 1);
}

function sharedRunOptions(
  chatId: string,
  rounds: number,
  {
    results,
    findParts,
    loads,
    date,
    newId,
  }: Pick<TurnParts, 'results' | 'findParts' | 'loads' | 'date' | 'newId'>,
): Pick<RunOptions, 'limits' | 'date' | 'newNonce' | 'findParts' | 'keepWhole' | 'takeLoad'> {
  return {
    limits: { ...defaultLimits, rounds },
    date,
    newNonce: () => newId().slice(0, 8),
    findParts,
    takeLoad: loads.follow(),
    async keepWhole(text) {
      const id = newId();
      // If the disk is full or missing, the turn continues, and the card shows that the rest is lost.
      const lost = await results.keep({ id, chatId, createdAt: date(), text }).catch(() => 'full' as const);
      return lost ? { lost } : { id };
    },
  };
}

interface AgentTurnsParts
  extends
    Pick<SubAgentParts, 'historyOf' | 'replayOf' | 'account'>,
    Pick<TurnParts, 'beside' | 'checkJson' | 'offers' | 'personas'> {
  persona: Persona | undefined;
  /** The tools that are on in the chat, including those that its persona may not use. */
  tools: readonly Tool[];
  shared: SharedStages;
  recover: RunOptions['recover'];
  speakers: Speakers;
  spec: () => ModelSpec;
  wishes: Pick<ToolWishes, 'toolSearch'>;
  isSmall: (spec: ModelSpec) => boolean;
  /** Creates the small model's stage for a sub-agent with these tools. Undefined in a build without a small model. */
  smallModel: (tools: readonly Tool[]) => ModelStage | undefined;
  /** All interceptors of the turn except the one for sub-agents. */
  rules: readonly Interceptor[];
  run: Omit<RunOptions, 'model' | 'recover' | 'tools' | 'signal' | 'within'>;
}

function createAgentTurns(parts: AgentTurnsParts): Interceptor {
  const { persona, tools, shared, recover, speakers, spec, offers, wishes, rules, run } = parts;
  const { isSmall, smallModel, beside } = parts;
  const { personaOf } = parts.personas;
  const personas = new Map<string, Persona>();
  return createSubAgentInterceptor(
    {
      ...parts,
      agentOf(tool) {
        const found = personaOf(tool);
        if (!found) return undefined;
        personas.set(found.id, found);
        return subAgentOf(found, spec().id, beside.isThere);
      },
      async begin({ id, answeredBy }, history, line, inner) {
        const content = personas.get(id)?.content;
        const itself = answeredBy && (await beside.open(answeredBy));
        const model = itself?.model ?? sharedPipeline(shared, speakers);
        const answering = itself ? () => itself.spec : spec;
        const speaking = { spec: answering, isSmall: () => isSmall(answering()), isAsked: true };
        const { stage: toolList, tools: offered } = await offers.forTurn({
          on: allowedTo(content, tools),
          history,
          wishes: { ...wishes, toolOffer: undefined },
          unlisted: refusedIn(line, tools, personaOf),
        });
        return {
          ...run,
          model: agentPipeline({
            model,
            toolList,
            voice: content,
            persona: speaking,
            smallModel: smallModel(offered),
          }),
          heldModel: constrainedAgentPipeline({ model, voice: content, persona: speaking }),
          // A model on a server has no fallback: the caller reads the failure and continues.
          recover: itself ? () => Promise.resolve(undefined) : recover,
          tools: { tools: offered, interceptors: [...rules, inner] },
        };
      },
    },
    agentLineOf(persona),
  );
}

function agentLineOf(persona: Persona | undefined): AgentLine {
  return { ids: persona ? [persona.id] : [], depth: 0 };
}

/** Names of personas that may not be called: those that are running, or all of them at the maximum depth. */
export function refusedIn(
  { ids, depth }: AgentLine,
  tools: readonly Tool[],
  personaOf: PersonaRuntime['personaOf'],
): ReadonlySet<string> {
  const refused = tools.filter((tool) => {
    const persona = personaOf(tool);
    return persona && (depth >= maxNested || ids.includes(persona.id));
  });
  return new Set(refused.map(({ name }) => name));
}

/** Maximum milliseconds to wait for the page to become idle. */
const idleMs = 2000;

/** `read` must stop when its signal aborts. It may reject. */
export function createReadAhead({ read }: { read: (signal: AbortSignal) => Promise<void> }) {
  let current = new AbortController();
  const stop = () => current.abort();
  return {
    stop,
    /** Once the page is idle, reads the beginning of the next prompt. Stops an earlier read. Never rejects. */
    async begin() {
      stop();
      current = new AbortController();
      const { signal } = current;
      await whenIdle(idleMs);
      // Ignore a failure: the next question reads the text itself, and reports the error.
      if (!signal.aborted) await read(signal).catch(() => undefined);
    },
  };
}

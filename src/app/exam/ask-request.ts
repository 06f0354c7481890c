/** Asks one request of the exam as a chat would, including the replies that the page writes for a very small model, but with canned tools. */
import { AppError, writeError } from '../../contracts/app-error';
import type { ExamAnswer } from '../../contracts/exam';
import type { AgentEvent } from '../../contracts/turn';
import type { Message } from '../../contracts/message';
import type { Usage } from '../../contracts/model';
import { textOf } from '../../contracts/message-parts';
import type { Wanted } from '../../engines/host/fallbacks';
import type { Calculate } from '../../tools/builtin/calculator';
import { runTurn, type TurnParts } from '../run-turn';
import { createToolOffers } from '../tool-offers';
import type { ExamRequest } from './exam-request';
import { type ExamReply, judge, rightReading } from './judge';
import { toolsOf } from './world';

export interface AskParts {
  /** The parts of a normal chat turn. */
  turn: TurnParts;
  calculate: Calculate;
}

/** Maximum requests to the model for one exam request: a chain of calls takes three. */
const rounds = 5;

/** Never rejects: a missing answer counts as a mistake. */
export async function askRequest(
  request: ExamRequest,
  { model, signal }: { model: Wanted; signal: AbortSignal },
  parts: AskParts,
): Promise<ExamAnswer> {
  let isAsked = false;
  const events: AgentEvent[] = [];
  let fault: string | undefined;
  try {
    const turnParts = examParts(request, model, parts, () => (isAsked = true));
    const question: Message = { role: 'user', content: [{ type: 'text', text: request.text }] };
    const turn = runTurn([question], { ...turnOptions, model, signal }, turnParts);
    for await (const event of turn) events.push(event);
  } catch (error) {
    fault = writeError(error);
  }
  const reply = replyOf(events);
  const mistake = judge(request, { ...reply, error: fault ?? reply.error });
  const { id, kind, language } = request;
  return { id, kind, language, isAsked, ...(mistake && { mistake }), ...costOf(events) };
}

const turnOptions = {
  ...{ chatId: 'exam', persona: undefined, agentHistory: () => undefined, rounds },
  ...{ toolsOff: [], toolSearch: undefined, toolOffer: undefined, isCancelled: () => false },
};

/** The parts of a chat turn, without those that reach the user, the disk, the network or another model. */
function examParts(
  request: ExamRequest,
  model: Wanted,
  { turn, calculate }: AskParts,
  onAsked: () => void,
): TurnParts {
  const tools = toolsOf(request, calculate);
  const appOwn = tools.slice(0, tools.length - (request.tools ?? []).length);
  return {
    ...turn,
    fallbacks: {
      async specFor(wanted) {
        const spec = await turn.fallbacks.specFor(wanted);
        if (spec.id === wanted.id) return spec;
        throw new AppError('model-not-downloaded', `${wanted.id} is not here.`);
      },
      untold: () => undefined,
      // A fallback model would take the exam in its place.
      forTurn: () => ({ ...turn.fallbacks.forTurn(model), recover: () => Promise.resolve(undefined) }),
    },
    toolsFor: () => Promise.resolve(tools),
    offers: createToolOffers({
      readTools: () => Promise.resolve(tools),
      kept: { load: () => Promise.resolve(undefined), save: () => Promise.resolve() },
      loadResult: () => Promise.resolve(undefined),
      settings: () => ({ pins: {}, meaningModel: null }),
      openEmbedder: () => {
        throw new Error('Nothing is found by meaning in the exam.');
      },
      pinnedAtFirst: new Set(appOwn.map(({ name }) => name)),
      spec: () => turn.host.spec,
      isSmall: () => turn.smallModel?.appliesTo(turn.host.spec) === true,
    }),
    personas: { find: () => Promise.resolve(undefined), personaOf: () => undefined },
    rulesFor: () => ({
      around: [],
      preview: () => Promise.resolve(undefined),
      answerAhead: () => undefined,
    }),
    questions: {
      isAsking: turn.questions.isAsking,
      choose(choice) {
        onAsked();
        return Promise.resolve(rightReading(request, choice.readings));
      },
      chooseAndAllow: () => Promise.resolve('none'),
    },
    isSearchingFirst: () => false,
    language: () => request.language,
    results: { keep: () => Promise.resolve('full') },
  };
}

function replyOf(events: readonly AgentEvent[]): ExamReply {
  const messages = events.flatMap((event) => (event.type === 'message-end' ? [event.message] : []));
  const written = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []));
  const made = written.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  // A call that the second chance corrected is no mistake for the user.
  const unread = written.flatMap((part) =>
    part.type === 'invalid-tool-call' ? [{ name: part.name ?? '?', arguments: part.arguments ?? {} }] : [],
  );
  const calls = made.map(({ name, arguments: input }) => ({ name, arguments: input }));
  const last = messages.at(-1);
  const error = last?.role === 'assistant' ? last.errorMessage : undefined;
  return {
    calls: calls.length > 0 ? calls : unread,
    results: messages.flatMap((message) =>
      message.role === 'tool' ? message.results.map(({ content }) => textOf(content)) : [],
    ),
    text: last?.role === 'assistant' ? textOf(last.content) : '',
    error,
  };
}

function costOf(
  events: readonly AgentEvent[],
): Pick<ExamAnswer, 'outputTokens' | 'decodeMs' | 'firstTokenMs'> {
  const usages = events.flatMap((event) =>
    event.type === 'message-end' && event.usage ? [event.usage] : [],
  );
  // Dictated text is read like a prompt, not generated.
  const own = usages.filter(({ heldTo, decodeMs }) => heldTo !== 'dictated' && decodeMs !== undefined);
  const add = (value: (usage: Usage) => number) => own.reduce((sum, usage) => sum + value(usage), 0);
  const firstTokenMs = usages[0]?.firstTokenMs;
  return {
    // The time starts with the first token.
    outputTokens: add(({ outputTokens }) => Math.max(0, outputTokens - 1)),
    decodeMs: add(({ decodeMs = 0 }) => decodeMs),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
  };
}

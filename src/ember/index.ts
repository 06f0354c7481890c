/** The small-model policy for Ember. Only `src/app/small-model.ts` may import from this folder. */
import type { ModelSpec } from '../contracts/model';
import type {
  CreateSmallModelPolicy,
  PageDecision,
  PageLanguage,
  SmallModelAgentTurn,
  SmallModelPolicyOptions,
  SmallModelQuestion,
  SmallModelTurn,
} from '../contracts/small-model-policy';
import {
  replyWithQuestion,
  languageOfHistory,
  replyWithoutCall,
  replyToCrisis,
  replyToGreeting,
  replyToPicture,
  replyToSmallTalk,
  toPageMessage,
} from './page-replies';
import { createHandsStage } from './hands-stage';
import { createPageStage } from './page-stage';
import { readPlainCalls, isPlaceMissing, wouldSucceed, runPureCall } from './plain-calls';
import { answerFromResults } from './tell-results';
import { createDoubtStage, type UncertainCallOptions, type RequestReading } from './uncertain-calls';
import { resolveCall } from '../agent/run-tool-call';
import type { CallStep } from '../contracts/turn';
import type { Message, ToolCall, CertaintyThresholds } from '../contracts/message';
import type { ApprovalRequest, ReadingQuestion } from '../contracts/permission';
import { reachesOutside, type Tool } from '../contracts/tool';
import thresholds from './thresholds.json';

export const createPolicy: CreateSmallModelPolicy = ({ loadPlaces }) => ({
  appliesTo: isSmallModel,

  async prepare() {
    await loadPlaces();
  },

  before: (question) => decide(question, loadPlaces),

  stage(turn, calls) {
    const { answering, tools, language, hasToolsOff, newId, nearTools } = turn;
    /** As if the current model had been chosen, because a fallback may have taken over. */
    const voice = () => ({ language, modelName: answering().name, tools: toolsForSmallModel(tools) });
    return createPageStage({
      isSmall: () => isSmallModel(answering()),
      calls,
      ...(nearTools && {
        decide: (history, signal) =>
          decide(
            {
              ...voice(),
              history,
              nearTools: async () => toolsForSmallModel(await nearTools()),
              mayReply: true,
              signal,
            },
            loadPlaces,
          ),
      }),
      reply: (history, said) => replyWithoutCall(history, voice(), said),
      answer: (history) => tellResults(history, language),
      fails: async (call, signal) => !(await wouldSucceed(call, tools, signal)),
      hasToolsOff,
      doubt: createUncertainCallOptions(turn),
      newId,
      rephrase: (history) => replyWithQuestion(history, voice(), 'rephrase'),
    });
  },

  handsStage(turn) {
    const { language, tools, handsSpec } = turn;
    const trial = createTrialOptions({ ...turn, answering: () => handsSpec });
    return createHandsStage({
      ...turn,
      tools: new Set(tools.map(({ name }) => name)),
      doubt: {
        ...trial,
        thresholds: () => certaintyThresholdsOf(handsSpec.id),
      },
      tell: (history) => tellResults(history, language),
      handsId: handsSpec.id,
      comfort: (history) => replyToCrisis(history, turn),
      greet: (history) => (turn.canTalk || turn.hasPersona ? undefined : replyToGreeting(history, turn)),
    });
  },

  agentStage: (turn) => createDoubtStage(createAgentUncertainCallOptions(turn)),
  tellResults,
});

/** Decides whether the page replies or dictates calls. Undefined: the model decides. */
async function decide(
  { history, nearTools, mayReply, signal, ...voice }: SmallModelQuestion,
  loadPlaces: SmallModelPolicyOptions['loadPlaces'],
): Promise<PageDecision | undefined> {
  const picture = mayReply ? replyToPicture(history, voice) : undefined;
  if (picture) return { reply: toPageMessage(picture) };
  const calls = await readPlainCalls(history, await nearTools(), signal, loadPlaces);
  if (calls) return { calls };
  if (!mayReply) return undefined;
  const talk = (await isPlaceMissing(history, voice.tools, loadPlaces))
    ? replyWithQuestion(history, voice, 'whichPlace')
    : replyToSmallTalk(history, voice);
  return talk && { reply: toPageMessage(talk) };
}

function toolsForSmallModel(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ isForLargerModels }) => !isForLargerModels);
}

function tellResults(history: readonly Message[], language: PageLanguage): string | undefined {
  return answerFromResults(history, languageOfHistory(history) ?? language);
}

function isSmallModel(spec: ModelSpec): boolean {
  return spec.isSmall === true;
}

/** The log probabilities above which a model is sure of its calls. `npm run thresholds:ember` measures them. */
export function certaintyThresholdsOf(modelId: string): CertaintyThresholds | undefined {
  return modelId === 'ember' ? thresholds : undefined;
}

/** Timeout in milliseconds for trying one call before we offer it to the user. */
const maxTrialMs = 3_000;

export function createUncertainCallOptions(
  turn: Pick<
    SmallModelTurn,
    'chatId' | 'tools' | 'answering' | 'questions' | 'permissions' | 'promptOrigins'
  >,
): UncertainCallOptions {
  const { chatId, tools, questions, permissions, promptOrigins } = turn;
  /**
   * Creates the question which possible meaning (reading) of the request is right, for the permission dialog. Undefined if the likeliest
   * one needs no permission, or if one is not a single runnable call: the chat then asks the question instead.
   */
  async function questionAbout(
    readings: readonly RequestReading[],
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<ReadingQuestion | undefined> {
    const choices = await Promise.all(
      readings.map(async ({ calls: [call, ...more] }): Promise<ApprovalRequest | undefined> => {
        const resolved = call && more.length === 0 ? resolveCall(call, { tools }) : undefined;
        if (resolved?.type !== 'runnable') return undefined;
        const { tool, effects } = resolved;
        const step: CallStep = { tool, effects, messages, promptOrigins, signal, emit: () => undefined };
        return (
          (await permissions.preview(resolved.call, step)) ??
          toPermissionQuestion(resolved.call, tool, chatId)
        );
      }),
    );
    const known = choices.filter((choice) => choice !== undefined);
    if (known.length < choices.length || (known[0]?.reason ?? 'unasked') === 'unasked') return undefined;
    return { chatId, readings: known };
  }

  return {
    ...createTrialOptions(turn),
    by: 'person',
    async choose(readings, history, signal) {
      const question = await questionAbout(readings, history, signal);
      if (!question) {
        const shown = readings.map(({ calls, results }) => ({ calls, results }));
        return questions.choose({ chatId, readings: shown }, signal);
      }
      const answer = await questions.chooseAndAllow(question, signal);
      const request = answer === 'none' ? undefined : question.readings[answer.reading];
      if (answer === 'none' || !request) return undefined;
      if (request.reason !== 'unasked') permissions.answerAhead(request, answer.answer);
      else if (answer.answer === 'deny') return undefined;
      return answer.reading;
    },
  };
}

/** Converts a call that needs no permission, so the permission dialog can list it next to calls that need one. */
function toPermissionQuestion(call: ToolCall, { title }: Tool, chatId: string): ApprovalRequest {
  const nothing = { targets: [], origins: [], offers: [], isLastChance: false };
  return { id: call.id, chatId, call, toolTitle: title, reason: 'unasked', ...nothing };
}

export function createAgentUncertainCallOptions(turn: SmallModelAgentTurn): UncertainCallOptions {
  return { ...createTrialOptions(turn), by: 'page', choose: () => Promise.resolve(0) };
}

function createTrialOptions({ answering, tools, questions }: SmallModelAgentTurn) {
  return {
    thresholds: () => (questions.isAsking() ? certaintyThresholdsOf(answering().id) : undefined),
    tryOut: (call: ToolCall, signal: AbortSignal) =>
      runPureCall(call, tools, AbortSignal.any([signal, AbortSignal.timeout(maxTrialMs)])),
    staysHere(call: ToolCall) {
      const resolved = resolveCall(call, { tools });
      return resolved.type === 'runnable' && !reachesOutside(resolved.effects);
    },
  };
}

/**
 * Chooses among the readings of a request that the small model is unsure about. In a chat the user chooses; in a sub-agent the most common
 * reading wins.
 */
import { resolveCall } from '../agent/resolve-call';
import type { CallStep } from '../contracts/turn';
import type { Message, ToolCall, Thresholds } from '../contracts/message';
import type { ApprovalRequest, ReadingQuestion } from '../contracts/permission';
import type { SmallModelAgentTurn, SmallModelTurn } from '../contracts/small-model-policy';
import { reachesOutside, type Tool } from '../contracts/tool';
import { outcomeOf } from './plain-calls';
import thresholds from './thresholds.json';
import type { DoubtOptions, Reading } from './uncertain-calls';

/** Made by `npm run thresholds:ember`, from requests that the model was not trained on. */
const measured: Readonly<Record<string, Thresholds>> = { ember: thresholds };

/** The log probability above which a model counts as sure of a call. Undefined for a model that was not measured. */
export function thresholdsOf(modelId: string): Thresholds | undefined {
  return measured[modelId];
}

/** Milliseconds in total for trying calls before the user sees their results. */
const trialMs = 3_000;

export function askUser(
  turn: Pick<SmallModelTurn, 'chatId' | 'tools' | 'answering' | 'questions' | 'permissions'>,
): DoubtOptions {
  const { chatId, tools, questions, permissions } = turn;
  /** Undefined if the most common reading needs no permission: then the choice is shown in the reply. */
  async function questionAbout(
    readings: readonly Reading[],
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<ReadingQuestion | undefined> {
    const choices = await Promise.all(
      readings.map(async ({ calls: [call, ...more] }): Promise<ApprovalRequest | undefined> => {
        const resolved = call && more.length === 0 ? resolveCall(call, tools) : undefined;
        if (resolved?.type !== 'runnable') return undefined;
        const { tool, effects } = resolved;
        const step: CallStep = { tool, effects, messages, signal, emit: () => undefined };
        return (await permissions.preview(resolved.call, step)) ?? unasked(resolved.call, tool, chatId);
      }),
    );
    const known = choices.filter((choice) => choice !== undefined);
    if (known.length < choices.length || (known[0]?.reason ?? 'unasked') === 'unasked') return undefined;
    return { chatId, readings: known };
  }

  return {
    ...trying(turn),
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

/** Presents a call that needs no permission as a question, so that it can be listed with those that do. */
function unasked(call: ToolCall, { title }: Tool, chatId: string): ApprovalRequest {
  const nothing = { targets: [], sources: [], offers: [], isLastChance: false };
  return { id: call.id, chatId, call, toolTitle: title, reason: 'unasked', ...nothing };
}

export function takeCommonest(turn: SmallModelAgentTurn): DoubtOptions {
  return { ...trying(turn), by: 'page', choose: () => Promise.resolve(0) };
}

function trying({
  answering,
  tools,
  questions,
}: SmallModelAgentTurn): Pick<DoubtOptions, 'thresholds' | 'tryOut' | 'staysHere'> {
  return {
    thresholds: () => (questions.isAsking() ? thresholdsOf(answering().id) : undefined),
    tryOut: (call, signal) => outcomeOf(call, tools, AbortSignal.any([signal, AbortSignal.timeout(trialMs)])),
    staysHere(call) {
      const resolved = resolveCall(call, tools);
      return resolved.type === 'runnable' && !reachesOutside(resolved.effects);
    },
  };
}

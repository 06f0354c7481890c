/** A part of the composition root: what is done in a turn where a very small model is not sure which call is meant. */
import { resolveCall } from '../agent/resolve-call';
import type { Reading } from './gather-readings';
import type { DoubtOptions } from './settle-doubt';
import type { CallStep } from '../contracts/interceptor';
import type { Message, ToolCall } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';
import type { ApprovalRequest, ReadingAnswer, ReadingQuestion } from '../contracts/permission';
import { reachesOutside, type Tool } from '../contracts/tool';
import { thresholdsOf } from './thresholds';
import type { Choice } from '../state/choices.svelte';
import { outcomeOf } from './calls-plainly';
import type { TurnRules } from '../app/call-rules';

export interface DoubtParts {
  /** The person wants to be asked. */
  isAsking: () => boolean;
  /** Shows readings in the reply. Resolves to the place of the one that was chosen; undefined: none. Rejects when `signal` aborts. */
  choose: (choice: Choice, signal: AbortSignal) => Promise<number | undefined>;
  /** As `choose`, together with the question whether it may run. */
  chooseAndAllow: (question: ReadingQuestion, signal: AbortSignal) => Promise<ReadingAnswer>;
}

interface TurnOfDoubt {
  chatId: string;
  /** Those that are on. */
  tools: readonly Tool[];
  /** What answers at this moment. */
  spec: () => ModelSpec;
  rules: Pick<TurnRules, 'preview' | 'answerAhead'>;
}

/** Milliseconds, for all that is tried before a person is shown what would come of it. */
const longestTrial = 3_000;

/** The person is asked. */
export function askPerson(
  { isAsking, choose, chooseAndAllow }: DoubtParts,
  { chatId, tools, spec, rules }: TurnOfDoubt,
): DoubtOptions {
  /** Undefined where the commonest reading would run without a question: then which is meant is asked in the reply. */
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
        return (await rules.preview(resolved.call, step)) ?? unasked(resolved.call, tool, chatId);
      }),
    );
    const known = choices.filter((choice) => choice !== undefined);
    if (known.length < choices.length || (known[0]?.reason ?? 'unasked') === 'unasked') return undefined;
    return { chatId, readings: known };
  }

  return {
    by: 'person',
    thresholds: () => (isAsking() ? thresholdsOf(spec().id) : undefined),
    tryOut: tryOutWith(tools),
    staysHere: (call) => isWithin(call, tools),
    async choose(readings, history, signal) {
      const question = await questionAbout(readings, history, signal);
      if (!question) {
        const shown = readings.map(({ calls, results }) => ({ calls, results }));
        return choose({ chatId, readings: shown }, signal);
      }
      const answer = await chooseAndAllow(question, signal);
      const request = answer === 'none' ? undefined : question.readings[answer.reading];
      if (answer === 'none' || !request) return undefined;
      if (request.reason !== 'unasked') rules.answerAhead(request, answer.answer);
      else if (answer.answer === 'deny') return undefined;
      return answer.reading;
    },
  };
}

/** As a request, so that it can be shown beside those that are asked about. */
function unasked(call: ToolCall, { title }: Tool, chatId: string): ApprovalRequest {
  const nothing = { targets: [], sources: [], offers: [], isLastChance: false };
  return { id: call.id, chatId, call, toolTitle: title, reason: 'unasked', ...nothing };
}

/** Nobody watches: the commonest reading is gone on with, and marked. */
export function takeCommonest(
  { isAsking }: Pick<DoubtParts, 'isAsking'>,
  { tools, spec }: Pick<TurnOfDoubt, 'tools' | 'spec'>,
): DoubtOptions {
  return {
    by: 'page',
    thresholds: () => (isAsking() ? thresholdsOf(spec().id) : undefined),
    tryOut: tryOutWith(tools),
    staysHere: (call) => isWithin(call, tools),
    choose: () => Promise.resolve(0),
  };
}

function isWithin(call: ToolCall, tools: readonly Tool[]): boolean {
  const resolved = resolveCall(call, tools);
  return resolved.type === 'runnable' && !reachesOutside(resolved.effects);
}

function tryOutWith(tools: readonly Tool[]): DoubtOptions['tryOut'] {
  return (call: ToolCall, signal) =>
    outcomeOf(call, tools, AbortSignal.any([signal, AbortSignal.timeout(longestTrial)]));
}

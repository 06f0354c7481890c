/** Lists the steps of a turn, using the stored messages, for the screen and the JSON export (docs/trace-format.md). */
import type { MessageNode } from '../contracts/chat';
import { type AssistantMessage, pageWriterId, type ToolResult } from '../contracts/message';
import { isOutside } from '../contracts/origin';
import { textOf } from '../contracts/message-parts';
import { type AgentChats, tokenCountsOf, type Turn, toAgentView } from './turns';

/** The trace of one turn. All times are milliseconds since the epoch. A value is undefined if it was not recorded. */
export type Trace = ReturnType<typeof traceOf>;
export type TraceStep = TraceRound | TraceCall;
export type TraceRound = ReturnType<typeof toRoundStep>;
export interface TraceCall extends ReturnType<typeof toCallStep> {
  /** The steps of the sub-agent that this call started. */
  steps?: TraceStep[];
}

export function traceOf(turn: Pick<Turn, 'question' | 'nodes' | 'end'>, agents: AgentChats) {
  const steps = stepsOf(turn.nodes, agents);
  const { message } = turn.question ?? {};
  const times = timesOf(steps);
  return {
    format: 'hearth-trace' as const,
    version: 1 as const,
    question: message?.role === 'user' ? textOf(message.content) : undefined,
    startedAt: times.length > 0 ? Math.min(...times) : undefined,
    endedAt: times.length > 0 ? Math.max(...times) : undefined,
    end: turn.end,
    steps,
  };
}

/** A step and the sub-agents that contain it, outermost first. `path`: their names. `within`: ids of the calls that started them. */
export interface StepWithPath {
  step: TraceStep;
  path: readonly string[];
  within: readonly string[];
}

export function listStepsWithPaths(
  steps: readonly TraceStep[],
  path: readonly string[] = [],
  within: readonly string[] = [],
): StepWithPath[] {
  return steps.flatMap((step) => [
    { step, path, within },
    ...(step.type === 'call' && step.steps
      ? listStepsWithPaths(step.steps, [...path, step.name], [...within, step.id])
      : []),
  ]);
}

/** `isOld`: whether a replay copied this sub-agent's answer. */
function stepsOf(nodes: readonly MessageNode[], agents: AgentChats, isOld = false): TraceStep[] {
  const results = new Map<string, ToolResult>();
  for (const { message, replayOf } of nodes) {
    if (message.role !== 'tool') continue;
    const isCopied = isOld || replayOf !== undefined;
    for (const result of message.results)
      results.set(result.toolCallId, isCopied ? { ...result, isTaken: true } : result);
  }
  let number = 0;
  return nodes.flatMap((node): TraceStep[] => {
    const { message } = node;
    if (message.role !== 'assistant') return [];
    number += 1;
    const calls = message.content.filter(isCall).map((call) => {
      const chat = agents.get(call.id);
      const result = results.get(call.id);
      const isTaken = result?.isTaken === true;
      const inner = chat && toAgentView(chat).turns.flatMap((turn) => stepsOf(turn.nodes, agents, isTaken));
      return { ...toCallStep(call, result), ...(inner && { steps: inner }) };
    });
    const shown = isOld ? { ...node, replayOf: node.replayOf ?? node.id } : node;
    return [toRoundStep(shown, message, number), ...calls];
  });
}

type Call = Extract<AssistantMessage['content'][number], { id: string }>;

function isCall(part: AssistantMessage['content'][number]): part is Call {
  return part.type === 'tool-call' || part.type === 'invalid-tool-call';
}

function toRoundStep(
  { id, createdAt, round, model, usage, recoveries, replayOf }: MessageNode,
  message: AssistantMessage,
  number: number,
) {
  const { content, finishReason, errorMessage, writer } = message;
  const textIn = (type: 'text' | 'reasoning') =>
    content
      .flatMap((part) => (part.type === type ? part.text : []))
      .join('')
      .trim() || undefined;
  const { askedAt, context, summingUpMs, loading } = round ?? {};
  const writingMs = usage?.decodeMs;
  const known = (summingUpMs ?? 0) + (writingMs ?? 0);
  // The load that this round waited for may have started before the request or after it.
  const startedAt = askedAt && Math.min(askedAt, loading?.startedAt ?? askedAt);
  const begunAt = askedAt && Math.max(askedAt, loading ? loading.startedAt + loading.ms : askedAt);
  return {
    type: 'round' as const,
    /** Number of the round, counted from 1 within its turn. A sub-agent has its own turn. */
    number,
    messageId: id,
    model,
    counts: tokenCountsOf({ usage, message }),
    recoveries,
    finishReason,
    errorMessage,
    // Older versions stored no writer, but back then only models wrote replies.
    writer: writer === pageWriterId ? ('page' as const) : ('model' as const),
    startedAt,
    endedAt: createdAt,
    loadingMs: loading?.ms,
    summingUpMs,
    writingMs,
    context,
    readingMs: begunAt === undefined ? usage?.firstTokenMs : Math.max(0, createdAt - begunAt - known),
    /** Id of the original message, if a replay copied this message from another version. */
    takenFrom: replayOf,
    text: textIn('text'),
    thinking: textIn('reasoning'),
  };
}

function toCallStep(call: Call, result: ToolResult | undefined) {
  const { id, name = 'unknown', arguments: given } = call;
  const {
    permission,
    timing,
    content,
    isError,
    failure,
    origins = [],
    cachedAt,
    whole,
    isTaken,
    isRepeated,
  } = result ?? {};
  const isBlocked = failure === 'refused' || failure === 'refused-often';
  const changed = [
    ...(call.type === 'tool-call' && call.isEdited ? (['arguments'] as const) : []),
    ...(result?.isEdited ? (['result'] as const) : []),
  ];
  return {
    type: 'call' as const,
    id,
    name,
    arguments: given,
    repairs: call.type === 'tool-call' ? call.repairs : undefined,
    raw: call.type === 'tool-call' ? undefined : call.raw,
    permission,
    isError,
    failure,
    origins: origins.filter(isOutside),
    cachedAt,
    isTaken,
    isRepeated,
    changed: result && changed.length > 0 ? changed : undefined,
    /** When the call started. If it was blocked, when that was decided. */
    startedAt: timing?.startedAt,
    durationMs: isBlocked ? 0 : timing?.durationMs,
    result: content && textOf(content),
    wholeCharacters: whole?.characters,
  };
}

function timesOf(steps: readonly TraceStep[]): number[] {
  return steps.flatMap((step) => {
    if (step.type === 'round') return isCopied(step) ? [] : [step.startedAt ?? step.endedAt, step.endedAt];
    return [...spansOf(step).flatMap(({ from, to }) => [from, to]), ...timesOf(step.steps ?? [])];
  });
}

export function isCopied(step: TraceStep): boolean {
  return step.type === 'round' ? step.takenFrom !== undefined : step.isTaken === true;
}

export interface TraceSpan {
  kind: 'loading' | 'summing-up' | 'reading' | 'writing' | 'waiting' | 'running';
  from: number;
  to: number;
}

/** Splits a step's time into spans, such as loading and writing. Empty if the step did not run in this turn or its start is unknown. */
export function spansOf(step: TraceStep): TraceSpan[] {
  if (step.startedAt === undefined || isCopied(step)) return [];
  const { startedAt } = step;
  if (step.type === 'call') {
    const waitedMs = step.permission?.waitedMs ?? 0;
    const isRefused = step.permission?.answer === 'deny';
    const asked = isRefused ? startedAt : startedAt - waitedMs;
    return toConsecutiveSpans(asked, ['waiting', waitedMs], ['running', step.durationMs ?? 0]);
  }
  const { loadingMs = 0, summingUpMs = 0, readingMs = 0, writingMs = 0 } = step;
  // After a load, Hearth also chooses tools, which is not measured. So compute the start from the end and the measured durations.
  const asked = loadingMs > 0 ? step.endedAt - (summingUpMs + readingMs + writingMs) : startedAt;
  return [
    ...toConsecutiveSpans(startedAt, ['loading', loadingMs]),
    ...toConsecutiveSpans(asked, ['summing-up', summingUpMs], ['reading', readingMs], ['writing', writingMs]),
  ];
}

function toConsecutiveSpans(begin: number, ...parts: [kind: TraceSpan['kind'], ms: number][]): TraceSpan[] {
  let at = begin;
  return parts.flatMap(([kind, ms]) => {
    const from = at;
    at += ms;
    return ms > 0 ? [{ kind, from, to: at }] : [];
  });
}

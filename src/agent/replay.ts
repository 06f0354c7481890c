/**
 * Replays a recorded turn from a given point: keeps the messages before that point and asks the model again. If the model repeats its
 * recorded reply, we keep the ids of its calls and the nonce, a random text that marks outside text in the results. The messages are then
 * identical to the byte. A call with recorded arguments gets its recorded answer, so we do not send a request or change data twice. Any
 * other call runs as usual, after a permission check.
 */
import type { Interceptor, TurnReplay } from '../contracts/turn';
import type {
  AssistantMessage,
  InvalidToolCall,
  Message,
  ToolCall,
  ToolMessage,
  ToolResult,
} from '../contracts/message';
import type { ModelEvent } from '../contracts/model';
import type { ToolEffects, ToolOutput } from '../contracts/tool';
import type { ToolFailure } from '../contracts/tool-failure';
import { createTurnState, decideNextStep, type TurnLimits, type TurnState } from './next-step';
import type { ModelStage } from '../contracts/pipeline';
import { lastTurnOf, type TurnCounts } from './turn-guard';

export interface Replay {
  /** Must be the outermost interceptor, so a call with a recorded answer reaches no other interceptor. */
  recordedAnswers: Interceptor;
  stage: ModelStage;
  resultOf: (callId: string) => ToolResult | undefined;
  /** If the record has a message with the same results as `message`, returns its nonce. `before`: the history before `message`. */
  nonceOf: (message: ToolMessage, before: readonly Message[]) => string | undefined;
  /**
   * Returns the state after `taken`, messages from the recorded turn, and adds their rounds and calls to the turn's counts. `before`: the
   * messages before them.
   */
  stateAfter: (before: readonly Message[], taken: readonly Message[], limits: TurnLimits) => TurnState;
  /** How the sub-agent of this call continues. Undefined if it starts from the beginning. */
  progressOfAgent: (callId: string) => ReplayProgress | undefined;
}

/** `taken`: how many messages at the end of the history come from the record. */
export interface ReplayProgress {
  guide: Replay;
  taken: number;
}

export function createReplay(replay: TurnReplay, counts: TurnCounts): Replay {
  const { recorded, byAgents, beforeModel } = replay;
  const replies = recorded.filter((message) => message.role === 'assistant');
  const answers = recorded.filter((message) => message.role === 'tool');
  const line = findContinuedAgents(replay);
  const results = new Map(answers.flatMap((message) => message.results.map((one) => [one.toolCallId, one])));
  const rerunIds = new Set(line.map(({ callId }) => callId));
  return {
    recordedAnswers: createReplayInterceptor([...recorded, ...byAgents], rerunIds),
    stage: createReplayStage(replies),
    resultOf(callId) {
      const result = results.get(callId);
      return result && { ...result, isTaken: true };
    },
    nonceOf(message, before) {
      const same = answers[countRounds(before) - 1];
      return same && toComparableText(same) === toComparableText(message) ? same.nonce : undefined;
    },
    stateAfter(before, taken, limits) {
      let state = createTurnState(limits);
      for (const [at, message] of taken.entries()) {
        if (message.role !== 'assistant' || at < beforeModel) continue;
        const { rounds, calls } = counts;
        const made = message.content.filter(isCallPart).length;
        const steady = {
          isLost: false,
          isRecovered: false,
          isStopped: false,
          isSteered: false,
          isRepeat: false,
        };
        const round = {
          ...steady,
          message,
          calls: made,
          turn: lastTurnOf([...before, ...taken.slice(0, at + 2)]),
        };
        const next = decideNextStep(round, { ...state, rounds, calls }, limits);
        counts.rounds += 1;
        counts.calls += made;
        counts.begun += made;
        if (next.type === 'ask') state = next.state;
      }
      return state;
    },
    progressOfAgent(callId) {
      const inner = line.find((one) => one.callId === callId)?.replay;
      return inner && { guide: createReplay(inner, counts), taken: inner.taken };
    },
  };
}

/** Outermost first. */
function findContinuedAgents({ agent }: TurnReplay): { callId: string; replay: TurnReplay }[] {
  return agent ? [agent, ...findContinuedAgents(agent.replay)] : [];
}

function countRounds(history: readonly Message[]): number {
  const question = history.findLastIndex(({ role }) => role === 'user');
  return history.slice(question + 1).filter(({ role }) => role === 'assistant').length;
}

function toComparableText({ results }: ToolMessage): string {
  return JSON.stringify(results.map(({ toolCallId, content, isError }) => [toolCallId, content, isError]));
}

type ReplyPart = AssistantMessage['content'][number];

export function isCallPart(part: ReplyPart): part is ToolCall | InvalidToolCall {
  return part.type === 'tool-call' || part.type === 'invalid-tool-call';
}

function createReplayStage(replies: readonly AssistantMessage[]): ModelStage {
  return {
    name: 'replay',
    async *wrapStream(request, signal, model) {
      const known = replies[countRounds(request.messages)]?.content.filter(isCallPart) ?? [];
      const ids = new Map<string, string>();
      let place = 0;
      for await (const event of model.respond(request, signal)) {
        if (event.type === 'tool-call') {
          const same = known[place++];
          if (same && isSameCall(same, event.call)) ids.set(event.call.id, same.id);
        }
        yield ids.size > 0 ? replaceIds(event, ids) : event;
      }
    },
  };
}

function isSameCall(one: ReplyPart, other: ReplyPart): boolean {
  return JSON.stringify({ ...one, id: '' }) === JSON.stringify({ ...other, id: '' });
}

function replaceIds(event: ModelEvent, ids: ReadonlyMap<string, string>): ModelEvent {
  const named = <Named extends { id: string }>(one: Named) => ({ ...one, id: ids.get(one.id) ?? one.id });
  if (event.type === 'tool-call') return { ...event, call: named(event.call) };
  if (event.type !== 'finish') return event;
  const content = event.message.content.map((part) => ('id' in part ? named(part) : part));
  return { ...event, message: { ...event.message, content } };
}

/** Failures of calls that had no effect. These calls run again. */
const failuresWithoutEffect: ReadonlySet<ToolFailure | undefined> = new Set([
  ...(['refused', 'refused-often', 'offline', 'address', 'call-limit', 'search-limit'] as const),
  ...(['agent-limit', 'agent-circle', 'no-such-tool', 'arguments'] as const),
]);

/** Answers each recorded call once. Further equal calls get the last answer. `rerunIds`: ids of calls to run again. */
function createReplayInterceptor(recorded: readonly Message[], rerunIds: ReadonlySet<string>): Interceptor {
  const made = new Map<string, ToolOutput[]>();
  const calls = new Map<string, ToolCall>();
  for (const message of recorded) {
    if (message.role === 'assistant')
      for (const part of message.content) if (part.type === 'tool-call') calls.set(part.id, part);
    if (message.role !== 'tool') continue;
    for (const result of message.results) {
      const call = calls.get(result.toolCallId);
      if (!call || failuresWithoutEffect.has(result.failure)) continue;
      made.set(toCallKey(call), [...(made.get(toCallKey(call)) ?? []), outputOf(result)]);
    }
  }
  return {
    before(call, { effects }) {
      const outputs =
        effects.type === 'pure' || rerunIds.has(call.id) ? [] : (made.get(toCallKey(call)) ?? []);
      const [output] = outputs;
      if (!output || !mustReuseResult(output, effects)) return Promise.resolve('go');
      if (outputs.length > 1) outputs.shift();
      return Promise.resolve({ answer: { ...output, isTaken: true } });
    },
  };
}

function outputOf(result: ToolResult): ToolOutput {
  const output: Partial<ToolResult> = { ...result };
  delete output.toolCallId;
  delete output.toolName;
  delete output.timing;
  const { content, isError, origins } = result;
  return { ...output, content, isError, origins };
}

/** True if the call must get its recorded result. An interrupted call may run again if it cannot have changed anything. */
function mustReuseResult({ failure }: ToolOutput, { type }: ToolEffects): boolean {
  const isBrokenOff = failure === 'stopped' || failure === 'interrupted';
  return !isBrokenOff || type === 'side-effect' || type === 'remote';
}

function toCallKey({ name, arguments: input }: Pick<ToolCall, 'name' | 'arguments'>): string {
  return JSON.stringify([name, input]);
}

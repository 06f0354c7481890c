/** PURE: decides what a turn does after a round. */
import type { AgentLimits, TurnEnd } from '../contracts/turn';
import type { AssistantMessage, InvalidToolCall, Message } from '../contracts/message';
import type { ToolChoice } from '../contracts/model';
import type { ToolSpec } from '../contracts/tool';
import { isGoingInCircles } from './turn-guard';

export interface TurnState {
  rounds: number;
  calls: number;
  secondChances: number;
  isSecondChance: boolean;
  toolChoice: ToolChoice;
  /** Set in the last round, in which the model can only write words: how the turn ends if it writes none. */
  wordsOr?: TurnEnd;
}

export interface RoundOutcome {
  message: AssistantMessage;
  isLost: boolean;
  isRecovered: boolean;
  calls: number;
  isStopped: boolean;
  isSteered: boolean;
  /** Whether the reply only made calls again that already have a result. `message` was then dropped. */
  isRepeat: boolean;
  /** The messages of the turn, from the user's to the results of this round. */
  turn: readonly Message[];
}

export type NextStep =
  | { type: 'end'; reason: TurnEnd }
  | { type: 'ask'; state: TurnState; notice?: 'second-chance' };

export interface TurnLimits extends Pick<AgentLimits, 'rounds' | 'calls' | 'secondChances'> {
  tools: readonly Pick<ToolSpec, 'name'>[];
}

export function createTurnState({ tools }: Pick<TurnLimits, 'tools'>): TurnState {
  const toolChoice = tools.length > 0 ? 'auto' : 'none';
  return { rounds: 0, calls: 0, secondChances: 0, isSecondChance: false, toolChoice };
}

/** `state` belongs to the round that has just ended. */
export function decideNextStep(round: RoundOutcome, state: TurnState, limits: TurnLimits): NextStep {
  const rounds = state.rounds + 1;
  const calls = state.calls + round.calls;
  const invalid = round.message.content.find((part) => part.type === 'invalid-tool-call');

  if (round.isStopped) return endTurn('stopped');
  if (round.isLost && !round.isRecovered) return endTurn('failed');
  // The model crashed before a call got a result, so repeat the same request.
  if (round.isLost && round.calls === 0) return { type: 'ask', state: { ...state, rounds } };
  const next = { ...state, rounds, calls, isSecondChance: invalid !== undefined };
  const askForWords = (wordsOr: TurnEnd): NextStep =>
    state.wordsOr ? endTurn(wordsOr) : { type: 'ask', state: { ...next, toolChoice: 'none', wordsOr } };
  if (state.wordsOr && !hasWords(round.message)) return endTurn(state.wordsOr);
  if (round.isSteered && round.isRepeat) return endTurn('steered');
  if (round.isRepeat) return askForWords('answered');
  if (round.calls === 0) return endTurn(turnEndByFinishReason[round.message.finishReason]);
  if (round.isSteered) return endTurn('steered');
  if (invalid && (state.isSecondChance || state.secondChances >= limits.secondChances)) {
    return askForWords('invalid-call');
  }
  if (calls >= limits.calls) return askForWords('call-limit');
  if (rounds >= limits.rounds) return askForWords('round-limit');
  if (invalid && isUnknownTool(invalid, limits.tools)) return askForWords('invalid-call');
  if (isGoingInCircles(round.turn)) return askForWords('answered');

  if (!invalid) return { type: 'ask', state: { ...next, toolChoice: createTurnState(limits).toolChoice } };
  const toolChoice = chooseRetryTool(invalid, limits.tools);
  const secondChances = state.secondChances + 1;
  return { type: 'ask', state: { ...next, toolChoice, secondChances }, notice: 'second-chance' };
}

export function hasWords({ content }: AssistantMessage): boolean {
  return content.some((part) => part.type === 'text' && part.text.trim() !== '');
}

/** True if the model made up the tool. */
function isUnknownTool({ name }: InvalidToolCall, tools: TurnLimits['tools']): boolean {
  return name !== undefined && !tools.some((tool) => tool.name === name);
}

function endTurn(reason: TurnEnd): NextStep {
  return { type: 'end', reason };
}

const turnEndByFinishReason: Readonly<Record<AssistantMessage['finishReason'], TurnEnd>> = {
  aborted: 'stopped',
  error: 'failed',
  length: 'cut-off',
  loop: 'looped',
  stop: 'answered',
  'tool-calls': 'answered',
};

/** After an invalid call, the model must call the tool that it meant. If there is no such tool, it may choose any tool. */
function chooseRetryTool({ name }: InvalidToolCall, tools: TurnLimits['tools']): ToolChoice {
  if (tools.length === 0) return 'none';
  if (name === undefined) return 'required';
  return tools.some((tool) => tool.name === name) ? { name } : 'auto';
}

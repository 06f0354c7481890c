/** What a person sees of a sub-agent in the card of its call: what it said and called, and what that cost. */
import type { MessageNode } from '../contracts/chat';
import type { Message } from '../contracts/message';
import type { ModelName } from '../contracts/model-library';
import type { RunningReply } from './running-reply';
import { type ReplyPart, type Turn, turnsOf, withReply } from './turns';

/** Its hidden chat, as far as a screen reads it. */
export interface AgentChat {
  readonly branch: readonly MessageNode[];
  readonly reply: RunningReply | undefined;
  /** The model that its persona names, where that is not the one that was running. */
  readonly settings: { readonly model?: ModelName | undefined };
}

/** By the id of the call that asked for each. */
export type AgentChats = ReadonlyMap<string, AgentChat>;

export interface AgentView {
  turns: readonly Turn[];
  /** Of all its replies, in the order they came. */
  parts: readonly ReplyPart[];
  /** Tokens that it wrote, and that were read for it. */
  outputTokens: number;
  prefilledTokens: number;
  /** The model of its persona, where that has answered itself, beside the one that was loaded. */
  model: ModelName | undefined;
  /** Why its last reply failed, as `writeError` wrote it. */
  error: string | undefined;
}

export function viewAgent({ branch, reply, settings: { model } }: AgentChat): AgentView {
  const turns = withReply(turnsOf(branch), reply);
  const usages = branch.flatMap(({ usage }) => usage ?? []);
  return {
    turns,
    parts: turns.flatMap(({ parts }) => parts),
    error: turns.at(-1)?.error,
    outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    model: model && branch.some((node) => node.model?.id === model.id) ? model : undefined,
    prefilledTokens: usages.reduce((sum, { prefilledTokens }) => sum + prefilledTokens, 0),
  };
}

/** All that sub-agents read and wrote. What they were asked is left out: it stands in the calls, and nobody typed it. */
export function messagesOf(agents: AgentChats): Message[] {
  return [...agents.values()].flatMap(({ branch }) =>
    branch.map(({ message }) => message).filter(({ role }) => role !== 'user'),
  );
}

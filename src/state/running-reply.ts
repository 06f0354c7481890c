/** The reply of a turn in progress, event by event. */
import { appendEvent } from '../contracts/chat-logic';
import type { AgentEvent } from '../contracts/turn';
import type { AssistantMessage, ToolResult } from '../contracts/message';
import type { RecoveryStep } from '../contracts/model-library';
import type { ToolOffer } from '../contracts/tool';

/** The reply of a turn in progress, and what its calls are doing: all that is not stored yet. */
export interface RunningReply {
  /** Id under which the message being written will be stored, so that what is drawn stays when it is. */
  id: string;
  /** False until the first event of the turn that is more than its start. */
  hasBegun: boolean;
  content: AssistantMessage['content'];
  /** The call being written. */
  openCall?: { id: string; name?: string | undefined; text: string } | undefined;
  calls: ReadonlyMap<string, { status: 'waiting-for-approval' | 'running'; progress?: string }>;
  results: ReadonlyMap<string, ToolResult>;
  /** Recovery steps since the last reply. They are stored with the next one. */
  recoveries: readonly RecoveryStep[];
  /** Which tools the model was shown for the reply that is being written: it is stored with it. */
  toolOffer?: ToolOffer | undefined;
  /** The earlier part of the chat is being summed up before it is written. */
  isSummingUp?: boolean;
  /** The newest event of the turn: what is being waited for. */
  latest?: AgentEvent;
}

export function startReply(id: string): RunningReply {
  return { id, hasBegun: false, content: [], calls: new Map(), results: new Map(), recoveries: [] };
}

type ReplyEvent = Exclude<
  AgentEvent,
  {
    type:
      | 'turn-start'
      | 'turn-end'
      | 'message-end'
      | 'notice'
      | 'context'
      | 'tool-offer'
      | 'summing-up'
      | 'summary'
      | 'server-wait'
      | 'prompt-progress'
      | 'agent-start'
      | 'agent-event';
  }
>;

/** The reply in progress after one more event. */
export function addToReply(running: RunningReply, event: ReplyEvent): RunningReply {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-call':
      return { ...running, content: appendEvent(running.content, event), openCall: undefined };
    case 'call-delta': {
      const open = running.openCall?.id === event.id ? running.openCall : { id: event.id, text: '' };
      const openCall = { ...open, name: event.name ?? open.name, text: open.text + event.text };
      return { ...running, openCall };
    }
    case 'tool-approval-request':
      return withCall(running, event.call.id, { status: 'waiting-for-approval' });
    case 'tool-start':
      return withCall(running, event.call.id, { status: 'running' });
    case 'tool-progress':
      return withCall(running, event.toolCallId, { status: 'running', progress: event.text });
    case 'tool-result':
      return { ...running, results: new Map(running.results).set(event.result.toolCallId, event.result) };
    case 'recovery':
      return { ...running, recoveries: [...running.recoveries, event.step] };
  }
}

type RunningCall = RunningReply['calls'] extends ReadonlyMap<string, infer Call> ? Call : never;

function withCall(running: RunningReply, id: string, call: RunningCall): RunningReply {
  return { ...running, calls: new Map(running.calls).set(id, call) };
}

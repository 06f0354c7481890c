/** A branch of messages as a person sees it: turns, each a question and everything done to answer it. */
import type { MessageNode } from '../contracts/chat';
import type { AgentEvent, TurnEnd } from '../contracts/events';
import { appendEvent } from '../contracts/append-event';
import type { AssistantMessage, ToolCall, ToolResult } from '../contracts/message';
import type { RecoveryStep } from '../contracts/recovery';
import type { ToolFailure } from '../contracts/tool-failure';
import type { ToolOffer } from '../contracts/tool-offer';
import { textOf } from '../contracts/text-of';

export type CallStatus =
  | 'writing'
  | 'queued'
  | 'waiting-for-approval'
  | 'running'
  | 'done'
  /** The person did not want it: no failure. */
  | 'refused'
  | 'failed'
  | 'unanswered';

export interface CallView {
  type: 'call';
  id: string;
  name: string;
  /** JSON, as far as it is written; exact once `isComplete`. */
  argumentsText: string;
  isComplete: boolean;
  status: CallStatus;
  /** What had to be repaired to read the call. */
  repairs: readonly string[];
  /** Exactly what the model was given. */
  result?: string | undefined;
  /** Why it failed or was refused, for the person; missing in chats of an older version. */
  failure?: ToolFailure | undefined;
  progress?: string | undefined;
  durationMs?: number | undefined;
  /** How old the result was when it was given, in milliseconds. Missing where it was fetched for this call. */
  ageMs?: number | undefined;
}

export type ReplyPart =
  | { type: 'text'; id: string; text: string; isGrowing: boolean }
  | { type: 'thinking'; id: string; text: string; isGrowing: boolean }
  /** Meant as a call of no tool that could be made out: it has no card, only its reason. */
  | { type: 'unreadable-call'; id: string; raw: string; reason: string }
  | CallView;

export interface Turn {
  /** Id of the turn's first message. */
  id: string;
  question?: MessageNode | undefined;
  /** The replies and results of the turn, as stored. */
  nodes: readonly MessageNode[];
  parts: readonly ReplyPart[];
  /** Missing while it runs, and where it was interrupted. */
  end?: TurnEnd | undefined;
  isRunning: boolean;
  /** True from the first sign that the question is being answered. */
  hasReply: boolean;
  /** Recovery steps that were taken during the turn, in order. */
  recoveries: readonly RecoveryStep[];
  /** Why the last reply failed, as `writeError` wrote it. Missing where it did not. */
  error?: string | undefined;
  /** Questions to press that the last reply brings along. */
  suggestions: readonly string[];
}

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
}

export function startReply(id: string): RunningReply {
  return { id, hasBegun: false, content: [], calls: new Map(), results: new Map(), recoveries: [] };
}

type ReplyEvent = Exclude<
  AgentEvent,
  { type: 'turn-start' | 'turn-end' | 'message-end' | 'notice' | 'context' | 'tool-offer' }
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

export function turnsOf(branch: readonly MessageNode[]): Turn[] {
  const groups: MessageNode[][] = [];
  for (const node of branch) {
    const last = groups.at(-1);
    if (node.message.role === 'user' || !last) groups.push([node]);
    else last.push(node);
  }
  return groups.map((group) => turnOf(group));
}

/** The turns with the reply in progress. Only the last one is made anew, not all of them for every token. */
export function withReply(turns: readonly Turn[], running: RunningReply | undefined): readonly Turn[] {
  const last = turns.at(-1);
  if (!running || !last) return turns;
  return [
    ...turns.slice(0, -1),
    turnOf(last.question ? [last.question, ...last.nodes] : last.nodes, running),
  ];
}

function turnOf(group: readonly MessageNode[], running?: RunningReply): Turn {
  const [first] = group as [MessageNode, ...MessageNode[]];
  const question = first.message.role === 'user' ? first : undefined;
  const nodes = question ? group.slice(1) : group;
  const last = group.at(-1);
  const reply = last?.message.role === 'assistant' ? last.message : undefined;
  return {
    id: first.id,
    question,
    nodes,
    parts: partsOf(nodes, running),
    end: running ? undefined : last?.turnEnd,
    isRunning: running !== undefined,
    recoveries: [...nodes.flatMap((node) => node.recoveries ?? []), ...(running?.recoveries ?? [])],
    hasReply: nodes.length > 0 || running?.hasBegun === true,
    error: running ? undefined : reply?.errorMessage,
    suggestions: (running ? undefined : reply?.suggestions) ?? [],
  };
}

function partsOf(nodes: readonly MessageNode[], running: RunningReply | undefined): ReplyPart[] {
  const results = new Map(running?.results);
  for (const { message } of nodes) {
    if (message.role === 'tool') for (const result of message.results) results.set(result.toolCallId, result);
  }
  const parts: ReplyPart[] = [];
  const known: KnownOfCalls = { results, running };
  for (const { id, message } of nodes) {
    if (message.role === 'assistant') addParts(parts, id, message.content, known, false);
  }
  if (!running) return parts;

  addParts(parts, running.id, running.content, known, running.openCall === undefined);
  const { openCall } = running;
  if (openCall?.name !== undefined) {
    parts.push({
      type: 'call',
      id: openCall.id,
      name: openCall.name,
      argumentsText: openCall.text,
      isComplete: false,
      status: 'writing',
      repairs: [],
    });
  }
  return parts;
}

interface KnownOfCalls {
  results: ReadonlyMap<string, ToolResult>;
  running: RunningReply | undefined;
}

function addParts(
  parts: ReplyPart[],
  id: string,
  content: AssistantMessage['content'],
  known: KnownOfCalls,
  isGrowing: boolean,
): void {
  content.forEach((part, index) => {
    const isOpen = isGrowing && index === content.length - 1;
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const type = part.type === 'text' ? 'text' : 'thinking';
        const last = parts.at(-1);
        // A reply that was continued is one text again.
        if (last?.type === type)
          parts[parts.length - 1] = { ...last, text: last.text + part.text, isGrowing: isOpen };
        else if (part.text.trim() !== '')
          parts.push({ type, id: `${id}.${index}`, text: part.text, isGrowing: isOpen });
        break;
      }
      case 'tool-call':
        parts.push(callView(part, JSON.stringify(part.arguments), part.repairs ?? [], known));
        break;
      case 'invalid-tool-call':
        if (part.name === undefined) parts.push({ ...part, type: 'unreadable-call' });
        else {
          const written = part.arguments ? JSON.stringify(part.arguments) : part.raw;
          parts.push(callView({ ...part, name: part.name }, written, [], known));
        }
        break;
    }
  });
}

function callView(
  { id, name }: Pick<ToolCall, 'id' | 'name'>,
  argumentsText: string,
  repairs: readonly string[],
  { results, running }: KnownOfCalls,
): CallView {
  const result = results.get(id);
  const state = running?.calls.get(id);
  const view = { type: 'call' as const, id, name, argumentsText, isComplete: true, repairs };
  if (result) {
    return {
      ...view,
      status: statusOf(result),
      result: textOf(result.content),
      failure: result.failure,
      // A question that was refused took as long as it was looked at.
      durationMs: statusOf(result) === 'refused' ? undefined : result.timing?.durationMs,
      ageMs: ageOf(result),
    };
  }
  if (state) return { ...view, ...state };
  return { ...view, status: running ? 'queued' : 'unanswered' };
}

function statusOf({ isError, failure }: ToolResult): CallStatus {
  if (!isError) return 'done';
  return failure === 'refused' || failure === 'refused-often' || failure === 'stopped' ? 'refused' : 'failed';
}

/** How old a cached result was when it was given. Missing where it was fetched for this call. */
function ageOf({ cachedAt, timing }: ToolResult): number | undefined {
  return cachedAt === undefined || !timing ? undefined : Math.max(0, timing.startedAt - cachedAt);
}

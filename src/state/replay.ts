/** Replays a turn: runs it again from some point in a new branch, either unchanged or with an edited question, arguments or result. */
import type { MessageNode } from '../contracts/chat';
import type { AgentInfo, TurnReplay } from '../contracts/turn';
import type { AssistantMessage, Message, ToolMessage } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import type { AgentChats, Turn } from './turns';
import { editQuestion } from './versions';
import type { ChatSession } from './chat-session.svelte';
import type { StepWithPath, TraceCall } from './trace';

type CallChange =
  | { type: 'arguments'; callId: string; arguments: Record<string, unknown>; within: readonly string[] }
  | { type: 'result'; callId: string; text: string; isError: boolean; within: readonly string[] };
export type Change = { type: 'question'; text: string } | CallChange;

/** The part of a turn to edit. `path`: names of the sub-agents that contain this part, outermost first. */
export type ReplayTarget =
  | { type: 'question'; text: string }
  | ({ type: 'arguments' | 'result'; call: TraceCall } & Pick<StepWithPath, 'within' | 'path'>);

interface ReplayOptions {
  agents: AgentChats;
  loadPrompt: (messageId: string) => Promise<string | undefined>;
  newId: () => string;
  onQueued?: () => void;
}

export async function replayTurn(
  session: ChatSession,
  { question, nodes }: Pick<Turn, 'question' | 'nodes'>,
  change: Change,
  { agents, loadPrompt, newId, onQueued }: ReplayOptions,
): Promise<void> {
  if (!question) return;
  const recorded = nodes.map(({ message }) => message);
  const offered = nodes.find(({ message, model }) => message.role === 'assistant' && model);
  const replay = {
    taken: 0,
    beforeModel: 0,
    recorded,
    toolOffer: offered?.toolOffer,
    byAgents: messagesOfAgents(recorded, agents),
  };
  if (change.type === 'question') return editQuestion(session, question, change.text, { replay, onQueued });

  const { taken, line } = copyUpToNestedChange(nodes, change, change.within, { agents, newId });
  if (taken.length === 0) return;
  const copyNodes = (originals: readonly MessageNode[]) =>
    Promise.all(
      originals.map(async ({ message, model, usage, round, recoveries, toolOffer, id }) => {
        const record = { model, usage, round, recoveries, toolOffer, replayOf: id };
        return [message, record, await loadPrompt(id).catch(() => undefined)] as const;
      }),
    );
  const copies = await copyNodes(taken);
  const resumed = await Promise.all(
    line.map(async ({ callId, agent, taken: part }) => ({ callId, agent, messages: await copyNodes(part) })),
  );
  const beforeModel = isWrittenByPage(taken[0]) ? Math.min(2, taken.length) : 0;
  await session.startBranch(question.id, copies, {
    replay: { ...replay, taken: taken.length, beforeModel, agent: createAgentReplay(line) },
    agents: resumed,
    onQueued,
  });
}

interface ResumedAgent {
  /** New id of the copied call. The call in the old version keeps its id. */
  callId: string;
  agent: AgentInfo;
  taken: readonly MessageNode[];
  recorded: readonly Message[];
}

/** Copies the messages up to a changed call, which sub-agents may contain. `callId` started the outermost one, `deeper` the nested ones. */
function copyUpToNestedChange(
  nodes: readonly MessageNode[],
  change: CallChange,
  [callId, ...deeper]: readonly string[],
  options: Pick<ReplayOptions, 'agents' | 'newId'>,
): { taken: MessageNode[]; line: ResumedAgent[] } {
  if (callId === undefined) return { taken: copyToChange(nodes, change, options.newId), line: [] };
  const callerAt = findCallIndex(nodes, callId);
  const caller = nodes[callerAt];
  const chat = options.agents.get(callId);
  if (caller?.message.role !== 'assistant' || !chat) return { taken: [], line: [] };
  const inner = copyUpToNestedChange(chat.branch, change, deeper, options);
  if (inner.taken.length === 0) return inner;
  const id = options.newId();
  const isIt = (part: AssistantMessage['content'][number]) => 'id' in part && part.id === callId;
  const content = caller.message.content.map((part) => (isIt(part) ? { ...part, id } : part));
  const asked = caller.message.content.find(isIt);
  const title = asked && 'name' in asked ? (asked.name ?? '') : '';
  const resumed = {
    callId: id,
    agent: { title, model: chat.settings.model },
    taken: inner.taken,
    recorded: chat.branch.map(({ message }) => message),
  };
  return {
    taken: [...nodes.slice(0, callerAt), { ...caller, message: { ...caller.message, content } }],
    line: [resumed, ...inner.line],
  };
}

function createAgentReplay([first, ...others]: readonly ResumedAgent[]): TurnReplay['agent'] {
  if (!first) return undefined;
  const { callId, taken, recorded } = first;
  const steps = { taken: taken.length - 1, recorded: recorded.slice(1), beforeModel: 0 };
  const inner = createAgentReplay(others);
  return { callId, replay: { ...steps, byAgents: [], toolOffer: undefined, agent: inner } };
}

function findCallIndex(nodes: readonly MessageNode[], callId: string): number {
  return nodes.findIndex(({ message }) => message.role === 'assistant' && callsOf(message).has(callId));
}

function isWrittenByPage(node: MessageNode | undefined): boolean {
  return (
    node?.message.role === 'assistant' &&
    !node.model &&
    node.message.content.some(({ type }) => type === 'tool-call')
  );
}

/** Copies the messages up to and including the changed call or result. Empty if the call no longer exists. */
function copyToChange(nodes: readonly MessageNode[], change: CallChange, newId: () => string): MessageNode[] {
  const { callId } = change;
  const madeAt = findCallIndex(nodes, callId);
  const answeredAt = nodes.findIndex(
    ({ message }) =>
      message.role === 'tool' && message.results.some(({ toolCallId }) => toolCallId === callId),
  );
  const [made, answered] = [nodes[madeAt], nodes[answeredAt]];
  if (change.type === 'arguments' && made?.message.role === 'assistant') {
    const message = withArguments(made.message, change, newId);
    // `message` is undefined if the user kept the call's old arguments. The code below then copies the recorded result too.
    if (message) return [...nodes.slice(0, madeAt), { ...made, message }];
  }
  if (answered?.message.role !== 'tool') return [];
  const message = change.type === 'result' ? withResult(answered.message, change) : answered.message;
  return [...nodes.slice(0, answeredAt), { ...answered, message }];
}

function callsOf({ content }: AssistantMessage): Set<string> {
  return new Set(content.flatMap((part) => ('id' in part ? part.id : [])));
}

function withArguments(
  { content, origins }: AssistantMessage,
  { callId, arguments: given }: Extract<CallChange, { type: 'arguments' }>,
  newId: () => string,
): AssistantMessage | undefined {
  const old = content.find((part) => 'id' in part && part.id === callId);
  if (!old || !('id' in old) || old.name === undefined) return undefined;
  if (old.type === 'tool-call' && JSON.stringify(old.arguments) === JSON.stringify(given)) return undefined;
  const call = { type: 'tool-call' as const, id: newId(), name: old.name, arguments: given, isEdited: true };
  return {
    role: 'assistant',
    content: content.map((part) => (part === old ? call : part)),
    finishReason: 'tool-calls',
    ...(origins && { origins }),
  };
}

/** Replaces the text of a result but keeps its `origins`, so it still counts as outside text. */
function withResult(
  message: ToolMessage,
  { callId, text, isError }: Extract<CallChange, { type: 'result' }>,
): ToolMessage {
  const results = message.results.map((result) => {
    const isSame = textOf(result.content) === text && result.isError === isError;
    if (result.toolCallId !== callId || isSame) return result;
    const others = result.content.filter(({ type }) => type === 'image');
    return {
      ...result,
      content: [{ type: 'text' as const, text }, ...others],
      isError,
      isEdited: true,
      failure: isError ? (result.failure ?? 'failed') : undefined,
      whole: undefined,
    };
  });
  return { ...message, results };
}

function messagesOfAgents(messages: readonly Message[], agents: AgentChats): Message[] {
  const callIds = messages.flatMap((message) => (message.role === 'assistant' ? [...callsOf(message)] : []));
  return callIds.flatMap((id) => {
    const inner = agents.get(id)?.branch.map(({ message }) => message) ?? [];
    return [...inner, ...messagesOfAgents(inner, agents)];
  });
}

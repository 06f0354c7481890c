/** Runs a turn on from some point of it in a new branch: with another question, other arguments or another result, or as it was. */
import type { MessageNode } from '../contracts/chat';
import type { AssistantMessage, Message, ToolMessage } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import type { AgentChats } from './agent-view';
import { editQuestion } from './ask-again';
import type { ChatRecorder } from './chat-recorder';
import type { TraceCall } from './trace';
import type { Put } from './turn-recorder';
import type { Turn } from './turns';

export type Change =
  | { type: 'question'; text: string }
  | { type: 'arguments'; callId: string; arguments: Record<string, unknown> }
  | { type: 'result'; callId: string; text: string; isError: boolean };

/** What of a turn is to be changed. */
export type ReplayTarget =
  | { type: 'question'; text: string }
  | { type: 'arguments' | 'result'; call: TraceCall };

type Replayed = Pick<Turn, 'question' | 'nodes'>;

export interface ReplayOptions {
  agents: AgentChats;
  /** The prompt a message was made from: its copy has it too. */
  loadPrompt: (messageId: string) => Promise<string | undefined>;
  newId: () => string;
}

/** Resolves when the new turn is over. Where the point is not there any more nothing is run. */
export async function replayTurn(
  session: Pick<ChatRecorder, 'branchOff'>,
  turn: Replayed,
  change: Change,
  { agents, loadPrompt, newId }: ReplayOptions,
): Promise<void> {
  const { question } = turn;
  if (!question) return;
  const recorded = turn.nodes.map(({ message }) => message);
  const offered = turn.nodes.find(({ message, model }) => message.role === 'assistant' && model);
  const replay = {
    ...{ taken: 0, beforeModel: 0, recorded, toolOffer: offered?.toolOffer },
    byAgents: saidByAgents(recorded, agents),
  };
  if (change.type === 'question') return editQuestion(session, question, change.text, replay);

  const taken = takenWith(turn.nodes, change, newId);
  if (taken.length === 0) return;
  const put = await Promise.all(
    taken.map(async (node): Promise<Put> => {
      const { message, model, usage, round, recoveries, toolOffer, id } = node;
      const record = { model, usage, round, recoveries, toolOffer, replayOf: id };
      return [message, record, await loadPrompt(id).catch(() => undefined)];
    }),
  );
  const beforeModel = isOfPage(taken[0]) ? Math.min(2, taken.length) : 0;
  await session.branchOff(question.id, put, { replay: { ...replay, taken: taken.length, beforeModel } });
}

/** A call that the page made before it asked a model. */
function isOfPage(node: MessageNode | undefined): boolean {
  return (
    node?.message.role === 'assistant' &&
    !node.model &&
    node.message.content.some(({ type }) => type === 'tool-call')
  );
}

/** The replies and results up to the point, of which the last one is changed. Empty where the call is not there. */
function takenWith(
  nodes: readonly MessageNode[],
  change: Exclude<Change, { type: 'question' }>,
  newId: () => string,
): MessageNode[] {
  const { callId } = change;
  const madeAt = nodes.findIndex(
    ({ message }) => message.role === 'assistant' && callsOf(message).has(callId),
  );
  const answeredAt = nodes.findIndex(
    ({ message }) =>
      message.role === 'tool' && message.results.some(({ toolCallId }) => toolCallId === callId),
  );
  const [made, answered] = [nodes[madeAt], nodes[answeredAt]];
  if (change.type === 'arguments' && made?.message.role === 'assistant') {
    const message = withArguments(made.message, change, newId);
    // Nothing was changed: it goes on after the result that it had.
    if (message) return [...nodes.slice(0, madeAt), { ...made, message }];
  }
  if (answered?.message.role !== 'tool') return [];
  const message = change.type === 'result' ? withResult(answered.message, change) : answered.message;
  return [...nodes.slice(0, answeredAt), { ...answered, message }];
}

function callsOf({ content }: AssistantMessage): Set<string> {
  return new Set(content.flatMap((part) => ('id' in part ? part.id : [])));
}

/**
 * Undefined where they are as they were. Not what the model wrote any more: it is told in a model's own dialect, and the call is another,
 * with an id of its own.
 */
function withArguments(
  { content }: AssistantMessage,
  { callId, arguments: given }: Extract<Change, { type: 'arguments' }>,
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
  };
}

/** The text is another; whose text it is, is not: what was outside text stays so. */
function withResult(
  message: ToolMessage,
  { callId, text, isError }: Extract<Change, { type: 'result' }>,
): ToolMessage {
  const results = message.results.map((result) => {
    const isSame = textOf(result.content) === text && result.isError === isError;
    if (result.toolCallId !== callId || isSame) return result;
    const others = result.content.filter(({ type }) => type === 'image');
    return {
      ...result,
      ...{ content: [{ type: 'text' as const, text }, ...others], isError, isEdited: true },
      failure: isError ? (result.failure ?? 'failed') : undefined,
      // The text is not a part of it any more.
      whole: undefined,
    };
  });
  return { ...message, results };
}

/** What sub-agents said and did for these messages, those within one another too. */
function saidByAgents(messages: readonly Message[], agents: AgentChats): Message[] {
  return messages.flatMap((message) =>
    message.role !== 'assistant'
      ? []
      : [...callsOf(message)].flatMap((id) => {
          const said = agents.get(id)?.branch.map((node) => node.message) ?? [];
          return [...said, ...saidByAgents(said, agents)];
        }),
  );
}

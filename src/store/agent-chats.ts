/** PURE: the hidden chats in which sub-agents worked, among those of the chat they belong to. */
import type { ChatRecord, MessageNode } from '../contracts/chat';

/** Ids of the calls that messages make. */
function callsOf(nodes: readonly MessageNode[]): string[] {
  return nodes.flatMap(({ message }) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
      : [],
  );
}

/** One of them, with its messages. */
export interface AgentChat {
  chat: Pick<ChatRecord, 'id' | 'agentOf'>;
  nodes: readonly MessageNode[];
}

/** Those that go with some messages and with none of the others: a turn that was run once more makes calls of the one it is taken from. */
export function agentChatsOfOnly<Chat extends AgentChat>(
  nodes: readonly MessageNode[],
  others: readonly MessageNode[],
  agents: readonly Chat[],
): Chat[] {
  const used = new Set(agentChatsOf(others, agents).map(({ chat }) => chat.id));
  return agentChatsOf(nodes, agents).filter(({ chat }) => !used.has(chat.id));
}

/** Those that go with these messages: of their calls, and of the calls that are made in them. */
function agentChatsOf<Chat extends AgentChat>(
  nodes: readonly MessageNode[],
  agents: readonly Chat[],
): Chat[] {
  const calls = new Set(callsOf(nodes));
  const mine = agents.filter(({ chat }) => calls.has(chat.agentOf?.callId ?? ''));
  if (mine.length === 0) return [];
  const others = agents.filter((agent) => !mine.includes(agent));
  return [
    ...mine,
    ...agentChatsOf(
      mine.flatMap((agent) => agent.nodes),
      others,
    ),
  ];
}

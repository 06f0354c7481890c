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

/** Those that go with these messages: of their calls, and of the calls that are made in them. */
export function agentChatsOf(nodes: readonly MessageNode[], agents: readonly AgentChat[]): AgentChat[] {
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

/** PURE: a chat as JSON: every message of every branch, as it is kept, and the chats of its sub-agents. */
import type { LoadedChat } from '../../contracts/store';

export function writeChatJson({ chat, nodes, agents }: LoadedChat, createdAt: number): string {
  const whole = { format: 'hearth-chat', version: 1, createdAt, chat, messages: nodes, agents };
  return JSON.stringify(whole, null, 2);
}

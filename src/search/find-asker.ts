/** Where a person sees what a sub-agent said: in the card of the call that asked it. */
import type { MessageNode } from '../contracts/chat';
import type { ChatSource, SourceChat } from './chat-source';

/** Id of the message of the shown chat that made the call. Undefined where it is not to be found: the chat is opened all the same. */
export async function findAsker(
  source: ChatSource,
  { agentOf }: SourceChat,
  chats: ReadonlyMap<string, SourceChat>,
): Promise<string | undefined> {
  if (!agentOf) return undefined;
  const own = await source.readChat(agentOf.chatId);
  const others = [...chats.values()].filter((chat) => chat.agentOf?.chatId === agentOf.chatId);
  // Two within one another at most; a damaged chat may name itself.
  let { callId } = agentOf;
  for (let depth = 0; depth < 4; depth++) {
    const asker = own.find((node) => makesCall(node, callId));
    if (asker) return asker.id;
    const above = await findAbove(source, others, callId);
    if (above?.agentOf === undefined) return undefined;
    ({ callId } = above.agentOf);
  }
  return undefined;
}

async function findAbove(
  source: ChatSource,
  others: readonly SourceChat[],
  callId: string,
): Promise<SourceChat | undefined> {
  for (const chat of others) {
    if ((await source.readChat(chat.id)).some((node) => makesCall(node, callId))) return chat;
  }
  return undefined;
}

function makesCall({ message }: MessageNode, callId: string): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some((part) => part.type === 'tool-call' && part.id === callId);
}

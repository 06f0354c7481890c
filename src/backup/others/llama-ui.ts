/** PURE: reads chats from llama.cpp's web page: JSON lines, or a JSON list from older versions. */
import { z } from '../../contracts/schema';
import { type ConvertedChat, type ExternalMessage, listTexts } from './other-chat';

const StoredTime = z.nullish(z.union([z.number(), z.string()]));

const Message = z.object({
  id: z.optional(z.string()),
  parent: z.nullish(z.string()),
  role: z.string(),
  content: z.nullish(z.unknown()),
  timestamp: StoredTime,
  thinking: z.nullish(z.string()),
  reasoningContent: z.nullish(z.string()),
  reasoning_content: z.nullish(z.string()),
  extra: z.nullish(z.array(z.unknown())),
  model: z.nullish(z.string()),
  toolCalls: z.nullish(z.union([z.string(), z.array(z.unknown())])),
});
type Message = z.infer<typeof Message>;

const sessionFields = {
  id: z.string(),
  name: z.nullish(z.string()),
  lastModified: z.nullish(z.number()),
  currNode: z.nullish(z.string()),
};
export const LlamaSession = z.object({ ...sessionFields, type: z.literal('session'), timestamp: StoredTime });
export const LlamaLine = z.object({ type: z.literal('message'), timestamp: StoredTime, message: Message });
export const LlamaConversation = z.object({ conv: z.object(sessionFields), messages: z.array(Message) });

export function readLlamaUi({ conv, messages: all }: z.infer<typeof LlamaConversation>): ConvertedChat {
  const messages: ExternalMessage[] = [];
  const skipped = new Map<string, string | null>();
  let leftOut = 0;
  // If a line has no id, its parent is the previous line.
  let before: string | null = null;
  for (const [place, message] of all.entries()) {
    const id = message.id ?? `line-${place}`;
    const parentId = message.id === undefined ? before : (message.parent ?? null);
    before = id;
    const { role } = message;
    const { text, dropped } = textOf(message.content);
    leftOut += dropped + (message.extra?.length ?? 0) + countCalls(message.toolCalls);
    const { thinking, reasoningContent, reasoning_content } = message;
    const reasoning = [thinking, reasoningContent, reasoning_content].find((thought) => thought) ?? '';
    const isSaid = role === 'user' || (role === 'assistant' && (text !== '' || reasoning !== ''));
    if (!isSaid) {
      skipped.set(id, parentId);
      // Count tool results and system prompts, which we do not import.
      if (role !== 'assistant' && text !== '') leftOut++;
      continue;
    }
    const createdAt = toMilliseconds(message.timestamp);
    messages.push({ id, parentId, role, text, reasoning, createdAt, model: message.model });
  }
  const times = messages.map(({ createdAt }) => createdAt);
  const chat = {
    id: conv.id,
    title: conv.name ?? '',
    createdAt: Math.min(...times, conv.lastModified ?? Infinity, Number.MAX_SAFE_INTEGER),
    updatedAt: conv.lastModified ?? Math.max(...times, 0),
    leafId: conv.currNode ?? null,
    messages,
    skipped,
  };
  return { chat, leftOut, shared: [] };
}

function countCalls(calls: Message['toolCalls']): number {
  if (typeof calls === 'string') return calls === '' || calls === '[]' ? 0 : 1;
  return calls?.length ?? 0;
}

function textOf(content: unknown): { text: string; dropped: number } {
  if (typeof content === 'string') return { text: content, dropped: 0 };
  if (!Array.isArray(content)) return { text: '', dropped: 0 };
  const texts = listTexts(content);
  return { text: texts.join('\n'), dropped: content.length - texts.length };
}

function toMilliseconds(time: Message['timestamp']): number {
  const at = typeof time === 'string' ? Date.parse(time) : (time ?? 0);
  return Number.isNaN(at) ? 0 : at;
}

/** PURE: an export of Open WebUI: a list of chats, each with its messages by their ids, times in seconds. */
import { z } from '../../contracts/schema';
import type { OtherChat, OtherMessage } from './other-chat';

const Message = z.object({
  id: z.string(),
  parentId: z.nullish(z.string()),
  role: z.string(),
  content: z.nullish(z.string()),
  timestamp: z.nullish(z.number()),
  files: z.nullish(z.array(z.unknown())),
});

export const OpenWebUiChat = z.object({
  id: z.string(),
  title: z.nullish(z.string()),
  created_at: z.nullish(z.number()),
  updated_at: z.nullish(z.number()),
  archived: z.nullish(z.boolean()),
  pinned: z.nullish(z.boolean()),
  chat: z.object({
    title: z.nullish(z.string()),
    history: z.object({ messages: z.record(z.string(), Message), currentId: z.nullish(z.string()) }),
  }),
});

type Chat = z.infer<typeof OpenWebUiChat>;

/** Older ones have milliseconds in places. */
const milliseconds = (time: number | null | undefined) =>
  Math.round((time ?? 0) * ((time ?? 0) > 1e11 ? 1 : 1000));

export function readOpenWebUi(exported: Chat): { chat: OtherChat; leftOut: number } {
  const { history } = exported.chat;
  const messages: OtherMessage[] = [];
  const passed = new Map<string, string | null>();
  let leftOut = 0;
  for (const { id, parentId = null, role, content, timestamp, files } of Object.values(history.messages)) {
    leftOut += files?.length ?? 0;
    if (role !== 'user' && role !== 'assistant') {
      passed.set(id, parentId);
      continue;
    }
    const parts =
      role === 'assistant' ? split(content ?? '') : { text: content ?? '', reasoning: '', dropped: 0 };
    leftOut += parts.dropped;
    const createdAt = milliseconds(timestamp ?? exported.created_at);
    messages.push({ id, parentId, role, text: parts.text, reasoning: parts.reasoning, createdAt });
  }
  const chat = {
    id: exported.id,
    title: exported.title ?? exported.chat.title ?? '',
    createdAt: milliseconds(exported.created_at),
    updatedAt: milliseconds(exported.updated_at ?? exported.created_at),
    isArchived: exported.archived ?? false,
    isPinned: exported.pinned ?? false,
    leafId: history.currentId ?? null,
    ...{ messages, passed },
  };
  return { chat, leftOut };
}

/** Thinking and calls stand in the text, each in a `<details>` of its own. */
function split(content: string): { text: string; reasoning: string; dropped: number } {
  const reasoning: string[] = [];
  let dropped = 0;
  const text = content.replace(
    /<details type="(\w+)"[^>]*>([^]*?)<\/details>/g,
    (_, type: string, inner: string) => {
      if (type === 'reasoning') reasoning.push(plain(inner));
      else dropped++;
      return '';
    },
  );
  return { text: text.trim(), reasoning: reasoning.join('\n\n'), dropped };
}

/** It is quoted line by line, below a summary that says how long it took. */
function plain(inner: string): string {
  const lines = inner
    .replace(/<summary>[^]*?<\/summary>/g, '')
    .trim()
    .split('\n');
  return lines.map((line) => line.replace(/^(?:&gt;|>) ?/, '')).join('\n');
}

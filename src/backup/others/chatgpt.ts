/** PURE: `conversations.json` of an export of ChatGPT: a list of chats, each a tree of nodes by their ids, times in seconds. */
import { z } from '../../contracts/schema';
import type { OtherChat, OtherMessage } from './other-chat';

const Node = z.object({
  id: z.string(),
  parent: z.nullish(z.string()),
  message: z.nullish(
    z.object({
      author: z.object({ role: z.string() }),
      create_time: z.nullish(z.number()),
      content: z.object({
        content_type: z.string(),
        parts: z.optional(z.array(z.unknown())),
        thoughts: z.optional(z.array(z.looseObject({ content: z.optional(z.string()) }))),
      }),
      /** Whom the text is for: a tool, where it is not `all`. */
      recipient: z.nullish(z.string()),
      metadata: z.optional(z.looseObject({ is_visually_hidden_from_conversation: z.optional(z.boolean()) })),
    }),
  ),
});

export const ChatGptConversation = z.object({
  title: z.nullish(z.string()),
  create_time: z.nullish(z.number()),
  update_time: z.nullish(z.number()),
  conversation_id: z.optional(z.string()),
  id: z.optional(z.string()),
  current_node: z.nullish(z.string()),
  is_archived: z.nullish(z.boolean()),
  mapping: z.record(z.string(), Node),
});

type Conversation = z.infer<typeof ChatGptConversation>;
type Said = NonNullable<z.infer<typeof Node>['message']>;

const milliseconds = (seconds: number | null | undefined) => Math.round((seconds ?? 0) * 1000);

export function readChatGpt(conversation: Conversation, place: number): { chat: OtherChat; leftOut: number } {
  const messages: OtherMessage[] = [];
  const passed = new Map<string, string | null>();
  let leftOut = 0;
  for (const { id, parent = null, message } of Object.values(conversation.mapping)) {
    const read = message ? readMessage(message) : undefined;
    leftOut += read?.leftOut ?? 0;
    if (!message || !read || (read.text === '' && read.leftOut === 0)) {
      passed.set(id, parent);
      if (message && isSaid(message)) leftOut++;
      continue;
    }
    const createdAt = milliseconds(message.create_time ?? conversation.create_time);
    messages.push({ id, parentId: parent, role: read.role, text: read.text, reasoning: '', createdAt });
  }
  const { title, create_time, update_time, current_node, is_archived } = conversation;
  const chat = {
    id: conversation.conversation_id ?? conversation.id ?? String(place),
    title: title ?? '',
    createdAt: milliseconds(create_time),
    updatedAt: milliseconds(update_time ?? create_time),
    isArchived: is_archived ?? false,
    isPinned: false,
    leafId: current_node ?? null,
    ...{ messages, passed },
  };
  return { chat, leftOut };
}

/** What a person sees of it: texts of theirs and of the model. Pictures and files are elsewhere in the export. */
function readMessage({
  author,
  content,
  recipient,
  metadata,
}: Said): (Pick<OtherMessage, 'role' | 'text'> & { leftOut: number }) | undefined {
  const isSeen = (recipient ?? 'all') === 'all' && metadata?.is_visually_hidden_from_conversation !== true;
  const isText = content.content_type === 'text' || content.content_type === 'multimodal_text';
  const { role } = author;
  if (!isSeen || !isText || (role !== 'user' && role !== 'assistant')) return undefined;
  const parts = content.parts ?? [];
  const texts = parts.filter((part) => typeof part === 'string');
  return { role, text: texts.join('\n').trim(), leftOut: parts.length - texts.length };
}

/** Something that a tool did or was asked: not what the page itself put there. */
function isSaid({ author, recipient }: Said): boolean {
  return author.role === 'tool' || (author.role === 'assistant' && (recipient ?? 'all') !== 'all');
}

/** PURE: `conversations.json` of an export of ChatGPT: a list of chats, each a tree of nodes by their ids, times in seconds. */
import { z } from '../../contracts/schema';
import { ChatGptContent, ChatGptReference, documentIn, saidIn, thoughtsIn, toldIn } from './chatgpt-texts';
import type { Converted, OtherMessage } from './other-chat';

const Node = z.object({
  id: z.string(),
  parent: z.nullish(z.string()),
  message: z.nullish(
    z.object({
      author: z.object({ role: z.string() }),
      create_time: z.nullish(z.number()),
      content: ChatGptContent,
      /** Whom the text is for: a tool, where it is not `all`. */
      recipient: z.nullish(z.string()),
      metadata: z.nullish(
        z.looseObject({
          is_visually_hidden_from_conversation: z.nullish(z.boolean()),
          model_slug: z.nullish(z.string()),
          content_references: z.nullish(z.array(ChatGptReference)),
        }),
      ),
    }),
  ),
});

export const ChatGptConversation = z.object({
  title: z.nullish(z.string()),
  create_time: z.nullish(z.number()),
  update_time: z.nullish(z.number()),
  conversation_id: z.nullish(z.string()),
  id: z.nullish(z.string()),
  current_node: z.nullish(z.string()),
  is_archived: z.nullish(z.boolean()),
  is_starred: z.nullish(z.boolean()),
  mapping: z.record(z.string(), Node),
});

type Conversation = z.infer<typeof ChatGptConversation>;
type Message = NonNullable<z.infer<typeof Node>['message']>;

const milliseconds = (seconds: number | null | undefined) => Math.round((seconds ?? 0) * 1000);

export function readChatGpt(conversation: Conversation, place: number): Converted {
  const messages: OtherMessage[] = [];
  const passed = new Map<string, string | null>();
  const thoughts = new Map<string, string>();
  const shared: string[] = [];
  let leftOut = 0;
  for (const { id, parent = null, message } of Object.values(conversation.mapping)) {
    const said = message ? saidBy(message) : { leftOut: 0 };
    leftOut += said.leftOut;
    if (message) shared.push(...toldIn(message.content));
    const { role } = message?.author ?? {};
    if (!message || said.text === undefined || (role !== 'user' && role !== 'assistant')) {
      passed.set(id, parent);
      if (message?.content.content_type === 'thoughts') thoughts.set(id, thoughtsIn(message.content));
      continue;
    }
    const createdAt = milliseconds(message.create_time ?? conversation.create_time);
    const model = role === 'assistant' ? message.metadata?.model_slug : undefined;
    messages.push({ id, parentId: parent, role, text: said.text, reasoning: '', createdAt, model });
  }
  const { title, create_time, update_time, current_node, is_archived, is_starred } = conversation;
  const chat = {
    id: conversation.conversation_id ?? conversation.id ?? String(place),
    title: title ?? '',
    createdAt: milliseconds(create_time),
    updatedAt: milliseconds(update_time ?? create_time),
    isArchived: is_archived ?? false,
    isPinned: is_starred ?? false,
    leafId: current_node ?? null,
    messages: messages.map((message) => withThoughts(message, thoughts, passed)),
    passed,
  };
  return { chat, leftOut, shared };
}

/** What the program itself puts into a chat: nobody said it. */
const unsaid = ['thoughts', 'reasoning_recap', 'user_editable_context', 'model_editable_context'];

/** What a person sees of it: texts of theirs and of the model. Without a text it is passed over. */
function saidBy({ author, content, recipient, metadata }: Message): { text?: string; leftOut: number } {
  const { role } = author;
  if (role === 'tool') return { leftOut: 1 };
  if ((role !== 'user' && role !== 'assistant') || unsaid.includes(content.content_type))
    return { leftOut: 0 };
  if ((recipient ?? 'all') !== 'all') {
    const text = recipient?.startsWith('canmore.') ? documentIn(content) : undefined;
    return text === undefined ? { leftOut: 1 } : { text, leftOut: 0 };
  }
  if (metadata?.is_visually_hidden_from_conversation === true) return { leftOut: 0 };
  const said = saidIn(content, metadata?.content_references ?? []);
  if (!said) return { leftOut: 1 };
  // Of what had pictures alone, the place is kept.
  return said.text === '' && said.leftOut === 0 ? { leftOut: 0 } : said;
}

/** Thoughts stand in nodes of their own, above what was said after them. */
function withThoughts(
  message: OtherMessage,
  thoughts: ReadonlyMap<string, string>,
  passed: ReadonlyMap<string, string | null>,
): OtherMessage {
  if (message.role !== 'assistant' || thoughts.size === 0) return message;
  const found: string[] = [];
  const seen = new Set<string>();
  for (
    let at = message.parentId;
    at !== null && passed.has(at) && !seen.has(at);
    at = passed.get(at) ?? null
  ) {
    seen.add(at);
    found.unshift(thoughts.get(at) ?? '');
  }
  return { ...message, reasoning: found.filter((text) => text !== '').join('\n\n') };
}

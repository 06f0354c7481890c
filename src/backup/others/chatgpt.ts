/** PURE: reads `conversations.json` of a ChatGPT export: a list of chats, each a tree of nodes. Times are in seconds. */
import { parseJson, z } from '../../contracts/schema';
import type { ConvertedChat, ExternalMessage } from './other-chat';

const ChatGptContent = z.object({
  content_type: z.string(),
  parts: z.optional(z.array(z.unknown())),
  language: z.nullish(z.string()),
  text: z.nullish(z.string()),
  /** The user's profile, instructions and memories. Every chat repeats them. */
  user_profile: z.nullish(z.string()),
  user_instructions: z.nullish(z.string()),
  model_set_context: z.nullish(z.string()),
  thoughts: z.optional(
    z.array(z.looseObject({ summary: z.nullish(z.string()), content: z.nullish(z.string()) })),
  ),
});
type Content = z.infer<typeof ChatGptContent>;

/** A citation mark in the text (`matched_text`), and the link that ChatGPT shows instead (`alt`). */
const ChatGptReference = z.looseObject({ matched_text: z.nullish(z.string()), alt: z.nullish(z.string()) });
type Reference = z.infer<typeof ChatGptReference>;

const AudioTranscription = z.object({ content_type: z.literal('audio_transcription'), text: z.string() });

const CanvasDocument = z.object({
  name: z.optional(z.string()),
  type: z.optional(z.string()),
  content: z.string(),
});
const CanvasRewrite = z.object({
  updates: z.array(z.object({ pattern: z.literal('.*'), replacement: z.string() })),
});

const ChatGptNode = z.object({
  id: z.string(),
  parent: z.nullish(z.string()),
  message: z.nullish(
    z.object({
      author: z.object({ role: z.string() }),
      create_time: z.nullish(z.number()),
      content: ChatGptContent,
      /** The addressee of the text: `all`, or a tool. */
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
  mapping: z.record(z.string(), ChatGptNode),
});

type Conversation = z.infer<typeof ChatGptConversation>;
type Message = NonNullable<z.infer<typeof ChatGptNode>['message']>;

const toMilliseconds = (seconds: number | null | undefined) => Math.round((seconds ?? 0) * 1000);

export function readChatGpt(conversation: Conversation, place: number): ConvertedChat {
  const messages: ExternalMessage[] = [];
  const skipped = new Map<string, string | null>();
  const thoughts = new Map<string, string>();
  const shared: string[] = [];
  let leftOut = 0;
  for (const { id, parent = null, message } of Object.values(conversation.mapping)) {
    const said = message ? findVisibleText(message) : { leftOut: 0 };
    leftOut += said.leftOut;
    if (message) shared.push(...listProfileTexts(message.content));
    const { role } = message?.author ?? {};
    if (!message || said.text === undefined || (role !== 'user' && role !== 'assistant')) {
      skipped.set(id, parent);
      if (message?.content.content_type === 'thoughts') thoughts.set(id, joinThoughts(message.content));
      continue;
    }
    const createdAt = toMilliseconds(message.create_time ?? conversation.create_time);
    const model = role === 'assistant' ? message.metadata?.model_slug : undefined;
    messages.push({ id, parentId: parent, role, text: said.text, reasoning: '', createdAt, model });
  }
  const { title, create_time, update_time, current_node, is_archived, is_starred } = conversation;
  const chat = {
    id: conversation.conversation_id ?? conversation.id ?? String(place),
    title: title ?? '',
    createdAt: toMilliseconds(create_time),
    updatedAt: toMilliseconds(update_time ?? create_time),
    isArchived: is_archived ?? false,
    isPinned: is_starred ?? false,
    leafId: current_node ?? null,
    messages: messages.map((message) => addThoughts(message, thoughts, skipped)),
    skipped,
  };
  return { chat, leftOut, shared };
}

interface MessageText {
  text?: string;
  /** Number of parts that we do not import. */
  leftOut: number;
}

const hiddenContentTypes = ['thoughts', 'reasoning_recap', 'user_editable_context', 'model_editable_context'];

function findVisibleText({ author, content, recipient, metadata }: Message): MessageText {
  const { role } = author;
  if (role === 'tool') return { leftOut: 1 };
  if ((role !== 'user' && role !== 'assistant') || hiddenContentTypes.includes(content.content_type))
    return { leftOut: 0 };
  if ((recipient ?? 'all') !== 'all') {
    const text = recipient?.startsWith('canmore.') ? findCanvasDocument(content) : undefined;
    return text === undefined ? { leftOut: 1 } : { text, leftOut: 0 };
  }
  if (metadata?.is_visually_hidden_from_conversation === true) return { leftOut: 0 };
  const said = textOfContent(content, metadata?.content_references ?? []);
  // Import a message that contains only pictures as an empty one, but drop a message without any content.
  return said.text === '' && said.leftOut === 0 ? { leftOut: 0 } : said;
}

/** The export stores the thoughts of a reply in separate nodes above it. */
function addThoughts(
  message: ExternalMessage,
  thoughts: ReadonlyMap<string, string>,
  skipped: ReadonlyMap<string, string | null>,
): ExternalMessage {
  if (message.role !== 'assistant' || thoughts.size === 0) return message;
  const found: string[] = [];
  const seen = new Set<string>();
  for (
    let at = message.parentId;
    at !== null && skipped.has(at) && !seen.has(at);
    at = skipped.get(at) ?? null
  ) {
    seen.add(at);
    found.unshift(thoughts.get(at) ?? '');
  }
  return { ...message, reasoning: found.filter((text) => text !== '').join('\n\n') };
}

function textOfContent(content: Content, references: readonly Reference[]): MessageText {
  const { content_type: type, text } = content;
  if (type === 'code')
    return { text: text?.trim() ? writeCodeBlock(text, content.language) : '', leftOut: 0 };
  if (type !== 'text' && type !== 'multimodal_text') return { leftOut: 1 };
  const parts = (content.parts ?? []).filter((part) => part !== null);
  const texts = parts.flatMap((part) => textOfPart(part) ?? []);
  return { text: linkCitations(texts.join('\n'), references).trim(), leftOut: parts.length - texts.length };
}

function listProfileTexts({ user_profile, user_instructions, model_set_context }: Content): string[] {
  return [user_profile, user_instructions, model_set_context].flatMap((told) => told?.trim() || []);
}

function joinThoughts({ thoughts = [] }: Content): string {
  return thoughts
    .map(({ summary, content }) => [summary && `**${summary}**`, content].filter(Boolean).join('\n\n'))
    .join('\n\n')
    .trim();
}

/** Returns the document that a canvas call writes or rewrites as a whole. Undefined for a partial change. */
function findCanvasDocument({ parts = [], text }: Content): string | undefined {
  const given = text ?? parts.find((part) => typeof part === 'string');
  const json = given === undefined ? undefined : parseJson(given);
  const whole = CanvasDocument.safeParse(json);
  if (whole.success) {
    const { name, type = 'document', content } = whole.data;
    const body = type.startsWith('code/') ? writeCodeBlock(content, type.slice('code/'.length)) : content;
    return name === undefined ? body : `**${name}**\n\n${body}`;
  }
  const again = CanvasRewrite.safeParse(json);
  return again.success ? again.data.updates.at(-1)?.replacement : undefined;
}

function textOfPart(part: unknown): string | undefined {
  return typeof part === 'string' ? part : AudioTranscription.safeParse(part).data?.text;
}

/** Replaces ChatGPT's marks (private-use characters): a citation with its link, an entity with its name. Removes all others. */
function linkCitations(text: string, references: readonly Reference[]): string {
  let linked = text;
  for (const { matched_text: mark, alt } of references)
    if (mark && mark.trim() !== '') linked = linked.replaceAll(mark, () => alt ?? '');
  return linked
    .replace(/\ue200entity\ue202\[[^,\]]*, *"([^"\ue201]*)"[^\ue201]*\ue201/g, '$1')
    .replace(/ ?\ue200[^\ue201]*\ue201/g, '');
}

function writeCodeBlock(code: string, language: string | null | undefined): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language && language !== 'unknown' ? language : ''}\n${code}\n${fence}`;
}

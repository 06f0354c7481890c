/** PURE: reads an Open WebUI export: a list of chats, each with its messages by id. Times are in seconds. */
import { z } from '../../contracts/schema';
import { type ConvertedChat, type ExternalMessage, listTexts } from './other-chat';

const OutputItem = z.looseObject({
  type: z.string(),
  content: z.nullish(z.unknown()),
  summary: z.nullish(z.unknown()),
});

const Message = z.object({
  id: z.string(),
  parentId: z.nullish(z.string()),
  role: z.string(),
  content: z.nullish(z.string()),
  timestamp: z.nullish(z.number()),
  files: z.nullish(z.array(z.unknown())),
  model: z.nullish(z.string()),
  error: z.nullish(z.union([z.boolean(), z.string(), z.looseObject({ content: z.optional(z.unknown()) })])),
  /** Thoughts, calls and texts in order. Replaces `content` in an edited reply. */
  output: z.nullish(z.array(OutputItem)),
});

export const OpenWebUiChat = z.object({
  id: z.string(),
  title: z.nullish(z.string()),
  created_at: z.nullish(z.number()),
  updated_at: z.nullish(z.number()),
  archived: z.nullish(z.boolean()),
  pinned: z.nullish(z.boolean()),
  folder_id: z.nullish(z.string()),
  meta: z.nullish(z.looseObject({ tags: z.nullish(z.array(z.unknown())) })),
  chat: z.object({
    title: z.nullish(z.string()),
    history: z.object({ messages: z.record(z.string(), Message), currentId: z.nullish(z.string()) }),
  }),
});

type Chat = z.infer<typeof OpenWebUiChat>;

/** Older exports contain some times in milliseconds. */
const toMilliseconds = (time: number | null | undefined) =>
  Math.round((time ?? 0) * ((time ?? 0) > 1e11 ? 1 : 1000));

export function readOpenWebUi(exported: Chat): ConvertedChat {
  const { history } = exported.chat;
  const messages: ExternalMessage[] = [];
  const skipped = new Map<string, string | null>();
  let leftOut = 0;
  for (const message of Object.values(history.messages)) {
    const { id, parentId = null, role, timestamp, files } = message;
    leftOut += files?.length ?? 0;
    if (role !== 'user' && role !== 'assistant') {
      skipped.set(id, parentId);
      if (message.content?.trim()) leftOut++;
      continue;
    }
    const { dropped, ...said } = role === 'assistant' ? readAnswer(message) : readQuestion(message);
    leftOut += dropped;
    const createdAt = toMilliseconds(timestamp ?? exported.created_at);
    messages.push({ id, parentId, role, ...said, createdAt, model: message.model });
  }
  const chat = {
    id: exported.id,
    title: exported.title ?? exported.chat.title ?? '',
    createdAt: toMilliseconds(exported.created_at),
    updatedAt: toMilliseconds(exported.updated_at ?? exported.created_at),
    isArchived: exported.archived ?? false,
    isPinned: exported.pinned ?? false,
    leafId: history.currentId ?? null,
    messages,
    skipped,
  };
  const { folder_id: folder, meta } = exported;
  const tags = (meta?.tags ?? []).map((tag) => `tag ${JSON.stringify(tag)}`);
  return { chat, leftOut, shared: folder ? [...tags, `folder ${folder}`] : tags };
}

type MessageText = Pick<ExternalMessage, 'text' | 'reasoning'> & { dropped: number };

const readQuestion = ({ content }: z.infer<typeof Message>): MessageText => ({
  text: content ?? '',
  reasoning: '',
  dropped: 0,
});

function readAnswer({ content, output, error }: z.infer<typeof Message>): MessageText {
  const said = content || !output ? splitDetails(content ?? '') : joinTexts(output);
  const why = typeof error === 'object' && typeof error?.content === 'string' ? error.content : error;
  // Without an answer, show the error in its place.
  return said.text === '' && typeof why === 'string' ? { ...said, text: why } : said;
}

/** Separates the text from thoughts and calls, which are inside `<details>` elements. */
function splitDetails(content: string): MessageText {
  const reasoning: string[] = [];
  let dropped = 0;
  const text = content.replace(
    /<details type="(\w+)"[^>]*>([^]*?)<\/details>/g,
    (_, type: string, inner: string) => {
      if (type === 'reasoning') reasoning.push(toPlainText(inner));
      else dropped++;
      return '';
    },
  );
  return { text: text.trim(), reasoning: reasoning.join('\n\n'), dropped };
}

function joinTexts(output: readonly z.infer<typeof OutputItem>[]): MessageText {
  const textsOf = (type: string) =>
    output.flatMap((item) =>
      item.type === type ? [...listTexts(item.summary), ...listTexts(item.content)] : [],
    );
  const isText = ({ type }: { type: string }) => type === 'message' || type === 'reasoning';
  return {
    text: textsOf('message').join('\n\n').trim(),
    reasoning: textsOf('reasoning').join('\n\n'),
    dropped: output.filter((item) => !isText(item) && !item.type.endsWith('_output')).length,
  };
}

const htmlEntities = new Map(
  Object.entries({ '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#x27;': "'", '&#39;': "'" }),
);

/** Removes the `<summary>` and the quote marks (`>`), which newer versions write as entities. */
function toPlainText(inner: string): string {
  const quoted = inner.replace(/<summary>[^]*?<\/summary>/g, '').trim();
  const text = quoted.startsWith('&gt;')
    ? quoted.replace(/&(?:lt|gt|amp|quot|#x27|#39);/g, (entity) => htmlEntities.get(entity) ?? entity)
    : quoted;
  return text
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n');
}

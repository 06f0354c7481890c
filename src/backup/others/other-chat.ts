/** PURE: the common form of chats from other programs, and its conversion to our rows. */
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import type { AssistantMessage } from '../../contracts/message';
import { titleOf } from '../../contracts/chat-logic';
import { isRecord } from '../../contracts/schema';

export interface ExternalMessage {
  id: string;
  /** Null for the first message of a branch. If we do not import the parent, `skipped` contains the parent's own parent. */
  parentId: string | null;
  role: 'user' | 'assistant';
  text: string;
  reasoning: string;
  createdAt: number;
  model?: string | null | undefined;
}

interface ExternalChat {
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  isArchived?: boolean;
  isPinned?: boolean;
  messages: readonly ExternalMessage[];
  leafId: string | null;
  /** Messages that we do not import: maps each id to the id of its parent. */
  skipped: ReadonlyMap<string, string | null>;
}

export interface ConvertedChat {
  chat: ExternalChat;
  leftOut: number;
  /** Texts that we do not import, such as the user's profile. If several chats repeat a text, it counts only once. */
  shared: readonly string[];
}

export function listTexts(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: unknown) =>
    isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
}

/** Builds our ids from the program's ids, so a second import of a file changes nothing. */
export function toChatRows(program: string, chat: ExternalChat): { chat: ChatRecord; nodes: MessageNode[] } {
  const chatId = `${program}-${chat.id}`;
  const idOf = (id: string) => `${chatId}-${id}`;
  const own = new Set(chat.messages.map(({ id }) => id));
  const above = (id: string | null): string | null => {
    const seen = new Set<string>();
    let at = id;
    while (at !== null && !own.has(at) && !seen.has(at)) {
      seen.add(at);
      at = chat.skipped.get(at) ?? null;
    }
    return at !== null && own.has(at) ? at : null;
  };
  const parents = new Map(chat.messages.map(({ id, parentId }) => [id, above(parentId)]));
  const replies = new Set(chat.messages.filter(({ role }) => role === 'assistant').map(({ id }) => id));
  const answered = new Set(Array.from(replies, (id) => parents.get(id)));
  const nodes = chat.messages.map((message): MessageNode => {
    const parentId = parents.get(message.id) ?? null;
    const follows = message.role === 'assistant' && parentId !== null && replies.has(parentId);
    return {
      id: idOf(message.id),
      chatId,
      parentId: parentId === null ? null : idOf(parentId),
      createdAt: message.createdAt,
      message: toMessage(message, follows, program),
      ...(message.model && { model: { id: message.model, engine: program } }),
      // Without `turnEnd`, Hearth would show the turn as interrupted.
      ...(!answered.has(message.id) && { turnEnd: message.role === 'user' ? 'stopped' : 'answered' }),
    };
  });
  const title =
    chat.title.trim() || titleOf(chat.messages.find(({ text }) => text !== '')?.text ?? '') || '…';
  const leaf = above(chat.leafId) ?? chat.messages.at(-1)?.id;
  return {
    chat: {
      id: chatId,
      title,
      isNamed: chat.title.trim() !== '',
      createdAt: chat.createdAt,
      updatedAt: chat.updatedAt,
      leafId: leaf === undefined ? null : idOf(leaf),
      toolsOff: [],
      ...(chat.isArchived && { archivedAt: chat.updatedAt }),
      ...(chat.isPinned && { pinnedAt: chat.updatedAt }),
    },
    nodes,
  };
}

/** Names that programs give themselves, for `Origin`. */
const programNames: Readonly<Record<string, string>> = {
  chatgpt: 'ChatGPT',
  'open-webui': 'Open WebUI',
  'llama-ui': 'llama.cpp',
};

/** Puts a blank line before a reply that `follows` another reply: we show both as one text. */
function toMessage(
  { role, text, reasoning }: ExternalMessage,
  follows: boolean,
  program: string,
): MessageNode['message'] {
  // Whoever made the file may have written the messages, so they do not count as typed here.
  const origins = [{ door: 'import' as const, name: programNames[program] ?? program }];
  if (role === 'user') return { role, content: [{ type: 'text', text }], origins };
  const apart = (words: string) => (follows && words !== '' ? `\n\n${words}` : words);
  const content: AssistantMessage['content'] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: apart(reasoning) }]),
    { type: 'text', text: apart(text) },
  ];
  return { role, content, finishReason: 'stop', origins };
}

/** PURE: a chat of another program, as far as all of them have it, and the rows that it becomes here. */
import type { ChatRecord, MessageNode } from '../../contracts/chat';
import type { AssistantMessage } from '../../contracts/message';
import { titleOf } from '../../contracts/chat-logic';

export interface OtherMessage {
  /** Unique in its chat. */
  id: string;
  /** Null at the top; a message that is not among them is passed over to the one above it. */
  parentId: string | null;
  role: 'user' | 'assistant';
  text: string;
  /** What the model thought aloud; '' for nothing. */
  reasoning: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  /** What wrote it, as its program names it; missing where it does not say, and of a question. */
  model?: string | null | undefined;
}

export interface OtherChat {
  /** Unique among the chats of its program. */
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  isArchived: boolean;
  isPinned: boolean;
  messages: readonly OtherMessage[];
  /** The last message of the branch that was on the screen; null where the program does not say. */
  leafId: string | null;
  /** By the id of each message that is not among them: the one above it. */
  passed: ReadonlyMap<string, string | null>;
}

/** A chat as it comes, and what of it stays behind. */
export interface Converted {
  chat: OtherChat;
  /** Things of this chat alone. */
  leftOut: number;
  /** What other chats of the file may have too, each by a text that is its own: it is counted once. */
  shared: readonly string[];
}

/** The ids name the program and its own ids, so that the same file, read in twice, is there once. */
export function rowsOf(program: string, chat: OtherChat): { chat: ChatRecord; nodes: MessageNode[] } {
  const chatId = `${program}-${chat.id}`;
  const idOf = (id: string) => `${chatId}-${id}`;
  const own = new Set(chat.messages.map(({ id }) => id));
  const above = (id: string | null): string | null => {
    const seen = new Set<string>();
    let at = id;
    while (at !== null && !own.has(at) && !seen.has(at)) {
      seen.add(at);
      at = chat.passed.get(at) ?? null;
    }
    return at !== null && own.has(at) ? at : null;
  };
  const parents = new Map(chat.messages.map(({ id, parentId }) => [id, above(parentId)]));
  const answered = new Set(
    chat.messages.flatMap(({ id, role }) => (role === 'assistant' ? [parents.get(id)] : [])),
  );
  const replies = new Set(chat.messages.flatMap(({ id, role }) => (role === 'assistant' ? [id] : [])));
  const nodes = chat.messages.map((message): MessageNode => {
    const parentId = parents.get(message.id) ?? null;
    const follows = message.role === 'assistant' && parentId !== null && replies.has(parentId);
    return {
      id: idOf(message.id),
      chatId,
      parentId: parentId === null ? null : idOf(parentId),
      createdAt: message.createdAt,
      message: messageOf(message, follows),
      ...(message.model && { model: { id: message.model, engine: program } }),
      // Without it the turn would count as broken off, and be offered to be gone on with.
      ...(!answered.has(message.id) && { turnEnd: message.role === 'user' ? 'stopped' : 'answered' }),
    };
  });
  // Without one it would be an empty line in the list.
  const title =
    chat.title.trim() || titleOf(chat.messages.find(({ text }) => text !== '')?.text ?? '') || '…';
  const leaf = above(chat.leafId) ?? chat.messages.at(-1)?.id;
  return {
    chat: {
      ...{
        id: chatId,
        title,
        isNamed: chat.title.trim() !== '',
        createdAt: chat.createdAt,
        updatedAt: chat.updatedAt,
      },
      leafId: leaf === undefined ? null : idOf(leaf),
      toolsOff: [],
      ...(chat.isArchived && { archivedAt: chat.updatedAt }),
      ...(chat.isPinned && { pinnedAt: chat.updatedAt }),
    },
    nodes,
  };
}

/** `follows` another reply: what a model says in several messages is one text here, and those of others do not go on in the midst of a word. */
function messageOf({ role, text, reasoning }: OtherMessage, follows: boolean): MessageNode['message'] {
  if (role === 'user') return { role, content: [{ type: 'text', text }] };
  const apart = (words: string) => (follows && words !== '' ? `\n\n${words}` : words);
  const content: AssistantMessage['content'] = [
    ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: apart(reasoning) }]),
    { type: 'text', text: apart(text) },
  ];
  return { role, content, finishReason: 'stop' };
}

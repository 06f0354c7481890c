/** Reads stored chats for the index. Never writes, skips damaged rows, and accepts any database version. */
import { Dexie, type Table } from 'dexie';
import { MessageNode } from '../contracts/chat';
import { read, z } from '../contracts/schema';
import type { DeltaRecord } from '../store/tables';
import { isUnfinishedReply, isBinned, applyCheckpoints } from '../store/read-rows';
import type { IndexedMessage } from './segment';
import { foldText } from './words';
import type { AttachedItem, Message, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import { readAttachmentToolName } from '../contracts/tool-names';

export type SourceChat = Awaited<ReturnType<ChatSource['readChats']>>[number];

interface SourceMessage {
  node: MessageNode;
  isBegun: boolean;
}

const ChatRow = z.object({
  id: z.string(),
  title: z.catch(z.string(), ''),
  updatedAt: z.catch(z.number(), 0),
  /** Only in a sub-agent's hidden chat: its parent chat, and the call that started the sub-agent. */
  agentOf: z.catch(z.optional(z.object({ chatId: z.string(), callId: z.string() })), undefined),
});

export class ChatSource {
  /** Aborts when another tab deletes or upgrades the database. Do not index data read before that. */
  readonly endSignal: AbortSignal;
  readonly #database: Dexie;

  constructor(name: string) {
    const life = new AbortController();
    this.endSignal = life.signal;
    this.#database = new Dexie(name, { autoOpen: false });
    this.#database.on('versionchange', () => {
      this.#database.close();
      life.abort();
    });
  }

  async open(): Promise<void> {
    await this.#database.open();
  }

  /** `isDeleted` chats are in the bin. The index keeps them, because the user may restore them. */
  async readChats(ids?: readonly string[]) {
    const table = this.#table('chats');
    const rows = await (ids ? table.bulkGet([...ids]) : table.toArray());
    return rows.flatMap((row) => {
      const chat = read(ChatRow, row);
      if (!chat.ok) return [];
      const foldedTitle = foldText(chat.value.title);
      return [{ ...chat.value, foldedTitle, isDeleted: isBinned(row as object) }];
    });
  }

  async messageIds(chatId?: string): Promise<string[]> {
    const messages = this.#table('messages');
    const found = chatId === undefined ? messages.toCollection() : messages.where('chatId').equals(chatId);
    return found.primaryKeys();
  }

  async readMessages(ids: readonly string[]): Promise<SourceMessage[]> {
    return this.#readNodes(await this.#table('messages').bulkGet([...ids]));
  }

  async readChat(chatId: string): Promise<MessageNode[]> {
    const rows = await this.#table('messages').where('chatId').equals(chatId).toArray();
    return (await this.#readNodes(rows)).map(({ node }) => node);
  }

  async toIndexedMessage({ node, isBegun }: SourceMessage, isAgent: boolean): Promise<IndexedMessage> {
    const { id, chatId, createdAt: at } = node;
    return { id, chatId, at, isBegun, texts: await this.textsOf(node, isAgent) };
  }

  async textsOf({ message }: MessageNode, isAgent: boolean): Promise<IndexedMessage['texts']> {
    const wholes = new Map([
      ...(await this.#readWholes('results', fullResultIds(message))),
      ...(await this.#readWholes('attachments', fileIdsOf(message))),
    ]);
    return textsOf(message, wholes, isAgent);
  }

  async #readWholes(name: 'results' | 'attachments', ids: string[]): Promise<[id: string, text: string][]> {
    const rows = ids.length > 0 ? await this.#table(name).bulkGet(ids) : [];
    return rows.flatMap((row) => {
      const whole = read(FullTextRow, row);
      return whole.ok ? [[whole.value.id, whole.value.text] as [string, string]] : [];
    });
  }

  async #readNodes(rows: readonly unknown[]): Promise<SourceMessage[]> {
    const nodes = rows.flatMap((row) => {
      const node = read(MessageNode, row);
      return node.ok ? [node.value] : [];
    });
    const begun = nodes.filter(isUnfinishedReply);
    const grown = new Map<string, MessageNode>();
    if (begun.length > 0) {
      const deltas = this.#database.table<DeltaRecord>('deltas').where('messageId');
      const growth = await deltas.anyOf(begun.map(({ id }) => id)).toArray();
      for (const node of applyCheckpoints(begun, growth).nodes) grown.set(node.id, node);
    }
    return nodes.map((node) => ({ node: grown.get(node.id) ?? node, isBegun: grown.has(node.id) }));
  }

  #table(name: 'chats' | 'messages' | 'results' | 'attachments'): Table<unknown, string> {
    return this.#database.table(name);
  }
}

const FullTextRow = z.object({ id: z.string(), text: z.string() });

function textsOf(
  message: Message,
  wholes: ReadonlyMap<string, string>,
  isAgent: boolean,
): IndexedMessage['texts'] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      // Leave out the sub-agent's prompt: the call that started the sub-agent already contains it.
      if (isAgent) return [];
      return [
        { place: 'question', text: textOf(message.content) },
        ...(message.attached ?? []).map((one) => ({ place: 'rest' as const, text: textOfFile(one, wholes) })),
      ];
    case 'assistant':
      return message.content.map((part) => {
        if (part.type === 'text') return { place: isAgent ? 'rest' : 'answer', text: part.text };
        if (part.type === 'reasoning') return { place: 'rest', text: part.text };
        const isUnread = part.type === 'invalid-tool-call' && !part.arguments;
        const written = isUnread ? part.raw : JSON.stringify(part.arguments);
        return { place: 'rest', text: `${part.name ?? ''} ${written}` };
      });
    case 'tool':
      return message.results.map((result) => ({ place: 'rest', text: textOfResult(result, wholes) }));
  }
}

function textOfResult({ content, whole }: ToolResult, wholes: ReadonlyMap<string, string>): string {
  const all = whole?.id === undefined ? undefined : wholes.get(whole.id);
  return all === undefined ? textOf(content) : `${textOf(content)}\n${all}`;
}

function textOfFile(attached: AttachedItem, wholes: ReadonlyMap<string, string>): string {
  if (!('fileId' in attached)) return attached.title;
  return `${attached.name}\n${wholes.get(attached.fileId) ?? ''}`;
}

/** Returns the row ids of the full results. Leaves out files that the model read, because we index their text with the question. */
function fullResultIds(message: Message): string[] {
  if (message.role !== 'tool') return [];
  return message.results.flatMap(({ whole }) =>
    whole?.toolName === readAttachmentToolName ? [] : (whole?.id ?? []),
  );
}

function fileIdsOf(message: Message): string[] {
  if (message.role !== 'user') return [];
  return (message.attached ?? []).flatMap((one) => ('fileId' in one ? one.fileId : []));
}

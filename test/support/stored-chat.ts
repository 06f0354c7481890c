/** Creates chats and messages as the store receives them. */
import type { ChatRecord, MessageNode, MessagePosition } from '../../src/contracts/chat';
import type { BinItemKey, Store } from '../../src/contracts/store';

export function chatRecord(id: string, changed: Partial<ChatRecord> = {}): ChatRecord {
  return {
    id,
    title: 'Hi',
    isNamed: false,
    createdAt: 1,
    updatedAt: 1,
    leafId: null,
    toolsOff: [],
    ...changed,
  };
}

let written = 0;

/** Each call is a millisecond later than the last. */
export function placeOf(id: string, parentId: string | null, chatId = 'chat'): MessagePosition {
  return { id, chatId, parentId, createdAt: 1000 + written++ };
}

export function question(id: string, parentId: string | null, text = 'Hi', chatId = 'chat'): MessageNode {
  return {
    ...placeOf(id, parentId, chatId),
    message: { role: 'user', content: [{ type: 'text', text }], origins: [{ door: 'typed' }] },
  };
}

export function answer(id: string, parentId: string | null, text = 'Hello', chatId = 'chat'): MessageNode {
  const content = [{ type: 'text' as const, text }];
  return {
    ...placeOf(id, parentId, chatId),
    message: { role: 'assistant', content, raw: text, finishReason: 'stop' },
    model: { id: 'ember', engine: 'llama' },
    usage: { promptTokens: 10, prefilledTokens: 4, outputTokens: 2 },
  };
}

export const textDelta = (text: string) => ({ type: 'text-delta' as const, text });

export const chatPlaces = (...ids: string[]) => ids.map((id) => ({ kind: 'chat' as const, id }));

/** Permanently deletes items. */
async function purge({ bin }: Pick<Store, 'bin'>, places: readonly BinItemKey[]): Promise<void> {
  await bin.put(places);
  await bin.purge(places);
}

/** Permanently deletes a chat. */
export const deleteChat = (store: Pick<Store, 'bin'>, id: string) => purge(store, chatPlaces(id));

/** Permanently deletes an item, as another tab would. */
export const deleteItem = (bin: Store['bin'], kind: BinItemKey['kind'], id: string) =>
  purge({ bin }, [{ kind, id }]);

/** Permanently deletes a message and its descendants. */
export const deleteMessages = (store: Pick<Store, 'bin'>, id: string) =>
  purge(store, [{ kind: 'messages', id }]);

/** Functions that read and change chats. The app shell loads this file first, so it must not import zod. */
import type { ChatRecord, MessageNode } from './chat';
import type { AssistantMessage } from './message';
import type { ModelEvent } from './model';

const chatSettingFields = ['toolsOff', 'model', 'persona', 'toolSearch'] as const;

export type ChatSettings = Pick<ChatRecord, (typeof chatSettingFields)[number]>;

export function settingsOf(chat: ChatSettings): ChatSettings {
  const chosen = chatSettingFields.flatMap((key) => (chat[key] === undefined ? [] : [[key, chat[key]]]));
  return Object.fromEntries(chosen) as ChatSettings;
}

/** Changes to a chat. The store deletes a field that is set to undefined. */
export type ChatPatch = Partial<
  ChatSettings & Pick<ChatRecord, 'title' | 'isNamed' | 'leafId' | 'toolOffer'>
>;

const maxTitleLength = 60;

/** Derives a chat title from its first question. Asking the model for one would invalidate its KV cache. */
export function titleOf(question: string): string {
  const [line = ''] = question.trim().split('\n');
  const flat = line.replace(/\s+/g, ' ').trim();
  if (flat.length <= maxTitleLength) return flat;
  const cut = flat.slice(0, maxTitleLength);
  // Cut between words. Chinese text has no spaces, so it may be cut anywhere.
  const space = cut.lastIndexOf(' ');
  return `${(space > maxTitleLength / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** Returns the branch that ends in `leafId`, oldest first. If a parent is missing, the branch begins with its child. */
export function branchOf(nodes: readonly MessageNode[], leafId: string | null): MessageNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const branch: MessageNode[] = [];
  let node = leafId === null ? undefined : byId.get(leafId);
  while (node) {
    branch.push(node);
    // Visit each node once: a damaged tree may contain a cycle.
    byId.delete(node.id);
    node = node.parentId === null ? undefined : byId.get(node.parentId);
  }
  return branch.reverse();
}

/** Returns the tree without a message and its descendants. Expects parents before children. */
export function removeSubtree(nodes: readonly MessageNode[], id: string): MessageNode[] {
  const removed = new Set([id]);
  return nodes.filter((node) => {
    if (node.parentId !== null && removed.has(node.parentId)) removed.add(node.id);
    return !removed.has(node.id);
  });
}

/** Returns the message and its siblings, which are edited questions or regenerated replies. Oldest first. */
export function versionsOf(nodes: readonly MessageNode[], { parentId }: Pick<MessageNode, 'parentId'>) {
  return nodes.filter((node) => node.parentId === parentId);
}

/** Returns the id of the newest message among `id` and its descendants. Expects parents before children. */
export function newestLeafOf(nodes: readonly MessageNode[], id: string): string {
  const subtree = new Set([id]);
  let newest = id;
  for (const node of nodes) {
    if (node.parentId === null || !subtree.has(node.parentId)) continue;
    subtree.add(node.id);
    newest = node.id;
  }
  return newest;
}

/** Returns the leaf to show after a removal of `node`: the newest leaf of a neighbouring version, or else the parent. */
export function leafAfterRemoval(nodes: readonly MessageNode[], node: MessageNode): string | null {
  const versions = versionsOf(nodes, node);
  const place = versions.findIndex(({ id }) => id === node.id);
  const neighbour = versions[place - 1] ?? versions[place + 1];
  return neighbour ? newestLeafOf(nodes, neighbour.id) : node.parentId;
}

type ReplyContent = AssistantMessage['content'];

/** Applies one event to a message. Worker, agent loop, screen and store share this function, so their results agree. */
export function appendEvent(content: ReplyContent, event: ModelEvent): ReplyContent {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
    const type = event.type === 'text-delta' ? 'text' : 'reasoning';
    const last = content.at(-1);
    if (last?.type !== type) return [...content, { type, text: event.text }];
    return content.with(-1, { type, text: last.text + event.text });
  }
  if (event.type === 'tool-call') return [...content, event.call];
  return event.type === 'finish' ? event.message.content : content;
}

import type { ChatRecord, MessageNode } from './chat';
import type { AssistantMessage } from './message';
import type { ModelEvent } from './model';

/** What a person chooses for one chat. It has no schema of its own, because the first paint does without those. */

const fields = ['toolsOff', 'model', 'persona', 'toolSearch'] as const;

/** What was not chosen is missing. */
export type ChatSettings = Pick<ChatRecord, (typeof fields)[number]>;

/** Undefined values are left out. */
export function settingsOf(chat: ChatSettings): ChatSettings {
  const chosen = fields.flatMap((field) => (chat[field] === undefined ? [] : [[field, chat[field]]]));
  return Object.fromEntries(chosen) as ChatSettings;
}

/** What is changed in a chat. An undefined value deletes the field. */
export type ChatPatch = Partial<
  ChatSettings & Pick<ChatRecord, 'title' | 'isNamed' | 'leafId' | 'toolOffer'>
>;

/** A chat's title from its first question: asking the model would cost it its cache. */

const maxCharacters = 60;

export function titleOf(question: string): string {
  const [line = ''] = question.trim().split('\n');
  const flat = line.replace(/\s+/g, ' ').trim();
  if (flat.length <= maxCharacters) return flat;
  const cut = flat.slice(0, maxCharacters);
  // Between words where there are words; Chinese has no spaces to cut at.
  const space = cut.lastIndexOf(' ');
  return `${(space > maxCharacters / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** Walks on the tree of a chat. Without zod, for the first paint. */

/** The branch that ends in `leafId`, oldest first. A missing parent ends it: what is left is still shown. */
export function branchOf(nodes: readonly MessageNode[], leafId: string | null): MessageNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const branch: MessageNode[] = [];
  let node = leafId === null ? undefined : byId.get(leafId);
  while (node) {
    branch.push(node);
    // Each only once: a damaged tree may run in a circle.
    byId.delete(node.id);
    node = node.parentId === null ? undefined : byId.get(node.parentId);
  }
  return branch.reverse();
}

/** The tree without a message and all that grew from it. Parents stand before their children, as they were written. */
export function withoutSubtree(nodes: readonly MessageNode[], id: string): MessageNode[] {
  const gone = new Set([id]);
  return nodes.filter((node) => {
    if (node.parentId !== null && gone.has(node.parentId)) gone.add(node.id);
    return !gone.has(node.id);
  });
}

/** A message and those that stand in its place: questions that were edited, replies that were asked for again. Oldest first, as written. */
export function versionsOf(
  nodes: readonly MessageNode[],
  { parentId }: Pick<MessageNode, 'parentId'>,
): MessageNode[] {
  return nodes.filter((node) => node.parentId === parentId);
}

/** The message that was written last of one and all that grew from it. Given parents before their children, as they were written. */
export function newestLeafOf(nodes: readonly MessageNode[], id: string): string {
  const grown = new Set([id]);
  let newest = id;
  for (const node of nodes) {
    if (node.parentId === null || !grown.has(node.parentId)) continue;
    grown.add(node.id);
    newest = node.id;
  }
  return newest;
}

/** Where to go when a message with all that grew from it is taken away: to the version before it, or after it, or to its parent. */
export function leafWithout(nodes: readonly MessageNode[], node: MessageNode): string | null {
  const versions = versionsOf(nodes, node);
  const place = versions.findIndex(({ id }) => id === node.id);
  const beside = versions[place - 1] ?? versions[place + 1];
  return beside ? newestLeafOf(nodes, beside.id) : node.parentId;
}

/** How events become a message: the one place, so that worker, loop, screen and store cannot disagree. Without zod, for the first paint. */

export function appendEvent(
  content: AssistantMessage['content'],
  event: ModelEvent,
): AssistantMessage['content'] {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
    const type = event.type === 'text-delta' ? 'text' : 'reasoning';
    const last = content.at(-1);
    if (last?.type !== type) return [...content, { type, text: event.text }];
    return content.with(-1, { type, text: last.text + event.text });
  }
  if (event.type === 'tool-call') return [...content, event.call];
  // The others say nothing of the message.
  return event.type === 'finish' ? event.message.content : content;
}

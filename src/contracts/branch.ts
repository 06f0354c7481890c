/** Walks on the tree of a chat. Without zod, for the first paint. */
import type { MessageNode } from './chat';

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

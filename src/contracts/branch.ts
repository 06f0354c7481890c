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

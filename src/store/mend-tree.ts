/** PURE: a tree of messages as a backup may hold it: each message stands below one that is there, or at the top. */
import type { MessageNode } from '../contracts/chat';

/**
 * A message whose parent is missing, or that stands below itself, goes to the top: as the screen has it. Gives how many those were.
 */
export function mendTree(nodes: readonly MessageNode[]): { nodes: MessageNode[]; mended: number } {
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const settled = new Set<string>();
  const uprooted = new Set<string>();
  for (const { id } of nodes) {
    const line = new Set<string>();
    let at: string | null = id;
    while (at !== null && !settled.has(at)) {
      line.add(at);
      const parent: string | null = parents.get(at) ?? null;
      if (parent !== null && (!parents.has(parent) || line.has(parent))) {
        uprooted.add(at);
        parents.set(at, null);
        at = null;
      } else at = parent;
    }
    for (const seen of line) settled.add(seen);
  }
  if (uprooted.size === 0) return { nodes: [...nodes], mended: 0 };
  // Their depths were counted in the other tree: they are counted anew where the chat is next read.
  const mended = nodes.map((node) => {
    const { depth, ...rest } = node;
    const parentId = uprooted.has(node.id) ? null : node.parentId;
    return depth === undefined && parentId === node.parentId ? node : { ...rest, parentId };
  });
  return { nodes: mended, mended: uprooted.size };
}

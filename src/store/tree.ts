/** Functions on trees of messages. They all tolerate damaged trees. */
import type { MessageNode } from '../contracts/chat';

interface Placed {
  id: string;
  parentId: string | null;
}

/** Returns the ids of a message and its descendants. */
export function subtreeOf(nodes: readonly Placed[], id: string): Set<string> {
  const children = new Map<string | null, string[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parentId);
    if (siblings) siblings.push(node.id);
    else children.set(node.parentId, [node.id]);
  }
  const ids = new Set([id]);
  // Iterating a set also visits items that are added on the way, each once. So a cycle in a damaged tree ends too.
  for (const parent of ids) for (const child of children.get(parent) ?? []) ids.add(child);
  return ids;
}

/** Sorts oldest first, and every message after its parent, even if the clock was set back. */
export function inOrder<Node extends Placed & { createdAt: number }>(nodes: readonly Node[]): Node[] {
  const waiting = new Map(
    nodes
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map((node) => [node.id, node]),
  );
  const ordered: Node[] = [];
  for (const first of waiting.values()) {
    const line: Node[] = [];
    for (let node: Node | undefined = first; node;) {
      line.push(node);
      waiting.delete(node.id);
      node = node.parentId === null ? undefined : waiting.get(node.parentId);
    }
    ordered.push(...line.reverse());
  }
  return ordered;
}

/** Whether a row is in the bin. Code that reads rows for a screen, a model or a search must leave those out, with `shownOf`. */
export function isBinned(row: object): boolean {
  return 'deletedAt' in row && typeof row.deletedAt === 'number';
}

export function shownOf<Row extends object>(rows: readonly Row[]): Row[] {
  return rows.filter((row) => !isBinned(row));
}

/** Returns the number of messages before each one in its branch. Expects parents before children. */
export function depthsOf(nodes: readonly Placed[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parentId } of nodes) {
    const parent = parentId === null ? undefined : depths.get(parentId);
    depths.set(id, parent === undefined ? 0 : parent + 1);
  }
  return depths;
}

/** Moves messages without a parent, and those in a cycle, to the top, as the screen shows them. `mended` is their number. */
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
  // Their depths belonged to the old tree. The next load counts them again.
  const mended = nodes.map((node) => {
    const { depth, ...rest } = node;
    const parentId = uprooted.has(node.id) ? null : node.parentId;
    return depth === undefined && parentId === node.parentId ? node : { ...rest, parentId };
  });
  return { nodes: mended, mended: uprooted.size };
}

/** PURE: what stands where in a tree of messages. */

interface Placed {
  id: string;
  parentId: string | null;
}

/** The ids of a message and of all that grew from it. */
export function subtreeOf(nodes: readonly Placed[], id: string): Set<string> {
  const children = new Map<string | null, string[]>();
  for (const node of nodes) {
    const siblings = children.get(node.parentId);
    if (siblings) siblings.push(node.id);
    else children.set(node.parentId, [node.id]);
  }
  const ids = new Set([id]);
  // A set also visits what is added on the walk, once: a damaged tree with a circle ends all the same.
  for (const parent of ids) for (const child of children.get(parent) ?? []) ids.add(child);
  return ids;
}

/** Oldest first, and every message after its parent, also where the clock was set back between them. */
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

/** Whether a row is in the bin. What reads rows for a screen, a model or a search must leave those out: `shownOf` does. */
export function isBinned(row: object): boolean {
  return 'deletedAt' in row && typeof row.deletedAt === 'number';
}

export function shownOf<Row extends object>(rows: readonly Row[]): Row[] {
  return rows.filter((row) => !isBinned(row));
}

/** How many messages stand before each in its branch. Given parents before their children; one without a parent begins a branch. */
export function depthsOf(nodes: readonly Placed[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parentId } of nodes) {
    const parent = parentId === null ? undefined : depths.get(parentId);
    depths.set(id, parent === undefined ? 0 : parent + 1);
  }
  return depths;
}

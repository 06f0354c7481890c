/** PURE: rows that are in the bin, as a person is shown them. */
import type { BinEntry, BinKind } from '../contracts/bin';
import type { MessageNode } from '../contracts/chat';
import { textOf } from '../contracts/text-of';

/** Characters of a text by which a person knows what it was. */
const nameLength = 80;

/** Groups what went there together, by the first of each group. */
export function entriesOfMessages(nodes: readonly MessageNode[]): BinEntry[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const firsts = new Map<string, { first: MessageNode; count: number }>();
  const firstOf = new Map<string, string>();
  for (const node of nodes) {
    const parent = node.parentId === null ? undefined : byId.get(node.parentId);
    const isWith = parent !== undefined && parent.deletedAt === node.deletedAt;
    const first = (isWith ? firstOf.get(parent.id) : undefined) ?? node.id;
    firstOf.set(node.id, first);
    const group = firsts.get(first);
    if (group) group.count += 1;
    else firsts.set(first, { first: node, count: 1 });
  }
  return [...firsts.values()].map(({ first, count }) => ({
    ...entryOf('messages', first, nameOfMessage(first)),
    count,
  }));
}

function nameOfMessage({ message }: MessageNode): string {
  if (message.role !== 'user' && message.role !== 'assistant') return '';
  const text = textOf(message.content.filter((part) => part.type === 'text'));
  return text.replace(/\s+/g, ' ').trim().slice(0, nameLength);
}

export function entryOf(kind: BinKind, row: { id: string }, name: string): BinEntry {
  return { kind, id: row.id, name: name.slice(0, nameLength), deletedAt: deletedAtOf(row) };
}

/** Infinity for what is not in the bin. */
export function deletedAtOf(row: object): number {
  return 'deletedAt' in row && typeof row.deletedAt === 'number' ? row.deletedAt : Infinity;
}

/** A text in a row that may be damaged. */
export function nameIn(row: unknown, ...path: readonly string[]): string {
  const value = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    row,
  );
  return typeof value === 'string' ? value : '';
}

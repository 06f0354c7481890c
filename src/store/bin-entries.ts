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

export function entryOf(kind: BinKind, row: Marked, name: string): BinEntry {
  return { kind, id: row.id, name: name.slice(0, nameLength), deletedAt: row.deletedAt ?? Infinity };
}

interface Marked {
  id: string;
  deletedAt?: number | undefined;
}

/** Where the name of a row stands in it. The rows may be damaged. */
export interface Naming {
  shown: readonly string[];
  /** Of which no two may have the same, and what stands before a number that tells them apart. */
  unique?: { path: readonly string[]; separator: string };
}

/** Models call tools by their name, and permissions name servers. */
export const naming = {
  persona: { shown: ['content', 'name'] },
  tool: { shown: ['content', 'title'], unique: { path: ['content', 'name'], separator: '_' } },
  note: { shown: ['text'] },
  prompt: { shown: ['name'] },
  server: { shown: ['name'], unique: { path: ['name'], separator: ' ' } },
} satisfies Partial<Record<BinKind, Naming>>;

export function entryOfRow(kind: keyof typeof naming, row: Marked): BinEntry {
  return entryOf(kind, row, textIn(row, naming[kind].shown));
}

/** What changes in a row that is taken out of the bin where its name was given to another meanwhile, by the path of the field. */
export function renamed(row: Marked, { unique }: Naming, others: readonly Marked[]): Record<string, string> {
  if (!unique) return {};
  const { path, separator } = unique;
  const name = textIn(row, path);
  const taken = new Set(others.flatMap((other) => (other.id === row.id ? [] : textIn(other, path))));
  return name === '' || !taken.has(name) ? {} : { [path.join('.')]: freeName(name, taken, separator) };
}

export function freeName(name: string, taken: ReadonlySet<string>, separator: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}${separator}${count}`;
    if (!taken.has(free)) return free;
  }
}

function textIn(row: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    row,
  );
  return typeof value === 'string' ? value : '';
}

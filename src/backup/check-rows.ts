/** Checks the rows of a backup against their schemas and against each other: what is let through can be kept as it is. */
import type { BackupManifest } from '../contracts/backup';
import { read } from '../contracts/schema';
import type { CarriedTable } from '../store/kept-tables';
import { damaged, refused, tooLarge } from './failures';

/** Rows of one backup: their names are held in memory while it is read. */
const mostRows = 5_000_000;

export interface RowCheck {
  /** Throws an `AppError` where it does not fit; else gives the row, without what no row has. */
  row: (table: CarriedTable, json: unknown) => object;
  /** After the last one: what only all of them together show. */
  end: () => void;
}

export function createRowCheck({ parts }: Pick<BackupManifest, 'parts'>): RowCheck {
  const hasChats = parts.includes('chats');
  const known = new Map<string, Set<unknown>>();
  const parents = new Map<string, { parentId: string | null; chatId: string }>();
  const chatsOfAgents: string[] = [];
  let count = 0;
  const has = (table: string, id: unknown) => known.get(table)?.has(id) ?? false;

  function checkKey({ name, key }: CarriedTable, row: object): void {
    const id: unknown = Reflect.get(row, key);
    const keys = known.get(name) ?? new Set();
    known.set(name, keys);
    if (keys.has(id)) throw refused(`A row of ${name} is in it twice.`);
    keys.add(id);
    if (++count > mostRows) throw tooLarge(`More than ${mostRows} rows are in it.`);
  }

  function checkReferences(table: CarriedTable, row: Readonly<Record<string, unknown>>): void {
    const { chatId, messageId, agentOf } = row;
    const isOfChat = table.isOfChat === true || table.name === 'messages';
    if (isOfChat && typeof chatId === 'string' && (!hasChats || !has('chats', chatId)))
      throw refused(`A row of ${table.name} is of a chat that is not in it.`);
    if (table.name === 'deltas' && !has('messages', messageId))
      throw refused('A checkpoint in it is of a message that is not.');
    if (table.name === 'chats' && isAgentOf(agentOf)) chatsOfAgents.push(agentOf.chatId);
  }

  return {
    row(table, json) {
      const row = read(table.schema, json);
      if (!row.ok) throw damaged(`A row of ${table.name} cannot be read: ${row.reason}`);
      checkKey(table, row.value);
      checkReferences(table, row.value as Readonly<Record<string, unknown>>);
      if (table.name === 'messages') {
        const { id, parentId, chatId } = row.value as { id: string; parentId: string | null; chatId: string };
        parents.set(id, { parentId, chatId });
      }
      return row.value;
    },
    end() {
      if (chatsOfAgents.some((id) => !has('chats', id))) throw refused('A chat in it belongs to none.');
      checkTree(parents);
    },
  };
}

/** Each message stands below one of its own chat, and none below itself. */
function checkTree(nodes: ReadonlyMap<string, { parentId: string | null; chatId: string }>): void {
  const settled = new Set<string>();
  for (const [id, { chatId }] of nodes) {
    const line = new Set<string>();
    for (let at: string | null = id; at !== null && !settled.has(at);) {
      if (line.has(at)) throw refused('Messages in it stand below themselves.');
      line.add(at);
      const node = nodes.get(at);
      if (node?.chatId !== chatId) throw refused('A message in it stands below none of its chat.');
      at = node.parentId;
    }
    for (const seen of line) settled.add(seen);
  }
}

function isAgentOf(value: unknown): value is { chatId: string } {
  return typeof value === 'object' && value !== null && 'chatId' in value && typeof value.chatId === 'string';
}

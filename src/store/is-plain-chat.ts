/**
 * PURE: whether a row is a chat's record, said quickly for what nearly all of them are: the list reads thousands of them at the start, and zod
 * takes longer for that than the database. Of any other row nothing is said: it is checked in full.
 */
import type { ChatRecord } from '../contracts/chat';

/** The fields whose values are looked at below; a row that has others is checked in full. */
const known = new Set([
  ...['id', 'title', 'isNamed', 'createdAt', 'updatedAt', 'leafId', 'toolsOff', 'persona'],
  ...['pinnedAt', 'archivedAt', 'folderId', 'deletedAt'],
]);

const isText = (value: unknown) => typeof value === 'string';
const isTime = (value: unknown) => Number.isFinite(value);
const isTextOrNone = (value: unknown) => value === undefined || isText(value);
const isTimeOrNone = (value: unknown) => value === undefined || isTime(value);

export function isPlainChat(row: Partial<Record<keyof ChatRecord, unknown>>): row is ChatRecord {
  const { toolsOff, leafId, isNamed } = row;
  const hasOwn =
    isText(row.id) &&
    isText(row.title) &&
    typeof isNamed === 'boolean' &&
    isTime(row.createdAt) &&
    isTime(row.updatedAt) &&
    (leafId === null || isText(leafId));
  // Not `every`, which passes over holes.
  const areNames = Array.isArray(toolsOff) && toolsOff.findIndex((name) => !isText(name)) < 0;
  if (!hasOwn || !areNames) return false;
  const areTimes = isTimeOrNone(row.pinnedAt) && isTimeOrNone(row.archivedAt) && isTimeOrNone(row.deletedAt);
  if (!areTimes || !isTextOrNone(row.folderId) || !isTextOrNone(row.persona)) return false;
  for (const field in row) if (!known.has(field)) return false;
  return true;
}

/**
 * What the list shows of a chat, whatever else its row holds. Undefined where that much is not plain, and of what has no place there: a chat
 * in the bin, or of an agent.
 */
export function listedPartOf(row: Partial<Record<keyof ChatRecord, unknown>>): ChatRecord | undefined {
  if (row.deletedAt !== undefined || row.agentOf !== undefined) return undefined;
  if (isPlainChat(row)) return row;
  const part = Object.fromEntries(Object.entries(row).filter(([field]) => known.has(field)));
  return isPlainChat(part) ? part : undefined;
}

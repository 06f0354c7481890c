import type { MessageNode } from '../contracts/chat';
import { newestLeafOf, titleOf, versionsOf } from '../contracts/chat-logic';
import type { BranchOptions, ChatRecorder } from './chat-recorder';
import type { ChatSession } from './chat-session.svelte';
import type { Turn } from './turns';

/** The versions of a message: questions that were edited and replies that were asked for again, beside one another. */

export interface Versions {
  /** Oldest first. */
  all: readonly MessageNode[];
  /** Of the one that is shown, from 0. */
  place: number;
}

/** Undefined of a message that has none beside it. */
export function findVersions(
  { nodes }: Pick<ChatSession, 'nodes'>,
  node: MessageNode | undefined,
): Versions | undefined {
  if (!node) return undefined;
  const all = versionsOf(nodes, node);
  return all.length > 1 ? { all, place: all.findIndex(({ id }) => id === node.id) } : undefined;
}

/** Where each version was left in this visit, by its id. */
const left = new WeakMap<ChatSession, Map<string, string>>();

/** Shows another version, as far as its branch goes: to where it was left, or to what was said last in it. */
export async function showVersion(
  session: ChatSession,
  { all, place }: Versions,
  next: MessageNode,
): Promise<void> {
  if (session.isRunning) return;
  // What grew from it may not have been read yet.
  await session.read(true);
  const places = left.get(session) ?? new Map<string, string>();
  left.set(session, places);
  const shown = all[place];
  if (shown && session.leafId !== null) places.set(shown.id, session.leafId);
  const before = places.get(next.id);
  const isThere = before !== undefined && session.nodes.some(({ id }) => id === before);
  await session.showLeaf(isThere ? before : newestLeafOf(session.nodes, next.id));
}

/** Asks once more in a branch beside the one that is there: the same question, or another in its place. */

/** Beside the old reply. */
export async function regenerate(
  session: Pick<ChatRecorder, 'branchOff'>,
  { question }: Pick<Turn, 'question'>,
): Promise<void> {
  if (question) await session.branchOff(question.id);
}

/** Something else in the place of a question, with the files and the outside text that it had. */
export async function editQuestion(
  session: Pick<ChatRecorder, 'branchOff'>,
  { parentId, message }: MessageNode,
  text: string,
  options: Pick<BranchOptions, 'replay' | 'onPut'> = {},
): Promise<void> {
  if (text.trim() === '') return;
  const { sources, attached } = message.role === 'user' ? message : {};
  const asked = { role: 'user' as const, content: [{ type: 'text' as const, text }], sources, attached };
  // The title is the beginning of the first question.
  const title = parentId === null ? titleOf(text) : undefined;
  await session.branchOff(parentId, [[asked]], { title, ...options });
}

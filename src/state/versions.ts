/** Versions of a message: switches between them, and creates new ones when the user edits a question or asks again. */
import type { MessageNode } from '../contracts/chat';
import { newestLeafOf, titleOf, versionsOf } from '../contracts/chat-logic';
import type { BranchOptions, ChatSession } from './chat-session.svelte';
import type { Turn } from './turns';

type Versions = NonNullable<ReturnType<typeof findVersions>>;

/** `place`: index of the shown version in `all`. Undefined if there is only one version. */
export function findVersions({ nodes }: Pick<ChatSession, 'nodes'>, node: MessageNode | undefined) {
  if (!node) return undefined;
  const all = versionsOf(nodes, node);
  return all.length > 1 ? { all, place: all.findIndex(({ id }) => id === node.id) } : undefined;
}

/** For each version's id, the leaf last shown below that version during this visit. */
const lastLeafIds = new WeakMap<ChatSession, Map<string, string>>();

/** Shows another version, at the leaf where the user left it, or at its newest leaf. */
export async function showVersion(session: ChatSession, { all, place }: Versions, next: MessageNode) {
  if (session.isRunning) return;
  await session.loadEarlier(true);
  const places = lastLeafIds.get(session) ?? new Map<string, string>();
  lastLeafIds.set(session, places);
  const shown = all[place];
  if (shown && session.leafId !== null) places.set(shown.id, session.leafId);
  const before = places.get(next.id);
  const isThere = before !== undefined && session.nodes.some(({ id }) => id === before);
  await session.showLeaf(isThere ? before : newestLeafOf(session.nodes, next.id));
}

export async function regenerate(session: ChatSession, { question }: Pick<Turn, 'question'>): Promise<void> {
  if (question) await session.startBranch(question.id);
}

export async function editQuestion(
  session: ChatSession,
  { parentId, message }: MessageNode,
  text: string,
  options: Pick<BranchOptions, 'replay' | 'onQueued'> = {},
): Promise<void> {
  if (text.trim() === '') return;
  if (message.role !== 'user') return;
  const { origins, attached } = message;
  const asked = {
    role: 'user' as const,
    content: [{ type: 'text' as const, text }],
    origins: session.originsOf(text, origins),
    attached,
  };
  const title = parentId === null ? titleOf(text) : undefined;
  await session.startBranch(parentId, [[asked]], { title, ...options });
}

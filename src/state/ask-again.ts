/** Asks once more in a branch beside the one that is there: the same question, or another in its place. */
import type { MessageNode } from '../contracts/chat';
import type { BranchOptions, ChatRecorder } from './chat-recorder';
import { titleOf } from '../contracts/chat-logic';
import type { Turn } from './turns';

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

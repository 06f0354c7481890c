/** Questions as they are being changed, and other forms of a chat: kept with its draft until they are done, so that a reload loses nothing of them. */
import type { ChatSession } from './chat-session.svelte';

type Session = Pick<ChatSession, 'edits' | 'draft' | 'setDraft'>;

/** By the id of a question, or the name of a form. Undefined where it is not being changed, or nothing was typed yet. */
export function editOf({ edits }: Pick<Session, 'edits'>, questionId: string): string | undefined {
  return edits.find((edit) => edit.questionId === questionId)?.text;
}

/** Without a text it is forgotten. */
export function keepEdit(session: Session, questionId: string, text?: string): void {
  const others = session.edits.filter((edit) => edit.questionId !== questionId);
  session.edits = text === undefined ? others : [...others, { questionId, text }];
  // Written with it.
  session.setDraft(session.draft);
}

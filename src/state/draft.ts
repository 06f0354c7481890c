/** Changes to a chat's draft: quotes, attachments, edited questions. Kept out of the session, so the shell need not load this code. */
import type { ServerResource } from '../contracts/mcp-server';
import type { AttachedItem } from '../contracts/message';
import type { ChatSession } from './chat-session.svelte';

/** Removes inserted text, and the whole draft with it. If the text stayed, the user could send a stranger's text as their own. */
export function removeInserted(session: ChatSession): void {
  session.setDraft('');
}

export function attach(session: ChatSession, { serverId, uri, title }: ServerResource): void {
  addAttached(session, { serverId, uri, title });
}

export function detach(session: ChatSession, id: string): void {
  session.attached = session.attached.filter((other) => attachmentId(other) !== id);
  session.setDraft(session.draft);
}

export function attachmentId(attached: AttachedItem): string {
  return 'fileId' in attached ? attached.fileId : attached.uri;
}

export function addAttached(session: ChatSession, attached: AttachedItem): void {
  const others = session.attached.filter((other) => attachmentId(other) !== attachmentId(attached));
  session.attached = [...others, attached];
  session.setDraft(session.draft);
}

export function editOf({ edits }: ChatSession, questionId: string): string | undefined {
  return edits.find((edit) => edit.questionId === questionId)?.text;
}

/** Stores an unfinished edit, so it survives a reload. Without `text`, removes the edit. */
export function saveEdit(session: ChatSession, questionId: string, text?: string): void {
  const others = session.edits.filter((edit) => edit.questionId !== questionId);
  session.edits = text === undefined ? others : [...others, { questionId, text }];
  session.setDraft(session.draft);
}

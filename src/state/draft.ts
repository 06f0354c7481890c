import type { ServerResource } from '../contracts/mcp-server';
import type { Attached, AttachedFile } from '../contracts/message';
import type { ChatSession } from './chat-session.svelte';

/** What of servers, and which files, go with the draft of a chat. Apart from the session, so that the first paint does without it. */

type Session = Pick<ChatSession, 'quoted' | 'attached' | 'draft' | 'setDraft'>;

/** Puts a text of a server in the place of the draft. */
export function quote(session: Session, text: string, host: string): void {
  session.quoted = [host];
  session.setDraft(text);
}

/** With its mark the text goes: what a server wrote must not pass for the person's own words. */
export function unquote(session: Session): void {
  session.setDraft('');
}

export function attach(session: Session, { serverId, uri, title }: ServerResource): void {
  add(session, { serverId, uri, title });
}

/** A file that is kept by now. */
export function attachFile(session: Session, file: AttachedFile): void {
  add(session, file);
}

export function detach(session: Session, id: string): void {
  session.attached = session.attached.filter((other) => idOf(other) !== id);
  session.setDraft(session.draft);
}

/** What tells it from all others. */
export function idOf(attached: Attached): string {
  return 'fileId' in attached ? attached.fileId : attached.uri;
}

function add(session: Session, attached: Attached): void {
  const others = session.attached.filter((other) => idOf(other) !== idOf(attached));
  session.attached = [...others, attached];
  session.setDraft(session.draft);
}

/** Questions as they are being changed, and other forms of a chat: kept with its draft until they are done, so that a reload loses nothing of them. */

type EditSession = Pick<ChatSession, 'edits' | 'draft' | 'setDraft'>;

/** By the id of a question, or the name of a form. Undefined where it is not being changed, or nothing was typed yet. */
export function editOf({ edits }: Pick<EditSession, 'edits'>, questionId: string): string | undefined {
  return edits.find((edit) => edit.questionId === questionId)?.text;
}

/** Without a text it is forgotten. */
export function keepEdit(session: EditSession, questionId: string, text?: string): void {
  const others = session.edits.filter((edit) => edit.questionId !== questionId);
  session.edits = text === undefined ? others : [...others, { questionId, text }];
  // Written with it.
  session.setDraft(session.draft);
}

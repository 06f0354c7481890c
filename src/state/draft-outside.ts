/** What of servers, and which files, go with the draft of a chat. Apart from the session, so that the first paint does without it. */
import type { Attached, AttachedFile } from '../contracts/message';
import type { ServerResource } from '../contracts/mcp-server';
import type { ChatSession } from './chat-session.svelte';

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

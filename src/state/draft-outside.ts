/** What of servers goes with the draft of a chat. Apart from the session, so that the first paint does without it. */
import type { ServerResource } from '../contracts/mcp-server';
import type { ChatSession } from './chat-session.svelte';

type Session = Pick<ChatSession, 'quoted' | 'attached' | 'setDraft'>;

/** Puts a text of a server in the place of the draft. */
export function quote(session: Session, text: string, host: string): void {
  session.setDraft(text);
  session.quoted = [host];
}

/** With its mark the text goes: what a server wrote must not pass for the person's own words. */
export function unquote(session: Session, host: string): void {
  session.setDraft('');
  session.quoted = session.quoted.filter((other) => other !== host);
}

export function attach(session: Session, resource: ServerResource): void {
  detach(session, resource.uri);
  session.attached = [...session.attached, resource];
}

export function detach(session: Session, uri: string): void {
  session.attached = session.attached.filter((other) => other.uri !== uri);
}

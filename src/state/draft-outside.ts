/** What of servers goes with the draft of a chat. Apart from the session, so that the first paint does without it. */
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
  const others = session.attached.filter((other) => other.uri !== uri);
  session.attached = [...others, { serverId, uri, title }];
  session.setDraft(session.draft);
}

export function detach(session: Session, uri: string): void {
  session.attached = session.attached.filter((other) => other.uri !== uri);
  session.setDraft(session.draft);
}

import type { App } from '../../state/app.svelte';
import type { ChatSession } from '../../state/chat-session.svelte';

/** The props that most parts of a chat take. */
export interface ChatProps {
  app: App;
  session: ChatSession;
}

import type { App } from '../../state/app.svelte';
import type { ChatSession } from '../../state/chat-session.svelte';

export interface ChatProps {
  app: App;
  session: ChatSession;
}

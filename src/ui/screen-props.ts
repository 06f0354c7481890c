import type { App } from '../state/app.svelte';

/** What every screen but the chat gets. */
export interface ScreenProps {
  app: App;
  /** Opens the list of chats when it is not visible at the side. */
  onMenu: () => void;
}

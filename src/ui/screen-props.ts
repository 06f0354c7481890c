import type { App } from '../state/app.svelte';

export interface ScreenProps {
  app: App;
  /** Opens the list of chats if it is not visible at the side. */
  onMenu: () => void;
}

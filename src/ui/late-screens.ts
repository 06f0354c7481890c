/** The screens that are fetched when they are first shown: one line each. Apart from the table, so that the first paint need not know of what they are made. */
import type { Component } from 'svelte';
import type { App } from '../state/app.svelte';
import type { Route } from '../state/route';

export interface ScreenProps {
  app: App;
  /** Shows the chats, where they are not at the side. */
  onMenu: () => void;
}

export type LateScreen = Exclude<Route['screen'], 'chat'>;

export const lateScreens: Readonly<Record<LateScreen, () => Promise<{ default: Component<ScreenProps> }>>> = {
  tools: () => import('./tools/ToolsScreen.svelte'),
  servers: () => import('./servers/ServersScreen.svelte'),
  personas: () => import('./personas/PersonasScreen.svelte'),
  notes: () => import('./notes/NotesScreen.svelte'),
  prompts: () => import('./prompts/PromptsScreen.svelte'),
  ask: () => import('./tools/AskScreen.svelte'),
  archive: () => import('./kept/ArchiveScreen.svelte'),
  bin: () => import('./kept/BinScreen.svelte'),
  models: () => import('./models/ModelsScreen.svelte'),
  settings: () => import('./settings/SettingsScreen.svelte'),
};

/** The screens that load on first use. A module of its own, so that the first paint does not include this table. */
import type { Component } from 'svelte';
import type { App } from '../state/app.svelte';
import type { Route } from '../state/route';

export interface ScreenProps {
  app: App;
  /** Opens the list of chats when it is not visible at the side. */
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

/** The screens and dialogs that load when the page is idle or when first needed. The build puts them into the file `screens`. */
import type { Component } from 'svelte';
import type { Route } from '../state/route';
import FirstSteps from './chat/FirstSteps.svelte';
import ReplyDetails from './chat/ReplyDetails.svelte';
import ChatMenu from './chats/ChatMenu.svelte';
import FolderRow from './chats/FolderRow.svelte';
import ChatDialogs from './commands/ChatDialogs.svelte';
import CommandDialogs from './commands/CommandDialogs.svelte';
import ArchiveScreen from './kept/ArchiveScreen.svelte';
import BinScreen from './kept/BinScreen.svelte';
import ModelsScreen from './models/ModelsScreen.svelte';
import NotesScreen from './notes/NotesScreen.svelte';
import PersonasScreen from './personas/PersonasScreen.svelte';
import PromptsScreen from './prompts/PromptsScreen.svelte';
import type { ScreenProps } from './screen-props';
import Results from './search/Results.svelte';
import ServersScreen from './servers/ServersScreen.svelte';
import SettingsScreen from './settings/SettingsScreen.svelte';
import AskScreen from './tools/AskScreen.svelte';
import ToolsScreen from './tools/ToolsScreen.svelte';
import CompareDialog from './trace/CompareDialog.svelte';

/** Every screen except the chat, which loads first. */
export type LateScreen = Exclude<Route['screen'], 'chat'>;

export const screens: Readonly<Record<LateScreen, Component<ScreenProps>>> = {
  tools: ToolsScreen,
  servers: ServersScreen,
  personas: PersonasScreen,
  notes: NotesScreen,
  prompts: PromptsScreen,
  ask: AskScreen,
  archive: ArchiveScreen,
  bin: BinScreen,
  models: ModelsScreen,
  settings: SettingsScreen,
};

export { ChatDialogs, ChatMenu, CommandDialogs, CompareDialog, FirstSteps, FolderRow, ReplyDetails, Results };

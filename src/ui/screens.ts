/** The screens and dialogs that load later. The build puts them into the file `screens`. */
import type { Component } from 'svelte';
import type { ScreenName } from '../state/route';
import FirstSteps from './chat/FirstSteps.svelte';
import ReplyDetails from './chat/ReplyDetails.svelte';
import ChatMenu from './chats/ChatMenu.svelte';
import FolderRow from './chats/FolderRow.svelte';
import ChatDialogs from './commands/ChatDialogs.svelte';
import CommandDialogs from './commands/CommandDialogs.svelte';
import type { ScreenProps } from './screen-props';
import Results from './search/Results.svelte';
import CompareDialog from './trace/CompareDialog.svelte';

/** Maps a file such as `NotesScreen.svelte` to its component. The chat loads separately, at startup. */
const componentsByPath = import.meta.glob<Component<ScreenProps>>(['./*/*Screen.svelte', '!./chat/*'], {
  eager: true,
  import: 'default',
});
const componentsByName = new Map(
  Object.entries(componentsByPath).map(([path, component]) => [
    path.replace(/.*\/|Screen\.svelte$/g, '').toLowerCase(),
    component,
  ]),
);

export function screenOf(name: ScreenName): Component<ScreenProps> {
  const component = componentsByName.get(name);
  if (!component) throw new Error(`The screen "${name}" has no component.`);
  return component;
}

export { ChatDialogs, ChatMenu, CommandDialogs, CompareDialog, FirstSteps, FolderRow, ReplyDetails, Results };

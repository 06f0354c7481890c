/** What a person sets for a tool in all chats. Apart from `App`, so that the first paint does without it. */
import type { App } from './app.svelte';

/** Switches a tool in new chats, and in the one shown if it is not begun yet. */
export async function setToolInNewChats(app: App, name: string, isOn: boolean): Promise<void> {
  if (app.session?.isNew) await app.session.setTool(name, isOn);
  const others = app.settings.toolsOff.filter((off) => off !== name);
  await app.saveSettings({ toolsOff: isOn ? others : [...others, name] });
}

/** Whether a tool is listed in every chat: unless the person says so, those that come with the app are. */
export function isPinned(app: App, name: string): boolean {
  const tool = app.tools.find((one) => one.name === name);
  // Those for notes are found when they are wanted: a model that reads little has no room for them.
  const isAtFirst = !app.isCustom(name) && tool?.isCalledByPage !== true && tool?.server === undefined;
  return app.settings.pins[name] ?? isAtFirst;
}

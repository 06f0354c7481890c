/** What was chosen last, newest first: ids of commands, kept on this device beside the look. */

const key = 'hearth.recent';
const most = 8;

export function recentCommands(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  try {
    const others = recentCommands().filter((other) => other !== id);
    localStorage.setItem(key, JSON.stringify([id, ...others].slice(0, most)));
  } catch {
    // Refused or full: the order is that of the list.
  }
}

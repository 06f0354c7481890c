/** Whether the list of chats at the side is folded away: kept on this device, beside the look. */

const key = 'hearth.rail';

export function isRailFolded(): boolean {
  try {
    return localStorage.getItem(key) === 'folded';
  } catch {
    return false;
  }
}

export function foldRail(isFolded: boolean): void {
  try {
    if (isFolded) localStorage.setItem(key, 'folded');
    else localStorage.removeItem(key);
  } catch {
    // Refused or full: it is shown again at the next start.
  }
}

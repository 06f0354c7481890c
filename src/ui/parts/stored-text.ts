/** Texts in localStorage. If storage is blocked or full, a read returns undefined and a write does nothing. */
export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Deletes the entry if `text` is undefined. */
export function writeStored(key: string, text?: string): void {
  try {
    if (text === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Storage is blocked or full.
  }
}

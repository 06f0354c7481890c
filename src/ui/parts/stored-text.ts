/** Texts in localStorage. If the storage is blocked or full, a read returns undefined and a write has no effect. */
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
    // The text lasts only as long as the page.
  }
}

/** Folders of the disk that the person has chosen, for browsers that can keep one. */

/** As Chromium has it; the types of the DOM do not know all of it. */
interface FolderPicker {
  showDirectoryPicker(options: { id: string; mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}
interface WithPermission {
  queryPermission(options: { mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(options: { mode: 'readwrite' }): Promise<PermissionState>;
}

export function canKeepFolders(): boolean {
  return 'showDirectoryPicker' in window && 'FileSystemDirectoryHandle' in window;
}

/** Undefined where the person chose none. To be called soon after a press. */
export async function pickFolder(id: string): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (window as unknown as FolderPicker).showDirectoryPicker({ id, mode: 'readwrite' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

export async function mayWrite(folder: FileSystemDirectoryHandle): Promise<boolean> {
  return (await (folder as unknown as WithPermission).queryPermission({ mode: 'readwrite' })) === 'granted';
}

/** Asks the person, where that is needed. To be called soon after a press. */
export async function askToWrite(folder: FileSystemDirectoryHandle): Promise<boolean> {
  return (await (folder as unknown as WithPermission).requestPermission({ mode: 'readwrite' })) === 'granted';
}

/** Names of the files in it. */
export async function fileNames(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  for await (const [name, { kind }] of folder.entries()) if (kind === 'file') names.push(name);
  return names;
}

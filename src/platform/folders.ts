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

export interface FileInFolder {
  name: string;
  /** In bytes. */
  size: number;
}

/** The files in it. One that goes meanwhile is passed over. */
export async function filesIn(folder: FileSystemDirectoryHandle): Promise<FileInFolder[]> {
  const files: FileInFolder[] = [];
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file') continue;
    const file = await handle.getFile().catch(() => undefined);
    if (file) files.push({ name, size: file.size });
  }
  return files;
}

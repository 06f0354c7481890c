interface FolderPicker {
  showDirectoryPicker(options: { id: string; mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}
interface PickedFolder extends FileSystemDirectoryHandle {
  queryPermission(options: { mode: 'readwrite' }): Promise<PermissionState>;
  requestPermission(options: { mode: 'readwrite' }): Promise<PermissionState>;
}

export function canPickFolders(): boolean {
  return 'showDirectoryPicker' in window && 'FileSystemDirectoryHandle' in window;
}

/** Resolves to undefined if the user cancels. Browsers only allow the picker soon after a click. */
export async function pickFolder(id: string): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (window as unknown as FolderPicker).showDirectoryPicker({ id, mode: 'readwrite' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}

export async function canWriteTo(folder: FileSystemDirectoryHandle): Promise<boolean> {
  return (await (folder as PickedFolder).queryPermission({ mode: 'readwrite' })) === 'granted';
}

/** Asks the user for permission if necessary. Browsers only allow this soon after a click. */
export async function askToWrite(folder: FileSystemDirectoryHandle): Promise<boolean> {
  return (await (folder as PickedFolder).requestPermission({ mode: 'readwrite' })) === 'granted';
}

export interface FileInFolder {
  name: string;
  size: number;
}

export async function listFilesIn(folder: FileSystemDirectoryHandle): Promise<FileInFolder[]> {
  const files: FileInFolder[] = [];
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file') continue;
    const file = await handle.getFile().catch(() => undefined);
    if (file) files.push({ name, size: file.size });
  }
  return files;
}

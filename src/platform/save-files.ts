/** Saves files where the user chooses, or as downloads. Browsers only show a picker soon after a click. */

interface FilePickers {
  showDirectoryPicker?: (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Asks where to save a file. Resolves to undefined if the user cancels, to `downloads` if there is no picker. */
export async function pickSaveTarget(name: string): Promise<FileSystemFileHandle | 'downloads' | undefined> {
  const page = window as FilePickers;
  if (!page.showSaveFilePicker) return 'downloads';
  try {
    return await page.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    // `AbortError`: the user closed the picker. Any other error: the browser cannot show it, for example in a frame.
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : 'downloads';
  }
}

/** Resolves to false if the user cancels the folder picker. Downloads the files if there is no folder picker. */
export async function saveFiles(
  folderName: string,
  files: () => Promise<readonly { name: string; file: Blob }[]>,
): Promise<boolean> {
  const page = window as FilePickers;
  if (!page.showDirectoryPicker) {
    for (const { name, file } of await files()) downloadAsFile(name, file);
    return true;
  }
  const picked = await page.showDirectoryPicker({ mode: 'readwrite' }).catch(() => undefined);
  if (!picked) return false;
  const folder = await picked.getDirectoryHandle(toSafeFileName(folderName), { create: true });
  for (const { name, file } of await files()) {
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await file.stream().pipeTo(writable);
  }
  return true;
}

function toSafeFileName(name: string): string {
  return name.replace(/[\\/:*?"<>|\s]+/g, '-').replace(/^\.+|\.+$/g, '') || 'model';
}

export function downloadAsFile(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Saves files where the user chooses, or in the downloads. Call the functions soon after a click. */

/** Chromium's API, which the DOM types lack. */
interface Pickers {
  showDirectoryPicker?: (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Asks where to save a file: `downloads` without a picker, undefined if the user cancels. */
export async function pickPlace(name: string): Promise<FileSystemFileHandle | 'downloads' | undefined> {
  const page = window as Pickers;
  if (!page.showSaveFilePicker) return 'downloads';
  try {
    return await page.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    // The user closed the picker, or the browser cannot show it, for example in a frame.
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : 'downloads';
  }
}

/** Resolves to false if the user chose no folder. Without a folder picker, saves to the downloads. */
export async function saveFiles(
  folderName: string,
  files: () => Promise<readonly { name: string; file: Blob }[]>,
): Promise<boolean> {
  const page = window as Pickers;
  if (!page.showDirectoryPicker) {
    for (const { name, file } of await files()) download(name, file);
    return true;
  }
  const picked = await page.showDirectoryPicker({ mode: 'readwrite' }).catch(() => undefined);
  if (!picked) return false;
  const folder = await picked.getDirectoryHandle(nameFor(folderName), { create: true });
  for (const { name, file } of await files()) {
    const writable = await (await folder.getFileHandle(name, { create: true })).createWritable();
    await file.stream().pipeTo(writable);
  }
  return true;
}

function nameFor(name: string): string {
  return name.replace(/[\\/:*?"<>|\s]+/g, '-').replace(/^\.+|\.+$/g, '') || 'model';
}

export function download(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

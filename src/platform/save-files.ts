interface DirectoryPicker {
  showDirectoryPicker(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

/** Resolves to false if the user chose no folder. Without a folder picker, saves to the downloads. */
export async function saveFiles(
  folderName: string,
  files: () => Promise<readonly { name: string; file: Blob }[]>,
): Promise<boolean> {
  if (!hasPicker(window)) {
    for (const { name, file } of await files()) saveOne(name, file);
    return true;
  }
  let picked: FileSystemDirectoryHandle;
  try {
    picked = await window.showDirectoryPicker({ mode: 'readwrite' });
  } catch {
    return false;
  }
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

function hasPicker(page: object): page is DirectoryPicker {
  return 'showDirectoryPicker' in page;
}

function saveOne(name: string, file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

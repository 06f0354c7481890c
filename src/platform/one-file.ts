/** Puts one file on the disk of this device, where the person says. */

interface SavePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/**
 * Where the person wants the file: `downloads` in a browser that asks for no place, undefined where they chose none. To be called
 * soon after a press.
 */
export async function pickPlace(name: string): Promise<FileSystemFileHandle | 'downloads' | undefined> {
  if (!hasPicker(window)) return 'downloads';
  try {
    return await window.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    // Closed by the person; or it may not be shown at all, as in a frame.
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : 'downloads';
  }
}

export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function hasPicker(page: object): page is SavePicker {
  return 'showSaveFilePicker' in page;
}

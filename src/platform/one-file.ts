interface SavePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** Asks where to save: `downloads` without a picker, undefined if the user cancels. Call it soon after a click. */
export async function pickPlace(name: string): Promise<FileSystemFileHandle | 'downloads' | undefined> {
  if (!hasPicker(window)) return 'downloads';
  try {
    return await window.showSaveFilePicker({ suggestedName: name });
  } catch (error) {
    // The user closed the picker, or the browser cannot show it, for example in a frame.
    return error instanceof DOMException && error.name === 'AbortError' ? undefined : 'downloads';
  }
}

export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function hasPicker(page: object): page is SavePicker {
  return 'showSaveFilePicker' in page;
}

/** Stores files from this device's disk under made-up addresses. Stores all files or none. */
import type { DownloadFile } from '../contracts/egress';
import { deleteFiles } from '../egress/kept-files';
import type { StoreFile } from './engine';

const importedOrigin = 'https://imported.invalid/';

/** Returns the made-up address of an imported file, or of a folder if `name` ends with a slash. */
export function toImportedUrl(name: string): string {
  return importedOrigin + name.split('/').map(encodeURIComponent).join('/');
}

export async function storeImportedFiles(
  files: readonly (Pick<DownloadFile, 'place' | 'url'> & { file: Blob })[],
  storeFile: StoreFile,
): Promise<void> {
  try {
    for (const { place, url, file } of files) await storeFile({ place, url }, file);
  } catch (error) {
    await deleteFiles(files);
    throw error;
  }
}

export function importedNameOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

/** Stores files from the disk of this device under made-up addresses, all of them or none. */
import type { DownloadFile } from '../contracts/egress';
import { deleteFiles, storeFile } from '../egress/kept-files';

const disk = 'https://imported.invalid/';

/** The address of an imported file, or of a folder if its name ends with a slash. */
export function importedUrl(name: string): string {
  return disk + name.split('/').map(encodeURIComponent).join('/');
}

/** Stores all files, or none if one of them cannot be stored. */
export async function keepAll(
  files: readonly (Pick<DownloadFile, 'place' | 'url'> & { file: Blob })[],
): Promise<void> {
  try {
    for (const { place, url, file } of files) await storeFile(place, url, file);
  } catch (error) {
    await deleteFiles(files);
    throw error;
  }
}

export function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

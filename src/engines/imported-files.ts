/** Files of models that come from the disk of this device: under which address they are kept, and all or none of them. */
import type { DownloadFile } from '../contracts/egress';
import { forget, keep } from '../egress/kept-files';

/** A host that nothing ever asks. */
const disk = 'https://imported.invalid/';

/** The address of a file, or of a folder with a slash behind its name, that has none of its own. */
export function importedUrl(name: string): string {
  return disk + name.split('/').map(encodeURIComponent).join('/');
}

/** Nothing stays where one of them cannot be kept. */
export async function keepAll(
  files: readonly (Pick<DownloadFile, 'place' | 'url'> & { file: Blob })[],
): Promise<void> {
  try {
    for (const { place, url, file } of files) await keep(place, url, file);
  } catch (error) {
    await forget(files);
    throw error;
  }
}

/** The name of the file at an address. */
export function nameIn(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

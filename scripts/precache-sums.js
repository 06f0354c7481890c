/**
 * Gives the service worker checksums of the files that a single wrong byte makes useless. The browser then refuses a damaged file before caching it
 * for good. Scripts and pages have no checksum, because some hosts rewrite them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @template {{ url: string }} Entry
 * @param {string} folder the folder of the built site
 * @param {readonly Entry[]} entries
 * @returns {Promise<(Entry & { integrity?: string })[]>}
 */
export function withSums(folder, entries) {
  return Promise.all(
    entries.map(async (entry) => {
      if (!/\.(wasm|gguf)$/.test(entry.url)) return entry;
      const sum = createHash('sha256').update(await readFile(join(folder, entry.url)));
      return { ...entry, integrity: `sha256-${sum.digest('base64')}` };
    }),
  );
}

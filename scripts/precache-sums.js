/**
 * Gives the service worker the sums of what is worth nothing when a byte is wrong: the browser refuses a damaged file before it
 * is kept, for what is kept is served from then on. Scripts and pages have none: some hosts rewrite them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @template {{ url: string }} Entry
 * @param {string} folder Where the site was built.
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

/** Gives the service worker what it needs to recognise the right content of each file of the site. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files that are cached on their first use instead of at the installation. */
const onDemandFiles =
  /^assets\/(?:(?:web-llm|read-pdf|read-document|ask-table|mcp\.worker)-.*\.js|wllama-.*\.wasm)$/;

/**
 * Adds a checksum to each entry. A page gets the scripts that it loads instead, because some hosts add their own code to pages. Also adds the files
 * that are cached on their first use, with `isOnDemand`.
 *
 * @template {{ url: string }} Entry
 * @param {string} folder the folder of the built site
 * @param {readonly Entry[]} entries
 * @returns {Promise<(Entry & { integrity?: string, scripts?: string[], isOnDemand?: true })[]>}
 */
export async function withSums(folder, entries) {
  const files = await readdir(join(folder, 'assets'));
  const onDemand = files
    .map((name) => `assets/${name}`)
    .filter((url) => onDemandFiles.test(url))
    .map((url) => ({ url, revision: null, isOnDemand: /** @type {const} */ (true) }));
  const all = [...entries.filter(({ url }) => !onDemandFiles.test(url)), ...onDemand];
  return Promise.all(
    all.map(async (entry) => {
      const content = await readFile(join(folder, entry.url));
      if (entry.url.endsWith('.html')) return { ...entry, scripts: listScripts(content.toString()) };
      const sum = createHash('sha256').update(content).digest('base64');
      return { ...entry, integrity: `sha256-${sum}` };
    }),
  );
}

/** @param {string} page */
function listScripts(page) {
  return [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src = '']) => src);
}

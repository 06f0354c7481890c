/** Opens a page in Chromium that asks Ember through the app's own engine, prompt and reader. For what it can be asked, see page.ts. */
import { copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBuilt } from '../open-built.js';

/** Reads lines of JSON. `path` is relative to the root of the project. */
export async function readCases(path) {
  const text = await readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** `weights`: a file to use instead of the shipped weights. With `isFree`, no grammar constrains the replies. */
export async function openEmber({ weights, isFree = false } = {}) {
  let changed = isFree ? { isSmall: false } : {};
  const { page, close } = await openBuilt(import.meta.url, async (folder) => {
    if (weights === undefined) return;
    const path = 'models/other.gguf';
    await copyFile(weights, join(folder, path));
    const { size: bytes } = await stat(weights);
    changed = {
      ...changed,
      file: { path, bytes },
      format: 'ember',
      contextTokens: 2048,
      maxReplyTokens: 160,
    };
  });
  const loadMs = await page.evaluate((changed) => window.load(changed), changed);
  return { page, loadMs, close };
}

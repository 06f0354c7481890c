/** Opens a page in Chromium that asks Ember through the app's own engine, prompt and reader. What it can be asked: page.ts. */
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Lines of JSON; `path` from the root of the project. */
export async function readCases(path) {
  const text = await readFile(here(`../../${path}`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** `weights`: a file in the place of the one that ships. With `isFree` no grammar holds the replies. */
export async function openEmber({ weights, isFree = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'ember-'));
  await build({
    root: here('.'),
    publicDir: here('../../public'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4000 },
  });
  let changed = isFree ? { isSmall: false } : {};
  if (weights !== undefined) {
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
  }
  const server = await serveFolder(folder);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(server.url);
  await page.waitForFunction(() => 'ask' in window, undefined, { timeout: 120_000 });
  const loadMs = await page.evaluate((changed) => window.load(changed), changed);
  return {
    page,
    loadMs,
    async close() {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Builds a page of a benchmark with the app's own code and opens it in Chromium. The page is ready once it defines `window.ask`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { serveFolder } from '../scripts/static-server.js';
import { launchBrowser } from './browser.js';

/**
 * `bench`: the address of a module in the folder that has the `index.html`. `prepare` receives the folder of the build. With `isIsolated`, the page
 * may use several cores.
 */
export async function openBuilt(bench, prepare = async () => {}, { isIsolated = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await build({
    root: fileURLToPath(new URL('.', bench)),
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
    base: './',
    configFile: false,
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 4000 },
  });
  await prepare(folder);
  const server = await serveFolder(folder, { isIsolated });
  const browser = await launchBrowser();
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(server.url);
  await page.waitForFunction(() => 'ask' in window, undefined, { timeout: 120_000 });
  return {
    page,
    async close() {
      await browser.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

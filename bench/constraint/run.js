/**
 * `node bench/constraint/run.js [replies [first schema]]`: constrained replies of the real engine with Ember's weights at
 * temperature 1, as many for each of ten schemas; each must parse and fit.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const replies = Number(process.argv[2] ?? 100);
const first = Number(process.argv[3] ?? 0);
const folder = await mkdtemp(join(tmpdir(), 'constraint-'));
await build({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: fileURLToPath(new URL('../../public', import.meta.url)),
  base: './',
  configFile: false,
  logLevel: 'error',
  build: { outDir: folder, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 2000 },
});
const server = await serveFolder(folder);
const browser = await launchBrowser();
const page = await browser.newPage();
page.on('pageerror', (error) => console.error(error.message));
await page.goto(server.url);
await page.waitForFunction(() => 'ask' in window, undefined, { timeout: 120_000 });

let failed = 0;
for (let index = first; index < (await page.evaluate(() => window.schemaCount)); index++) {
  const { name, fitting, tokens, failure } = await page.evaluate(
    ([index, replies]) => window.ask(index, replies),
    [index, replies],
  );
  failed += replies - fitting;
  console.log(`${name}: ${fitting} of ${replies} fit, ${(tokens / replies).toFixed(0)} tokens each`);
  if (failure !== undefined) console.log(`  ${failure}`);
}
await browser.close();
await server.close();
await rm(folder, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;

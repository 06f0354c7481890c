/**
 * `node bench/schemas/run.js [schemas] [values]`: what schemas of third parties cost the page's own thread: a thousand generated schemas with a
 * thousand generated values each, one in four hostile.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../scripts/content-security-policy.js';
import { sandboxDocument } from '../../scripts/sandbox-document.js';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const [schemas = 1000, values = 1000] = process.argv.slice(2).map(Number);
/** Maximum milliseconds of the page's longest task. */
const goal = 100;
/** Number of schemas to check before the next progress report. */
const step = 50;

const folder = await mkdtemp(join(tmpdir(), 'schemas-'));
await build({
  root: new URL('.', import.meta.url).pathname,
  base: './',
  configFile: false,
  logLevel: 'error',
  plugins: [sandboxDocument(), contentSecurityPolicy()],
  worker: { format: 'es' },
  build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
const site = await serveFolder(folder);
const browser = await launchBrowser();
const page = await browser.newPage();
await page.goto(site.url);
while (!(await page.evaluate(() => 'checkAll' in window))) await page.waitForTimeout(50);

const total = {
  oddSchemas: 0,
  fitting: 0,
  refused: 0,
  ended: 0,
  longestReason: 0,
  longestTask: 0,
  longestIdle: 0,
};
let seed = 1;
// Counts only schemas that a tool may have. The others are refused along the way.
for (let usable = 0; usable < schemas; usable = seed - 1 - total.oddSchemas) {
  const from = seed;
  const to = (seed += Math.min(step, schemas - usable));
  const part = await page.evaluate((range) => window.checkAll(...range), [from, to, values]);
  for (const name of Object.keys(total)) {
    total[name] = name.startsWith('longest') ? Math.max(total[name], part[name]) : total[name] + part[name];
  }
  console.log(
    `${to - 1 - total.oddSchemas} of ${schemas}: longest task of the page so far ${total.longestTask.toFixed(0)} ms`,
  );
}
await browser.close();
await site.close();
await rm(folder, { recursive: true });

const { oddSchemas, fitting, refused, ended, longestReason, longestTask, longestIdle } = total;
console.log(
  `${schemas} schemas, and ${oddSchemas} that no tool may have; ${fitting} values fit, ${refused} do not`,
);
console.log(`${ended} checks were ended after a second; the longest reason has ${longestReason} characters`);
const said = longestTask === 0 ? 'no task of 50 ms' : `longest task ${longestTask.toFixed(0)} ms`;
console.log(
  `the page's own thread: ${said}, goal ${goal} ms; with nothing to do ${longestIdle.toFixed(0)} ms`,
);
process.exitCode = longestTask > goal ? 1 : 0;

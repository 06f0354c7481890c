/**
 * What the sandbox costs against a bare worker, under the app's own policy: cold, and for each call after; and how
 * long the page itself is held up while code does its worst.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../scripts/content-security-policy.js';
import { sandboxDocument } from '../../scripts/sandbox-document.js';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, spread } from '../browser.js';

const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
await build({
  root: new URL('.', import.meta.url).pathname,
  base: './',
  configFile: false,
  logLevel: 'error',
  plugins: [sandboxDocument(), contentSecurityPolicy()],
  build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
const server = await serveFolder(folder);
const browser = await launchBrowser();
const page = await browser.newPage();
await page.goto(server.url);
while (!(await page.evaluate(() => 'ways' in window))) await page.waitForTimeout(50);

const code = 'return args.a + 1';
const measure = (way) => page.evaluate(([way, code]) => window.ways[way](code), [way, code]);

const times = { cold: [], inSandbox: [], inBareWorker: [] };
for (let run = 0; run < 7; run++) times.cold.push(await measure('cold'));
for (let run = 0; run < 40; run++) {
  for (const way of ['inSandbox', 'inBareWorker']) times[way].push(await measure(way));
}
console.log(`cold ${spread(times.cold)} ms`);
console.log(`a call ${spread(times.inSandbox, 1)} ms, a bare worker ${spread(times.inBareWorker, 1)} ms`);

const worst = {
  'nothing at all': 'await new Promise((done) => setTimeout(done, 1500))',
  'an endless loop': 'for (;;);',
  'an endless loop of promises': 'for (;;) await null',
  'memory in buffers': 'const a = []; for (;;) a.push(new Uint8Array(5e7).fill(1))',
  'memory in objects': 'const a = []; for (;;) a.push({ a: [a.length] })',
  'a result of 64 MB': 'return "x".repeat(64e6)',
  'a list of three million': 'return new Array(3e6).fill(1)',
  'an error of 3 MB': 'throw new Error("x".repeat(3e6))',
  '200,000 log lines': 'for (let i = 0; i < 2e5; i++) host.log("x".repeat(100))',
  '100,000 host calls':
    'await Promise.all(Array.from({ length: 1e5 }, () => host.fetch("https://a.example")))',
  '100,000 timers': 'for (let i = 0; i < 1e5; i++) setInterval(() => 0, 1); return 1',
  '10,000 refused modules': 'for (let i = 0; i < 1e4; i++) import(`x:${i}`).catch(() => 0); return 1',
  '10,000 rejections': 'for (let i = 0; i < 1e4; i++) Promise.reject(new Error("x")); return 1',
};
for (const [name, code] of Object.entries(worst)) {
  const held = [];
  // Whatever else the machine does adds to it: the least of three is nearest.
  for (let run = 0; run < 3; run++) {
    held.push(await page.evaluate(([code]) => window.heldUpBy(code, 2000), [code]));
  }
  console.log(`${name}: the page is held up ${Math.min(...held).toFixed(0)} ms at most`);
}
await browser.close();
await server.close();
await rm(folder, { recursive: true });

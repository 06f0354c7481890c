/**
 * Measures main-thread time per token through the worker's batched port, against appending text in the page itself, at the pace of a fast model and
 * as fast as possible. Both include layout and painting.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, median } from '../browser.js';

const folder = await mkdtemp(join(tmpdir(), 'port-'));
await build({
  root: new URL('.', import.meta.url).pathname,
  base: './',
  configFile: false,
  logLevel: 'error',
  worker: { format: 'es' },
  build: { outDir: folder, emptyOutDir: true, target: 'es2023' },
});
const server = await serveFolder(folder);
const browser = await launchBrowser();
const page = await browser.newPage();
await page.goto(server.url);
while (!(await page.evaluate(() => 'ways' in window))) await page.waitForTimeout(50);
const session = await page.context().newCDPSession(page);
await session.send('Performance.enable');

async function taskSeconds() {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Returns the microseconds of main-thread tasks per token. */
async function measure(way, tokens, perSecond) {
  await page.evaluate(() => window.clear());
  const before = await taskSeconds();
  await page.evaluate(([way, ...args]) => window.ways[way](...args), [way, tokens, perSecond]);
  return ((await taskSeconds()) - before) * (1e6 / tokens);
}

for (const [tokens, perSecond, pace] of [
  [1000, 200, '200 tokens/s'],
  [20_000, 1e9, 'as fast as they come'],
]) {
  const times = { bare: [], throughPort: [] };
  for (let run = 0; run < 3; run++) {
    for (const way of ['bare', 'throughPort']) times[way].push(await measure(way, tokens, perSecond));
  }
  const [bare, port] = [median(times.bare), median(times.throughPort)];
  console.log(
    `${pace}: bare append ${bare.toFixed(1)} µs, batched port ${port.toFixed(1)} µs a token: ${(port / bare).toFixed(2)} times`,
  );
}
await browser.close();
await server.close();
await rm(folder, { recursive: true });

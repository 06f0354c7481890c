/**
 * Measures what drawing a streamed reply costs the main thread, as a multiple of appending its final nodes piece by piece.
 *
 * `node bench/markdown/run.js [rounds] [kind…]` prints one line per kind of reply (list, table, code, mixed, dressed: code with colours and formulas)
 * and takes three minutes per round. Fails if the nodes at the end are wrong.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright';
import { build, preview } from 'vite';
import { findChromium } from '../../scripts/find-chromium.js';
import { languageFiles } from '../../scripts/languages.js';
import { median, spread } from '../browser.js';

const [rounds = 3, ...chosen] = process.argv.slice(2);
const kinds = chosen.length > 0 ? chosen : ['list', 'table', 'code', 'mixed', 'dressed'];
/** Characters per frame: four tokens, the pace of a fast model. */
const piece = 16;
/** Characters to draw first, enough for the browser to compile all code. */
const warmUp = 4000;
const goal = 1.3;

const outDir = mkdtempSync(join(tmpdir(), 'markdown-bench-'));
const root = import.meta.dirname;
await build({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [languageFiles()],
  build: { outDir, emptyOutDir: true, target: 'es2023' },
});
const server = await preview({
  root,
  configFile: false,
  logLevel: 'error',
  build: { outDir },
  preview: { port: 0 },
});
const browser = await chromium.launch({
  executablePath: findChromium(),
  // As many frames as the machine can draw instead of 60 per second, because only working time is measured.
  args: ['--no-sandbox', '--disable-frame-rate-limit', '--disable-gpu-vsync'],
});

let isGood = true;
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } });
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(server.resolvedUrls.local[0]);
  const session = await page.context().newCDPSession(page);
  // CPU time of the thread, so other work of the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });

  for (const kind of kinds) {
    const times = { floor: [], renderer: [] };
    for (const way of Object.keys(times)) await measure(page, session, { kind, way, length: warmUp });
    const { time: idle } = await measure(page, session, { kind, way: 'nothing' });
    let longest = 0;
    for (let round = 0; round < rounds; round++) {
      for (const way of Object.keys(times)) {
        const { time, run } = await measure(page, session, { kind, way });
        if (!run.isEqual)
          throw new Error(`${kind}: the nodes drawn by the ${way} are not those of one reading.`);
        times[way].push(time);
        if (way === 'renderer') longest = Math.max(longest, run.longest);
      }
    }
    const ratios = times.renderer.map((time, index) => (time - idle) / (times.floor[index] - idle));
    const ratio = median(ratios);
    if (ratio > goal) isGood = false;
    console.log(
      `${kind.padEnd(6)} × ${spread(ratios, 2)}  renderer ${spread(times.renderer)} ms, floor ${spread(times.floor)} ms, ` +
        `frames alone ${idle.toFixed(0)} ms, longest update ${longest.toFixed(1)} ms`,
    );
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(outDir, { recursive: true });
}
process.exitCode = isGood ? 0 : 1;

/** Returns the milliseconds of CPU time of the main thread. */
async function measure(page, session, options) {
  // Garbage of the previous run must not count in this one.
  await session.send('HeapProfiler.collectGarbage');
  const before = await taskTime(session);
  const run = await page.evaluate((options) => window.draw(options), {
    length: Infinity,
    isDressed: options.kind === 'dressed',
    ...options,
    piece,
  });
  return { time: (await taskTime(session)) - before, run };
}

async function taskTime(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

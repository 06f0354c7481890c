/**
 * Measures the time until the message box shows a typed letter on a first visit, with the CPU throttled to a quarter, against a bare page with
 * Svelte, Dexie and a service worker (`bare/`). Goal: at most 1.5 times as long.
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, median, spread } from '../browser.js';

const runs = 9;
const bareFolder = await mkdtemp(join(tmpdir(), 'bare-'));
await build({
  root: new URL('bare', import.meta.url).pathname,
  base: './',
  configFile: false,
  logLevel: 'error',
  plugins: [svelte()],
  build: { outDir: bareFolder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
const browser = await launchBrowser();

/** Runs in the page from its start: types as soon as there is a box, and checks one frame later. */
function typeWhenReady() {
  const look = () => {
    const box = document.querySelector('textarea');
    if (box?.value === 'x') {
      window.readyToType = performance.now();
      return;
    }
    if (box && !box.disabled) {
      box.focus();
      document.execCommand('insertText', false, 'x');
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function measure(url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(typeWhenReady);
  await page.goto(url);
  let ready;
  while (ready === undefined) ready = await page.evaluate(() => window.readyToType);
  await context.close();
  return ready;
}

const bare = await serveFolder(bareFolder);
const hearth = await serveFolder('dist');
const times = { bare: [], hearth: [] };
for (let run = 0; run < runs; run++) {
  times.bare.push(await measure(bare.url));
  times.hearth.push(await measure(hearth.url));
}
await browser.close();
await bare.close();
await hearth.close();
await rm(bareFolder, { recursive: true });

console.log(`ready to type, bare: ${spread(times.bare)} ms; Hearth: ${spread(times.hearth)} ms`);
console.log(`ratio: ${(median(times.hearth) / median(times.bare)).toFixed(2)} of 1.5`);

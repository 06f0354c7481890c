/**
 * What a model costs in memory, in one tab and in five, beyond the same pages without it; and how soon a second tab answers. Of the
 * built app with Ember. Goals: 90 MB, 1.15 times as much in five tabs as in one, and 1.2 times as long as where it is loaded.
 */
import { readFile } from 'node:fs/promises';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, median, spread } from '../browser.js';

const runs = Number(process.argv[2] ?? 3);
/** Milliseconds until the browser has tidied up. */
const settleMs = 12_000;
const server = await serveFolder('dist');

/** Megabytes of all processes of the browser; of what several of them share, to each its part. */
async function memory(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  let kilobytes = 0;
  for (const { id } of processInfo) {
    const maps = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(maps)?.[1] ?? 0);
  }
  await session.detach();
  return kilobytes / 1024;
}

/** Milliseconds until the answer to a sum stands there. */
async function answer(page, [one, other], hasModel = true) {
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill(`What is ${one} * ${other}?`);
  const start = performance.now();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(hasModel ? `${one}*${other} = ${one * other}` : 'Your question is kept').first().waitFor();
  return performance.now() - start;
}

async function measure(tabs, hasModel) {
  const browser = await launchBrowser();
  const context = await browser.newContext({ serviceWorkers: 'block' });
  if (!hasModel) await context.route('**/*.gguf', (route) => route.abort());
  let page;
  for (let tab = 0; tab < tabs; tab++) {
    page = await context.newPage();
    await page.goto(server.url);
    await answer(page, [17 + tab, 23], hasModel);
  }
  await page.waitForTimeout(settleMs);
  const used = await memory(browser);
  await browser.close();
  return used;
}

/** Milliseconds of a first answer: where the model is loaded, and in a tab that was just opened beside. */
async function times() {
  const browser = await launchBrowser();
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const first = await context.newPage();
  await first.goto(server.url);
  await answer(first, [17, 23]);
  const warm = await answer(first, [18, 23]);
  const second = await context.newPage();
  await second.goto(server.url);
  await second.getByRole('button', { name: /ready/ }).waitFor();
  const beside = await answer(second, [19, 23]);
  await browser.close();
  return { warm, beside };
}

const figures = { one: [], five: [], warm: [], beside: [] };
for (let run = 0; run < runs; run++) {
  const [bare, barest] = [await measure(1, false), await measure(5, false)];
  const [with1, with5] = [await measure(1, true), await measure(5, true)];
  figures.one.push(with1 - bare);
  figures.five.push(with5 - barest);
  console.log(`one tab ${bare.toFixed(0)} and ${with1.toFixed(0)} MB, five ${barest.toFixed(0)} and ${with5.toFixed(0)} MB`);
}
for (let run = 0; run < runs + 2; run++) {
  const { warm, beside } = await times();
  figures.warm.push(warm);
  figures.beside.push(beside);
}
await server.close();

console.log(`Ember in one tab: ${spread(figures.one)} MB of 90`);
console.log(`Ember in five tabs: ${spread(figures.five)} MB`);
console.log(`five ÷ one: ${(median(figures.five) / median(figures.one)).toFixed(2)} of 1.15`);
console.log(`first answer, model loaded: ${spread(figures.warm)} ms; in a second tab: ${spread(figures.beside)} ms`);
console.log(`second ÷ loaded: ${(median(figures.beside) / median(figures.warm)).toFixed(2)} of 1.2`);

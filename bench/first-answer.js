/**
 * Measures the time from opening the built page to a finished answer that used a tool, without a GPU, with no network except the page's own host, and
 * with empty caches. Floor: the same question on the same page with the model loaded. Goal: 3 s on two idle cores.
 */
import { serveFolder } from '../scripts/static-server.js';
import { launchBrowser, median, spread, stolenTime } from './browser.js';

const runs = 7;
const server = await serveFolder('dist');
const browser = await launchBrowser();
const cold = [];
const warm = [];
const written = [];
const unsure = [];
const stolen = [];

/** Runs in the page. Checks only when the page changes, because checking every frame would slow it down. */
function untilFinished() {
  const { body } = globalThis.document;
  const isFinished = () =>
    body.textContent.includes('17*23 = 391') && !body.querySelector('[aria-label="Stop"]');
  // A quick answer may be finished before the first check, and nothing changes after it.
  if (isFinished()) return undefined;
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isFinished()) return;
      observer.disconnect();
      resolve(undefined);
    });
    observer.observe(body, { subtree: true, childList: true, characterData: true });
  });
}

async function answer(page) {
  await page.getByRole('textbox', { name: 'Message' }).fill('What is 17 * 23?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.evaluate(untilFinished);
}

/** Returns the milliseconds from a question in a new chat until a text is on the page. */
async function until(page, question, text) {
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('textbox', { name: 'Message' }).fill(question);
  const start = performance.now();
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText(text).waitFor();
  return performance.now() - start;
}

for (let run = 0; run < runs; run++) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const stolenBefore = await stolenTime();
  const start = performance.now();
  await page.goto(server.url, { waitUntil: 'commit' });
  await answer(page);
  cold.push(performance.now() - start);
  stolen.push((await stolenTime()) - stolenBefore);

  await page.getByRole('button', { name: 'New chat' }).click();
  const again = performance.now();
  await answer(page);
  warm.push(performance.now() - again);

  written.push(await until(page, 'My car uses 6 litres per 100 km, how much for 350 km?', '6*350/100 = 21'));
  unsure.push(
    await until(
      page,
      'A litre of paint covers 13 square metres, so what do eleven litres cover?',
      'None of these',
    ),
  );
  await context.close();
}
await browser.close();
await server.close();

console.log(`first answer, cold: ${spread(cold)} ms of 3000`);
console.log(`  of which others had the machine's two cores for ${spread(stolen)} ms`);
console.log(`first answer, model loaded: ${spread(warm)} ms`);
console.log(`first answer, its call written by Ember, which is sure: ${spread(written)} ms`);
console.log(`readings to choose from, where it is not sure: ${spread(unsure)} ms`);
console.log(`unsure - sure: ${(median(unsure) - median(written)).toFixed(0)} ms of 1000 more`);
console.log(`cold ÷ loaded: ${(median(cold) / median(warm)).toFixed(1)}`);

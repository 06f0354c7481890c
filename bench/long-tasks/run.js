/**
 * `node bench/long-tasks/run.js [case…]`: the longest task of the page while a model on a local server writes a hostile reply, and while the chat is
 * opened again. Uses the built app. Goal: none above 100 ms on an idle machine.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const repeat = (/** @type {number} */ count, /** @type {(at: number) => string} */ write) =>
  Array.from({ length: count }, (_, at) => write(at)).join('');

/** Returns made-up words, because a reply that repeats itself is ended early. */
const word = (/** @type {number} */ at) => ((at * 2_654_435_761) % 4_294_967_296).toString(36);

/** @type {Readonly<Record<string, () => string>>} */
const replies = {
  'an ordinary reply': () => 'Herons stand still for hours, then strike.',
  '5 MB without a blank': () => repeat(800_000, word).slice(0, 5_000_000),
  '3 MB of words': () => repeat(450_000, (at) => `${word(at)} `),
  '277 kB of footnotes': () => repeat(8_000, (at) => `[^${at}]: ${word(at)}, see [^${at + 1}].\n`),
  '324 kB of link definitions': () => repeat(8_000, (at) => `[a${at}]: https://example.org/${word(at)}\n`),
  'links before their definitions': () =>
    `${repeat(4_000, (at) => `[${word(at)}][a${at}] `)}\n\n${repeat(4_000, (at) => `[a${at}]: https://example.org/${word(at)}\n`)}`,
  '20,000 list items': () => repeat(20_000, (at) => `- ${word(at)}\n`),
  '20,000 nested items': () => repeat(20_000, (at) => `${'  '.repeat(at % 8)}- ${word(at)}\n`),
  '3,000 fences': () => repeat(3_000, (at) => `\`\`\`js\nlet a = "${word(at)}";\n\`\`\`\n`),
  '20,000 links': () => repeat(20_000, (at) => `[${word(at)}](https://example.org/${at}) `),
  '5,000 table rows': () => `| a | b |\n|---|---|\n${repeat(5_000, (at) => `| ${word(at)} | *x* |\n`)}`,
  '200 kB of quotes': () => repeat(14_000, (at) => `> > > ${word(at)}\n`),
  '100 kB of open brackets': () => repeat(11_000, (at) => `${'['.repeat(1 + (at % 5))}${word(at)}`),
  '100 kB of emphasis': () => repeat(10_000, (at) => `*${word(at)} **b`),
  '2,000 formulas': () => repeat(2_000, (at) => `$${word(at)}_${at}^2$ and\n\n`),
  '200 kB of numbers': () => repeat(30_000, (at) => `${at * 7} `),
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(replies);
/** The reply to the first question, which loads what every turn needs. */
const ordinaryReply = 'Hello! How can I help you today?';
let reply = '';

const model = createServer((request, response) => {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-headers', '*');
  if (request.method !== 'POST')
    return response.end(request.method === 'OPTIONS' ? '' : '{"data":[{"id":"hostile"}]}');
  response.setHeader('content-type', 'text/event-stream');
  const pieceLength = 20_000;
  for (let at = 0; at < reply.length; at += pieceLength) {
    const content = reply.slice(at, at + pieceLength);
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  }
  response.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = model.address();
const modelUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;

const site = await serveFolder('dist');
const browser = await launchBrowser();

/** Runs in the page. */
async function chooseModel(/** @type {string} */ url) {
  const { indexedDB } = globalThis;
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open('hearth');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error(String(opening.error)));
  });
  const transaction = database.transaction(['settings'], 'readwrite');
  const endpoint = { model: 'hostile', isNative: false };
  const own = { id: 'hostile', engine: 'endpoint', modelUrl: url, overrides: {}, endpoint };
  const rows = [
    { key: 'ownModels', value: [own] },
    { key: 'allowedAddresses', value: [new globalThis.URL(url).origin] },
  ];
  for (const row of rows) transaction.objectStore('settings').put(row);
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

/** Runs in the page, before its scripts. */
function watchTasks() {
  const { PerformanceObserver } = globalThis;
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
  }).observe({ type: 'longtask', buffered: true });
}

async function measure(/** @type {string} */ name) {
  const write = replies[name];
  if (!write) throw new Error(`No case is called "${name}".`);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watchTasks);
  await page.goto(site.url);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.waitForTimeout(1_000);
  await page.evaluate(chooseModel, modelUrl);
  await page.goto(`${site.url}#/models`);
  await page.reload();
  const card = page.getByRole('article', { name: 'hostile', exact: true });
  await card.getByRole('button', { name: 'Use', exact: true }).click();
  await card.getByRole('status').getByText('Running').waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  reply = ordinaryReply;
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi');
  await page.keyboard.press('Enter');
  await page.getByText(ordinaryReply).waitFor();
  await page.waitForTimeout(3_000);
  reply = `${write()}\n\nTHE END`;
  await page.getByRole('textbox', { name: 'Message' }).fill('Go');
  await page.waitForTimeout(1_500);
  await page.evaluate(() => (globalThis.longest = 0));
  const start = performance.now();
  await page.keyboard.press('Enter');
  if (process.env.SHOW) {
    await page.waitForTimeout(8_000);
    await page.screenshot({ path: process.env.SHOW });
  }
  const isDrawn = () => globalThis.document.querySelector('main')?.textContent?.includes('THE END') === true;
  const idle = async () => {
    await page.waitForFunction(isDrawn, undefined, { timeout: 240_000, polling: 500 });
    await page.waitForTimeout(3_000);
    return page.evaluate(() => Math.round(globalThis.longest));
  };
  const writing = await idle();
  const seconds = (performance.now() - start - 3_000) / 1000;
  await page.reload();
  const opening = await idle();
  await context.close();
  return { writing, opening, seconds };
}

console.log('| reply | longest task while it is written | when it is opened | shown after |');
console.log('| --- | --: | --: | --: |');
for (const name of chosen) {
  const { writing, opening, seconds } = await measure(name).catch((error) => {
    console.error(name, String(error).slice(0, 200));
    return { writing: NaN, opening: NaN, seconds: NaN };
  });
  const show = (/** @type {number} */ ms) => (ms === 0 ? 'below 50 ms' : `${ms} ms`);
  console.log(`| ${name} | ${show(writing)} | ${show(opening)} | ${seconds.toFixed(1)} s |`);
}
await browser.close();
await site.close();
model.close();

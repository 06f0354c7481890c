/**
 * `node bench/tabs/run.js [runs]`: how much memory a model takes in one tab and in five, beyond the same pages without a model, and how soon a second
 * tab answers. Uses the built app with Ember. Goals: 90 MB, at most 1.15 times as much in five tabs as in one, and an answer in at most 1.2 times the
 * time of the tab that loaded the model.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serveFolder } from '../../scripts/static-server.js';
import { median, spread } from '../browser.js';
import { openBareBrowser } from './bare-browser.js';

const runs = Number(process.argv[2] ?? 3);
/** Milliseconds until the browser has cleaned up: the worker for sums ends after ten seconds, and its memory is freed some time later. */
const settleMs = 30_000;

/** Without the service worker, whose offline copy every visitor has once, regardless of the number of tabs. */
async function serve({ hasModel }) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await cp('dist', folder, { recursive: true });
  await rm(join(folder, 'service-worker.js'));
  if (!hasModel) await rm(join(folder, 'models'), { recursive: true });
  return serveFolder(folder);
}

/** Runs in the page: returns the milliseconds from pressing Send until the text is shown. */
async function askInPage(question, text) {
  const { document, HTMLTextAreaElement, MutationObserver } = globalThis;
  const until = (find) =>
    new Promise((resolve) => {
      const look = () => find() && (observer.disconnect(), resolve(find()));
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
      look();
    });
  const button = (name) =>
    [...document.querySelectorAll('button')].find(
      (one) => (one.ariaLabel ?? one.textContent).trim() === name && !one.disabled,
    );
  (await until(() => button('New chat'))).click();
  const box = await until(() => document.querySelector('textarea'));
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(box, question);
  box.dispatchEvent(new Event('input', { bubbles: true }));
  const send = await until(() => button('Send'));
  const start = performance.now();
  send.click();
  await until(() => document.querySelector('main').textContent.includes(text));
  return performance.now() - start;
}

const sum = (page, one, hasModel = true) =>
  page.evaluate(
    askInPage,
    `What is ${one} * 23?`,
    hasModel ? `${one}*23 = ${one * 23}` : 'Your question is kept',
  );

async function measure(server, tabs, hasModel) {
  const browser = await openBareBrowser();
  const pages = [];
  for (let tab = 0; tab < tabs; tab++) {
    pages.push(await browser.openTab(server.url));
    await sum(pages[tab], 17 + tab, hasModel);
  }
  await pause(settleMs);
  for (const page of pages) await page.collectGarbage();
  const used = await browser.memory();
  await browser.close();
  if (process.env.SHOW) console.log(JSON.stringify(used));
  return Object.values(used).reduce((sum, part) => sum + part, 0);
}

async function times(server) {
  const browser = await openBareBrowser();
  const first = await browser.openTab(server.url);
  await sum(first, 17);
  const warm = [];
  for (const one of [18, 19, 21]) warm.push(await sum(first, one));
  const second = await browser.openTab(server.url);
  await pause(3000);
  const beside = await sum(second, 22);
  await browser.close();
  return { warm: median(warm), beside };
}

const servers = { bare: await serve({ hasModel: false }), model: await serve({ hasModel: true }) };
const figures = { one: [], five: [], warm: [], beside: [] };
for (let run = 0; run < runs; run++) {
  const bare = [await measure(servers.bare, 1, false), await measure(servers.bare, 5, false)];
  const full = [await measure(servers.model, 1, true), await measure(servers.model, 5, true)];
  figures.one.push(full[0] - bare[0]);
  figures.five.push(full[1] - bare[1]);
  const [one, five] = bare.map((megabytes, at) => `${megabytes.toFixed(0)} and ${full[at].toFixed(0)} MB`);
  console.log(`without a model and with it: one tab ${one}, five ${five}`);
}
for (let run = 0; run < 2 * runs; run++) {
  const { warm, beside } = await times(servers.model);
  figures.warm.push(warm);
  figures.beside.push(beside);
}
await Promise.all(Object.values(servers).map((server) => server.close()));

console.log(`Ember in one tab: ${spread(figures.one)} MB of 90`);
console.log(`Ember in five tabs: ${spread(figures.five)} MB`);
console.log(`five ÷ one: ${(median(figures.five) / median(figures.one)).toFixed(2)} of 1.15`);
console.log(
  `first answer, model loaded: ${spread(figures.warm)} ms; in a second tab: ${spread(figures.beside)} ms`,
);
console.log(`second ÷ loaded: ${(median(figures.beside) / median(figures.warm)).toFixed(2)} of 1.2`);

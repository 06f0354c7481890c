/**
 * `node bench/kept-chats/run.js [runs] [messages…]`: how soon the screen shows the end of a chat with that many messages, and the list of a tenth as
 * many chats, each beside a bare read of the same rows from the database, and how the times grow from the first size to the last. Uses the built app,
 * with rows written into its database. Goal: at most 50 ms at the 95th percentile from the press on a chat of 10,000 messages to its last answer.
 */
import { mkdtemp, cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const runs = Number(process.argv[2] ?? 20);
const sizes = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [10_000, 100_000];

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];

/** Serves the app without models and without the service worker, so nothing else runs meanwhile. */
async function serve() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await cp('dist', folder, { recursive: true });
  await rm(join(folder, 'service-worker.js'));
  await rm(join(folder, 'models'), { recursive: true });
  return serveFolder(folder);
}

/** Runs in the page: writes two long chats, to switch between them, and short ones up to `chats`. */
async function writeChats({ messages, chats }) {
  const { indexedDB } = globalThis;
  const opened = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const database = await opened(indexedDB.open('hearth'));
  let transaction;
  let written = 0;
  // In batches, because a single transaction would stay in memory until its end.
  const put = async (table, row) => {
    if (written++ % 5000 === 0) {
      await commit();
      transaction = database.transaction(['chats', 'messages'], 'readwrite', { durability: 'relaxed' });
    }
    transaction.objectStore(table).put(row);
  };
  const commit = () => transaction && new Promise((resolve) => (transaction.oncomplete = resolve));
  const record = (id, at, leafId) => ({
    id,
    title: `Chat ${id}`,
    isNamed: false,
    createdAt: at,
    updatedAt: at,
    leafId,
    toolsOff: [],
  });
  const text = (role, depth) =>
    role === 'user'
      ? {
          role,
          content: [{ type: 'text', text: `Question ${depth}: what is that?` }],
          origins: [{ door: 'typed' }],
        }
      : {
          role,
          finishReason: 'stop',
          content: [{ type: 'text', text: `Answer ${depth}. ${'It is **what** it is. '.repeat(20)}` }],
        };
  for (const id of ['one', 'two']) {
    await put('chats', record(id, 2e12, `${id}-${messages - 1}`));
    for (let depth = 0; depth < messages; depth++) {
      await put('messages', {
        id: `${id}-${depth}`,
        chatId: id,
        parentId: depth === 0 ? null : `${id}-${depth - 1}`,
        depth,
        createdAt: depth,
        message: text(depth % 2 === 0 ? 'user' : 'assistant', depth),
        turnEnd: 'answered',
      });
    }
  }
  for (let at = 2; at < chats; at++) await put('chats', record(`c${at}`, at, null));
  await commit();
  database.close();
}

/** Runs in the page: returns the milliseconds of each run from the press on a chat until its last answer is laid out, and those of the bare reads. */
async function openInPage({ messages, runs }) {
  const { document, indexedDB, IDBKeyRange, requestAnimationFrame } = globalThis;
  const asked = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const last = `Answer ${messages - 1}.`;
  const link = (id) => document.querySelector(`nav a[href="#/chat/${id}"]`);
  const open = async (id) => {
    const start = performance.now();
    link(id).click();
    const isShown = () => {
      const turns = document.querySelectorAll('main [data-turn]');
      const turn = turns[turns.length - 1];
      if (document.querySelector('h1')?.textContent !== `Chat ${id}`) return false;
      return turn?.dataset.turn.startsWith(`${id}-`) && turn.textContent.includes(last);
    };
    // An observer, because a polling timer would be part of the measured time.
    await new Promise((resolve) => {
      const observer = new MutationObserver(() => isShown() && (observer.disconnect(), resolve()));
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    document.querySelector('main .scroll').getBoundingClientRect();
    const took = performance.now() - start;
    await new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 400));
    return took;
  };
  const database = await asked(indexedDB.open('hearth'));
  const bare = async (id) => {
    const start = performance.now();
    const index = database.transaction('messages').objectStore('messages').index('[chatId+depth]');
    await asked(index.getAll(IDBKeyRange.bound([id, messages - 40], [id, messages])));
    return performance.now() - start;
  };
  const bareList = async () => {
    const start = performance.now();
    await asked(database.transaction('chats').objectStore('chats').getAll());
    return performance.now() - start;
  };
  // The first opening of each chat also fetches code, so it is not measured.
  await open('one');
  await open('two');
  const times = { open: [], bare: [], list: [] };
  for (let run = 0; run < runs; run++) {
    const id = run % 2 === 0 ? 'one' : 'two';
    times.open.push(await open(id));
    times.bare.push(await bare(id));
  }
  // Measured last, because thousands of rows leave garbage that would slow down the next opening.
  for (let run = 0; run < runs; run++) times.list.push(await bareList());
  database.close();
  return times;
}

/** Runs in the page right after it loads: returns the milliseconds from the start of the page until the list is shown. */
async function listInPage() {
  const { document } = globalThis;
  while (document.querySelectorAll('nav li').length === 0)
    await new Promise((resolve) => setTimeout(resolve, 0));
  return { shown: performance.now(), elements: document.querySelectorAll('nav *').length };
}

/** Waits until the search index has all messages. Building it keeps a core busy, which for a real user is long over. */
async function indexIsBuilt(page) {
  const box = page.getByRole('searchbox', { name: 'Search chats' });
  await box.fill('question');
  await page.getByRole('list', { name: 'Results' }).waitFor({ timeout: 600_000 });
  await page.getByText('are being read for the search').waitFor({ state: 'hidden', timeout: 600_000 });
  await box.fill('');
  await page.getByRole('list', { name: 'Chats' }).waitFor();
}

const shownAt = {};
const server = await serve();
try {
  for (const size of sizes) {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Bin' }).waitFor();
    await page.waitForTimeout(1500);
    await page.evaluate(writeChats, { messages: size, chats: size / 10 });
    const lists = [];
    for (let run = 0; run < 5; run++) {
      await page.goto('about:blank');
      await page.goto(server.url);
      lists.push(await page.evaluate(listInPage));
    }
    await indexIsBuilt(page);
    const { open, bare, list } = await page.evaluate(openInPage, { messages: size, runs });
    const show = (values) =>
      `median ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
    console.log(`\n${size} messages in a chat, ${size / 10} chats`);
    console.log(`  the end of the chat: ${show(open)}`);
    console.log(`  bare read of its last 40 rows: ${show(bare)}`);
    console.log(`  ratio of the medians: ${(percentile(open, 0.5) / percentile(bare, 0.5)).toFixed(1)}`);
    console.log(`  the list, from the start of the page: ${show(lists.map(({ shown }) => shown))}`);
    console.log(`  bare read of all chats: ${show(list)}`);
    const shown = lists.map((one) => one.shown);
    console.log(`  ratio of the medians: ${(percentile(shown, 0.5) / percentile(list, 0.5)).toFixed(1)}`);
    for (const [name, values] of Object.entries({ 'the end of the chat': open, 'the list': shown }))
      (shownAt[name] ??= []).push(percentile(values, 0.5));
    console.log(`  elements at the side: ${lists.at(-1).elements}`);
    await browser.close();
  }
  for (const [name, [one, ...others]] of Object.entries(shownAt)) {
    if (others.length === 0) continue;
    const growth = Math.log(others.at(-1) / one) / Math.log(sizes.at(-1) / sizes[0]);
    console.log(`${name}: cost = length to the power of ${growth.toFixed(2)}`);
  }
} finally {
  await server.close();
}

/**
 * `node bench/kept-chats/run.js [runs]`: how soon the end of a chat of 10,000 messages stands on the screen, and how soon the list of 10,000
 * chats, each beside the bare read of the same rows from the database. Of the built app, with the rows written into its database. Goal: 50 ms
 * at the 95th percentile from the press on a chat to its last answer.
 */
import { mkdtemp, cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const runs = Number(process.argv[2] ?? 20);
/** Messages of a long chat, and chats in the list. */
const sizes = [100, 10_000];

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];

/** Without a model or a copy for offline use: nothing else works meanwhile. */
async function serve() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await cp('dist', folder, { recursive: true });
  await rm(join(folder, 'service-worker.js'));
  await rm(join(folder, 'models'), { recursive: true });
  return serveFolder(folder);
}

/** Runs in the page: two long chats, to go from one to the other, and as many short ones as there are to be. */
async function writeChats({ messages, chats }) {
  const { indexedDB } = globalThis;
  const opened = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const database = await opened(indexedDB.open('hearth'));
  const transaction = database.transaction(['chats', 'messages'], 'readwrite');
  const record = (id, at, leafId) => ({
    ...{ id, title: `Chat ${id}`, isNamed: false, createdAt: at, updatedAt: at, leafId, toolsOff: [] },
  });
  const text = (role, depth) =>
    role === 'user'
      ? { role, content: [{ type: 'text', text: `Question ${depth}: what is that?` }] }
      : {
          ...{ role, finishReason: 'stop' },
          content: [{ type: 'text', text: `Answer ${depth}. ${'It is **what** it is. '.repeat(20)}` }],
        };
  for (const id of ['one', 'two']) {
    transaction.objectStore('chats').put(record(id, 2e12, `${id}-${messages - 1}`));
    for (let depth = 0; depth < messages; depth++) {
      transaction.objectStore('messages').put({
        ...{ id: `${id}-${depth}`, chatId: id, parentId: depth === 0 ? null : `${id}-${depth - 1}`, depth },
        ...{
          createdAt: depth,
          message: text(depth % 2 === 0 ? 'user' : 'assistant', depth),
          turnEnd: 'answered',
        },
      });
    }
  }
  for (let at = 2; at < chats; at++) transaction.objectStore('chats').put(record(`c${at}`, at, null));
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

/** Runs in the page. Milliseconds from the press on a chat until its last answer is laid out, time after time; and of the bare reads. */
async function openInPage({ messages, runs }) {
  const { document, indexedDB, IDBKeyRange, requestAnimationFrame } = globalThis;
  const asked = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const last = `Answer ${messages - 1}.`;
  const link = (id) => document.querySelector(`nav a[href="#/chat/${id}"]`);
  const open = async (id) => {
    const start = performance.now();
    link(id).click();
    const heading = `Chat ${id}`;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      const turns = document.querySelectorAll('main [data-turn]');
      const isShown = document.querySelector('h1')?.textContent === heading && turns.length > 0;
      const turn = turns[turns.length - 1];
      if (isShown && turn.dataset.turn.startsWith(`${id}-`) && turn.textContent.includes(last)) break;
    }
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
  // The parts of the screen are fetched with the first of each.
  await open('one');
  await open('two');
  const times = { open: [], bare: [], list: [] };
  for (let run = 0; run < runs; run++) {
    const id = run % 2 === 0 ? 'one' : 'two';
    times.open.push(await open(id));
    times.bare.push(await bare(id));
  }
  // Apart from the rest: thousands of rows are much to tidy up, which would be paid for by the next opening.
  for (let run = 0; run < runs; run++) times.list.push(await bareList());
  database.close();
  return times;
}

/** Runs in the page that was just loaded: milliseconds from the start of the page until the list stands. */
async function listInPage() {
  const { document } = globalThis;
  while (document.querySelectorAll('nav li').length === 0)
    await new Promise((resolve) => setTimeout(resolve, 0));
  return { shown: performance.now(), elements: document.querySelectorAll('nav *').length };
}

const server = await serve();
try {
  for (const size of sizes) {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Bin' }).waitFor();
    await page.waitForTimeout(1500);
    await page.evaluate(writeChats, { messages: size, chats: size });
    const lists = [];
    for (let run = 0; run < 5; run++) {
      await page.goto('about:blank');
      await page.goto(server.url);
      lists.push(await page.evaluate(listInPage));
    }
    const { open, bare, list } = await page.evaluate(openInPage, { messages: size, runs });
    const show = (values) =>
      `median ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms`;
    console.log(`\n${size} messages in a chat, ${size} chats`);
    console.log(`  the end of the chat: ${show(open)}`);
    console.log(`  bare read of its last 40 rows: ${show(bare)}`);
    console.log(`  ratio of the medians: ${(percentile(open, 0.5) / percentile(bare, 0.5)).toFixed(1)}`);
    console.log(`  the list, from the start of the page: ${show(lists.map(({ shown }) => shown))}`);
    console.log(`  bare read of all chats: ${show(list)}`);
    console.log(`  elements at the side: ${lists.at(-1).elements}`);
    await browser.close();
  }
} finally {
  await server.close();
}

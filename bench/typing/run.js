/**
 * `node bench/typing/run.js [runs] [messages…]`: the page's longest task while the user types 120 letters into the message box of a chat with that
 * many messages, in CPU time of its thread: at the chat's end, and at its first message, after all of it was loaded. Uses the built app, with rows
 * written into its database. Goal: one frame, 16.7 ms, in a chat of 10,000 messages. The first size shows what typing costs in any chat.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchTasks } from '../../scripts/page-tasks.js';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, spread } from '../browser.js';

const runs = Number(process.argv[2] ?? 10);
const sizes = process.argv.length > 3 ? process.argv.slice(3).map(Number) : [10, 10_000];
const sentence = 'What is the height of the lighthouse, in metres? ';
const letters = (sentence + sentence + sentence).slice(0, 120);
const everyMs = 40;

/** Serves the app without models and without the service worker, so nothing else runs meanwhile. */
async function serve() {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  await cp('dist', folder, { recursive: true });
  await rm(join(folder, 'service-worker.js'));
  await rm(join(folder, 'models'), { recursive: true });
  return serveFolder(folder);
}

/** Runs in the page: writes a chat of alternating questions and answers. */
async function writeChat(messages) {
  const { indexedDB } = globalThis;
  const database = await new Promise((resolve) => {
    const opening = indexedDB.open('hearth');
    opening.onsuccess = () => resolve(opening.result);
  });
  const transaction = database.transaction(['chats', 'messages'], 'readwrite');
  const leafId = `m${messages - 1}`;
  const times = { createdAt: 2e12, updatedAt: 2e12 };
  transaction
    .objectStore('chats')
    .put({ id: 'long', title: 'Long', isNamed: false, ...times, leafId, toolsOff: [] });
  for (let depth = 0; depth < messages; depth++) {
    const content = [{ type: 'text', text: `Message ${depth}. ${'It is **what** it is. '.repeat(20)}` }];
    const message =
      depth % 2 === 0
        ? { role: 'user', content, origins: [{ door: 'typed' }] }
        : { role: 'assistant', content, finishReason: 'stop' };
    const place = { id: `m${depth}`, chatId: 'long', parentId: depth === 0 ? null : `m${depth - 1}`, depth };
    transaction
      .objectStore('messages')
      .put({ ...place, createdAt: 2e12 + depth, message, turnEnd: 'answered' });
  }
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
}

async function typeIn(browser, page) {
  const box = page.getByRole('textbox', { name: 'Message', exact: true });
  const longest = [];
  for (let run = 0; run <= runs; run++) {
    await box.fill('');
    await box.focus();
    await page.waitForTimeout(1000);
    const stop = await watchTasks(browser);
    await page.keyboard.type(letters, { delay: everyMs });
    const took = await stop();
    // The first letter also loads code, so the first run does not count.
    if (run > 0) longest.push(took);
  }
  return `the longest task of ${letters.length} letters took ${spread(longest, 1)} ms`;
}

const server = await serve();
try {
  for (const size of sizes) {
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Bin' }).waitFor();
    await page.waitForTimeout(1500);
    await page.evaluate(writeChat, size);
    await page.goto('about:blank');
    await page.goto(`${server.url}#/chat/long`);
    await page.getByText(`Message ${size - 1}.`).waitFor();
    await page.waitForTimeout(3000);
    console.log(`${size} messages, at the end: ${await typeIn(browser, page)}`);
    const start = performance.now();
    await page.goto(`${server.url}#/chat/long/m0`);
    await page.getByText('Message 0.').waitFor();
    const took = Math.round(performance.now() - start);
    console.log(`${size} messages, at the first, shown after ${took} ms: ${await typeIn(browser, page)}`);
    await browser.close();
  }
} finally {
  await server.close();
}

/**
 * `node bench/long-tasks/run.js [case…]`: the longest task of the page while a model on a local server writes a hostile reply, while the chat is
 * opened again, and while it is searched. Then the same for hostile files, from the choice of the file to the end of the answer, and for a call
 * that carries text out of a long chat, until the user is asked. Uses the built app.
 * Goal: none above 100 ms on an idle machine.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** @type {Readonly<Record<string, { file: string, write: () => string }>>} Files that a user attaches. */
const files = {
  '5 MB of words': { file: 'words.txt', write: () => repeat(750_000, (at) => `${word(at)} `) },
  '5 MB in one word': { file: 'word.txt', write: () => repeat(800_000, word) },
  '5 MB of table': {
    file: 'rows.csv',
    write: () => repeat(250_000, (at) => `${at},${word(at)},"${word(at + 1)}"\n`),
  },
  '5 MB of JSON': { file: 'data.json', write: () => `[${repeat(250_000, (at) => `{"a":"${word(at)}"},`)}0]` },
  '2 MB of HTML': { file: 'page.html', write: () => repeat(100_000, (at) => `<div><p>${word(at)}`) },
};

/** @type {Readonly<Record<string, () => string>>} Texts of an imported chat, of which a call then carries 100 characters. */
const chats = {
  'a chat of 3 MB of words': () => repeat(450_000, (at) => `${word(at)} `),
  'a chat of 3 MB without a blank': () => repeat(480_000, word),
  'a chat of 3 MB of Chinese': () =>
    repeat(1_000_000, (at) => String.fromCodePoint(0x4e_00 + ((at * 2_654_435_761) % 20_000))),
};

const chosen =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [...Object.keys(replies), ...Object.keys(files), ...Object.keys(chats)];
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

/**
 * Opens the app with the hostile model in a chat, in which it has answered once. Each case has a browser of its own: one that has drawn twenty
 * hostile texts is busy with their memory.
 */
async function openChat() {
  const browser = await launchBrowser();
  const page = await browser.newPage();
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
  return { browser, page };
}

async function measureReply(/** @type {() => string} */ write) {
  const { browser, page } = await openChat();
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
  /** Runs in the page. Reads only the end, because the text of the whole chat takes 80 ms to read. */
  const isDrawn = () => {
    const { document, NodeFilter } = globalThis;
    const texts = document.createTreeWalker(document.querySelector('main') ?? document, NodeFilter.SHOW_TEXT);
    while (texts.lastChild());
    for (let left = 500; left > 0; left--) {
      if (texts.currentNode.textContent?.includes('THE END')) return true;
      if (!texts.previousNode()) return false;
    }
    return false;
  };
  const idle = async () => {
    await page.waitForFunction(isDrawn, undefined, { timeout: 240_000, polling: 500 });
    await page.waitForTimeout(3_000);
    return page.evaluate(() => Math.round(globalThis.longest));
  };
  const writing = await idle();
  const seconds = (performance.now() - start - 3_000) / 1000;
  // The start of the app is no task of the reply, so measure from an app that has started.
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.reload();
  await page.getByRole('link', { name: 'Hi', exact: true }).waitFor();
  await page.waitForTimeout(3_000);
  await page.evaluate(() => (globalThis.longest = 0));
  await page.getByRole('link', { name: 'Hi', exact: true }).click();
  const opening = await idle();
  await page.evaluate(() => (globalThis.longest = 0));
  await page.keyboard.press('Control+f');
  await page.getByRole('searchbox', { name: 'Find in this chat' }).fill('a');
  await page
    .getByRole('search')
    .getByText(/\d of \d/)
    .waitFor({ timeout: 120_000 });
  const finding = await idle();
  await page.evaluate(() => (globalThis.longest = 0));
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Search chats' }).fill(word(7));
  const searching = await idle();
  await browser.close();
  return { writing, opening, finding, searching, seconds };
}

/** Measures from the choice of the file until the answer is complete. */
async function measureFile(/** @type {{ file: string, write: () => string }} */ { file, write }) {
  const { browser, page } = await openChat();
  reply = 'I have read it.';
  // From the disk: the browser's driver would unpack the bytes in the page.
  const folder = await mkdtemp(join(tmpdir(), 'hearth-long-tasks-'));
  await writeFile(join(folder, file), write());
  await page.evaluate(() => (globalThis.longest = 0));
  const start = performance.now();
  await page.locator('input[type=file]').setInputFiles(join(folder, file));
  await page.getByRole('textbox', { name: 'Message' }).fill('What is in it?');
  await page.keyboard.press('Enter');
  await page.getByText(reply).waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - start) / 1000;
  await page.waitForTimeout(3_000);
  const longest = await page.evaluate(() => Math.round(globalThis.longest));
  await browser.close();
  await rm(folder, { recursive: true });
  return { longest, seconds };
}

/** Measures from the question until the user is asked about the call. */
async function measureCall(/** @type {() => string} */ write) {
  const { browser, page } = await openChat();
  const text = write();
  await page.goto(`${site.url}#/settings`);
  const backup = page.getByRole('region', { name: 'Backup' });
  const folder = await mkdtemp(join(tmpdir(), 'hearth-long-tasks-'));
  const file = join(folder, 'conversations.json');
  await writeFile(file, JSON.stringify([exportedChat(text)]));
  await backup.locator('input[type=file]').first().setInputFiles(file);
  await page.getByRole('button', { name: 'Merge' }).click();
  await backup.getByText(/Brought in: 1 chat/).waitFor();
  await page.getByRole('link', { name: 'Imported' }).click();
  await page.waitForTimeout(5_000);
  const url = `https://example.org/?q=${encodeURIComponent(text.slice(500_000, 500_100))}`;
  reply = `<tool_call>\n${JSON.stringify({ name: 'fetch_page', arguments: { url } })}\n</tool_call>`;
  await page.getByRole('textbox', { name: 'Message' }).fill('Go on.');
  await page.evaluate(() => (globalThis.longest = 0));
  const start = performance.now();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow once' }).waitFor({ timeout: 120_000 });
  const seconds = (performance.now() - start) / 1000;
  await page.waitForTimeout(1_000);
  const longest = await page.evaluate(() => Math.round(globalThis.longest));
  await browser.close();
  await rm(folder, { recursive: true });
  return { longest, seconds };
}

/** A chat as ChatGPT exports it. */
function exportedChat(/** @type {string} */ text) {
  const message = (/** @type {string} */ id, /** @type {string} */ role, /** @type {string} */ part) => ({
    id,
    author: { role },
    create_time: 1_700_000_000,
    content: { content_type: 'text', parts: [part] },
    recipient: 'all',
  });
  return {
    title: 'Imported',
    create_time: 1_700_000_000,
    update_time: 1_700_000_000,
    conversation_id: 'imported',
    current_node: 'b',
    mapping: {
      a: { id: 'a', parent: null, children: ['b'], message: message('a', 'user', text) },
      b: { id: 'b', parent: 'a', children: [], message: message('b', 'assistant', 'I see.') },
    },
  };
}

const show = (/** @type {number} */ ms) => (ms === 0 ? 'below 50 ms' : `${ms} ms`);

console.log(
  '| reply | longest task while it is written | when it is opened | when “a” is found in it | when the chats are searched | shown after |',
);
console.log('| --- | --: | --: | --: | --: | --: |');
for (const name of chosen) {
  const write = replies[name];
  if (!write) continue;
  const { writing, opening, finding, searching, seconds } = await measureReply(write);
  console.log(
    `| ${name} | ${[writing, opening, finding, searching].map(show).join(' | ')} | ${seconds.toFixed(1)} s |`,
  );
}
console.log('\n| file | longest task | answered after |');
console.log('| --- | --: | --: |');
for (const name of chosen) {
  const attached = files[name];
  if (!attached) continue;
  const { longest, seconds } = await measureFile(attached);
  console.log(`| ${name} | ${show(longest)} | ${seconds.toFixed(1)} s |`);
}
console.log('\n| call | longest task | asked after |');
console.log('| --- | --: | --: |');
for (const name of chosen) {
  const write = chats[name];
  if (!write) continue;
  const { longest, seconds } = await measureCall(write);
  console.log(`| ${name} | ${show(longest)} | ${seconds.toFixed(1)} s |`);
}
await site.close();
model.close();

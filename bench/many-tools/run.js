/**
 * `node bench/many-tools/run.js [6 11 …] [--show]`: Ember in the built app (run `npm run build` first, or set HEARTH_DIST to another folder) with
 * that many tools on, asked 14 + 40 plain requests, each in a new chat. A reply is right if its first call has the expected tool and value, or if it
 * has no call where none is expected. Prints the right replies and the cost of the first prompt for each number of tools.
 */
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, median } from '../browser.js';
import { ownTools } from './tools.js';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean' }, only: { type: 'string', default: '' } },
});
const sizes = positionals.length > 0 ? positionals.map(Number) : [6, 11, 26, 66, 300, 1000];
/** The number of enabled tools that ship with the app and are offered to Ember. */
const builtIn = 4;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const requests = JSON.parse(await readFile(here('requests.json'), 'utf8')).filter(({ request }) =>
  request.includes(options.only),
);
const server = await serveFolder(process.env['HEARTH_DIST'] ?? here('../../dist'));
const browser = await launchBrowser();

/** Runs in the page: writes rows as an earlier visit would have left them. */
function putTools(rows) {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open('hearth');
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
      const change = open.result.transaction('customTools', 'readwrite');
      for (const row of rows) change.objectStore('customTools').put(row);
      change.oncomplete = () => resolve(open.result.close());
      change.onerror = () => reject(change.error);
    };
  });
}

/** Runs in the page: whether the app has created its tables. */
async function hasDatabase() {
  return (await indexedDB.databases()).some(({ name, version }) => name === 'hearth' && version > 1);
}

/** Runs in the page: returns the messages of the newest chat in the order in which they were written. */
function newestMessages() {
  return new Promise((resolve, reject) => {
    const open = indexedDB.open('hearth');
    open.onerror = () => reject(open.error);
    open.onsuccess = () => {
      const all = open.result.transaction('messages').objectStore('messages').getAll();
      all.onsuccess = () => {
        open.result.close();
        const nodes = all.result.sort((one, other) => one.createdAt - other.createdAt);
        resolve(nodes.filter(({ chatId }) => chatId === nodes.at(-1).chatId));
      };
    };
  });
}

const plain = (value) =>
  JSON.stringify(value)
    .toLowerCase()
    .replace(/×|\\u00d7/g, '*')
    .replace(/[\s_"]/g, '');

function judge({ tool, value }, nodes) {
  const replies = nodes.filter(({ message }) => message.role === 'assistant');
  const call = replies
    .flatMap(({ message }) => message.content)
    .find(({ type }) => type.endsWith('tool-call'));
  if (tool === null) return { isRight: call === undefined && replies.length > 0, call };
  const isTool = call?.name === tool;
  const first = Object.values(call?.arguments ?? {}).join(' ');
  const isValue = value === '' || plain(first).includes(plain(value));
  // A second argument that nobody asked for.
  const extra = tool.startsWith('list_') && Object.keys(call?.arguments ?? {}).length > 1;
  return { isRight: isTool && isValue && !extra, isTool, call };
}

console.log(
  '| tools on | right of 14 | right of 40 | right tool of 54 | first prompt, tokens | first token, ms |',
);
console.log('| --- | --- | --- | --- | --- | --- |');
for (const size of sizes) {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  // Opening the database before the app has created its tables would create an empty one. `waitForFunction` treats any promise as true.
  while (!(await page.evaluate(hasDatabase))) await page.waitForTimeout(50);
  await page.evaluate(putTools, ownTools(size - builtIn));
  await page.reload();
  const box = page.getByRole('textbox', { name: 'Message' });
  const stop = page.getByRole('button', { name: 'Stop' });
  const rows = [];
  for (const given of requests) {
    await page.keyboard.press('Control+Shift+KeyO');
    await page.getByRole('article', { name: 'You' }).waitFor({ state: 'detached' });
    await box.fill(given.request);
    await box.press('Enter');
    await page.getByRole('article', { name: 'Hearth' }).waitFor({ timeout: 120_000 });
    const ended = stop.waitFor({ state: 'hidden', timeout: 120_000 });
    // A call that would reach outside is wrong here, so it is denied.
    const denied = page.getByRole('dialog').getByRole('button', { name: 'Deny' });
    await Promise.race([ended, denied.click({ timeout: 120_000 }).catch(() => undefined)]);
    await ended;
    const nodes = await page.evaluate(newestMessages);
    const usage = nodes.find(({ usage }) => usage?.promptTokens > 0)?.usage;
    const row = { given, usage, ...judge(given, nodes) };
    rows.push(row);
    if (options.show && !row.isRight) {
      const said = nodes.flatMap(({ message }) => (message.errorMessage ? [message.errorMessage] : []));
      console.error(`${size} ${given.request}: ${JSON.stringify(row.call ?? null)} ${said.join(' ')}`);
    }
  }
  const right = (set) => rows.filter(({ given, isRight }) => isRight && given.set === set).length;
  const tool = rows.filter(({ given, isTool, isRight }) => (given.tool === null ? isRight : isTool)).length;
  const used = rows.flatMap(({ usage }) => (usage ? [usage] : []));
  const tokens = used.length > 0 ? median(used.map(({ promptTokens }) => promptTokens)) : 0;
  const first = used.length > 0 ? median(used.map(({ firstTokenMs = 0 }) => firstTokenMs)) : 0;
  console.log(`| ${size} | ${right('14')} | ${right('40')} | ${tool} | ${tokens} | ${first.toFixed(0)} |`);
  await context.close();
}
await browser.close();
await server.close();

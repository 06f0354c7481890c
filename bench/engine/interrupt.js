/**
 * `node bench/engine/interrupt.js FILE`: kills the browser at each stage of a model's life in the built app (adding, loading, reading the prompt, writing,
 * afterwards), and presses Stop at each stage of a reply. After each kill, the model must be listed and the question stored. An unfinished reply may only lack
 * the words of the last second, and a finished reply no word. At last it closes the tab that runs Ember and the model in the middle of a reply, and
 * another tab must answer. Prints a line for each of these, and exits with 1 if one fails or Stop takes over 200 ms.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { findChromium } from '../../scripts/find-chromium.js';
import { serveFolder } from '../../scripts/static-server.js';

const file = resolve(process.argv[2]);
const name = basename(file).replace(/\.gguf$/i, '');
const maxStopMs = 200;
/** Milliseconds of a reply that a kill may lose. The page stores a running reply four times a second (`checkpointMs`). */
const maxLostMs = 1000;

const server = await serveFolder(fileURLToPath(new URL('../../dist', import.meta.url)));
const profile = await mkdtemp(join(tmpdir(), 'bench-interrupt-'));
let context, page;

async function open(hash = '') {
  context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    args: ['--no-sandbox'],
    locale: 'en-US',
  });
  page = context.pages()[0];
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => report('page', false, error.message));
  await page.goto(`${server.url}${hash}`);
}

/** Kills all processes of the browser at once, as a power cut would. */
async function kill() {
  const session = await context.browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  for (const { id } of processInfo) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // This process ended together with an earlier one.
    }
  }
  await context.close().catch(() => undefined);
  await pause(500);
}

function report(what, isRight, ...figures) {
  console.log([isRight ? 'ok  ' : 'FAIL', what, ...figures].join(' | '));
  if (!isRight) process.exitCode = 1;
}

const message = () => page.getByRole('textbox', { name: 'Message' });
const article = () => page.getByRole('article', { name, exact: true });
const use = () => article().getByRole('button', { name: 'Use' });

async function addFile() {
  const form = page.getByRole('region', { name: 'Add a model' });
  const field = form.getByLabel('GGUF file');
  if (!(await field.isVisible())) await form.getByText('From this device’s disk').click();
  const choosing = page.waitForEvent('filechooser');
  await field.click();
  await (await choosing).setFiles(file);
}

async function ask(question) {
  await page.getByRole('button', { name: 'New chat' }).click();
  await message().fill(question);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** Runs in the page: returns what the screen shows of the turn. */
const look = () =>
  page.evaluate(() => {
    const { document } = globalThis;
    return {
      status: [...document.querySelectorAll('[role=status]')].map((one) => one.textContent).join(),
      reply: [...document.querySelectorAll('article[aria-label=Hearth] .markdown')].at(-1)?.textContent ?? '',
      isRunning: document.querySelector('[aria-label=Stop]') !== null,
    };
  });

/** Resolves to what the screen shows at this stage, and to the length of the reply that a kill must not lose. */
async function reach(isThere) {
  const lengths = [];
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(20)) {
    const seen = await look();
    const now = Date.now();
    lengths.push({ at: now, length: seen.reply.length });
    if (!isThere(seen)) continue;
    return { ...seen, safe: lengths.findLast(({ at }) => at < now - maxLostMs)?.length ?? 0 };
  }
  throw new Error('this stage was never reached');
}

const stages = {
  sent: () => true,
  'reading the prompt': ({ status, reply }) => /Reading/.test(status) || reply !== '',
  'the first words': ({ reply }) => reply !== '',
  writing: ({ reply, isRunning }) => reply.length > 600 || (reply !== '' && !isRunning),
  done: ({ reply, isRunning }) => reply !== '' && !isRunning,
};

await open('#/models');
await addFile();
await pause(120);
await kill();
await open('#/models');
// A partly added file may not be listed as a model.
if ((await article().count()) === 0) await addFile();
await use().waitFor();
report('killed while it was added', true);
await use().click();
for (const ms of [50, 300, 900]) {
  await pause(ms);
  await kill();
  await open('#/models');
  await use().waitFor();
  report(`killed ${ms} ms into a load`, true);
}

let questions = 0;
async function killAt(stage, isThere, text) {
  questions += 1;
  await ask(`Question ${questions}: ${text}`);
  const { reply, isRunning, safe } = await reach(isThere);
  await kill();
  await open();
  await page.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
  await page.locator('main').getByText(`Question ${questions}:`).first().waitFor();
  const atLeast = isRunning ? safe : reply.length;
  let kept = 0;
  // The page draws the reply after the question.
  for (let tries = 0; tries < 50 && kept < reply.length; tries++) {
    await pause(100);
    kept = (await look()).reply.length;
  }
  report(
    `killed: ${stage}`,
    kept >= atLeast,
    `${reply.length} characters, ${kept} kept, ${atLeast} at least`,
  );
}
for (const [stage, isThere] of Object.entries(stages))
  await killAt(stage, isThere, `tell me of ${'the river and the sea and '.repeat(40)}the hills`);
for (let run = 0; run < 3; run++) await killAt('done, a short reply', stages.done, 'say hi');

for (const [stage, isThere] of Object.entries(stages).slice(0, -1)) {
  await ask(`Stop ${stage}: tell me of ${'the river and the sea and '.repeat(60)}the hills`);
  await reach(isThere);
  const ms = await page.evaluate(async () => {
    const { document, performance } = globalThis;
    const stop = () => document.querySelector('[aria-label=Stop]');
    const start = performance.now();
    stop()?.click();
    while (stop()) await new Promise((resume) => setTimeout(resume, 4));
    return performance.now() - start;
  });
  report(`stopped: ${stage}`, ms <= maxStopMs, `${ms.toFixed(0)} ms`);
}
await ask('hi');
const { reply } = await reach(stages.done);
report('answers afterwards', reply !== '', reply.slice(0, 60));

async function answersWithBoth(when) {
  await ask('What is 17 * 23?');
  const sum = await reach(stages.done);
  await ask('Tell me of the sea.');
  const words = await reach(stages.done);
  const isRight = sum.reply.includes('391') && words.reply !== '';
  report(`Ember and the model answer ${when}`, isRight, sum.reply, words.reply.slice(0, 60));
}
await answersWithBoth('in one tab');
const other = await context.newPage();
other.setDefaultTimeout(120_000);
other.on('pageerror', (error) => report('page', false, error.message));
await other.goto(server.url);
await ask('tell me of the river, the hills and the sea');
await reach(stages['the first words']);
await page.close();
page = other;
await answersWithBoth('after the tab that runs them was closed in a reply');
await kill();
await server.close();
await rm(profile, { recursive: true, force: true });

/**
 * `node bench/engine/interrupt.js FILE`: kills the browser at each stage of a model's life in the built app (adding, loading, reading the
 * prompt, writing, afterwards), and presses Stop at each stage of a reply. After each kill the question must be there, the model listed,
 * and all the words that the page had kept. Prints a line for each, and exits with 1 where one is lost or Stop takes over 200 ms.
 */
import { spawnSync } from 'node:child_process';
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
/** The page writes a reply to the database every half second or so; what came since may be missing after a kill. */
const maxLostCharacters = 400;

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

async function kill() {
  spawnSync('pkill', ['-9', '-f', profile]);
  await context.close().catch(() => undefined);
  await pause(500);
}

function report(what, isRight, ...figures) {
  console.log([isRight ? 'ok  ' : 'LOST', what, ...figures].join(' | '));
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

/** Runs in the page, when it is there: what is on the screen of the turn. */
const look = () =>
  page.evaluate(() => {
    const { document } = globalThis;
    return {
      status: [...document.querySelectorAll('[role=status]')].map((one) => one.textContent).join(),
      reply: [...document.querySelectorAll('article[aria-label=Hearth] .markdown')].at(-1)?.textContent ?? '',
      isRunning: document.querySelector('[aria-label=Stop]') !== null,
    };
  });

async function reach(isThere) {
  for (const end = Date.now() + 120_000; Date.now() < end; await pause(20)) {
    const seen = await look();
    if (isThere(seen)) return seen;
  }
  throw new Error('this stage was never reached');
}

const stages = {
  sent: () => true,
  'reading the prompt': ({ status, reply }) => /Reading/.test(status) || reply !== '',
  'the first words': ({ reply }) => reply !== '',
  writing: ({ reply, isRunning }) => reply.length > 150 || (reply !== '' && !isRunning),
  done: ({ reply, isRunning }) => reply !== '' && !isRunning,
};

await open('#/models');
await addFile();
await pause(120);
await kill();
await open('#/models');
// Half a file may not count as a model.
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
for (const [stage, isThere] of Object.entries(stages)) {
  const question = `Question ${++questions}: tell me of ${'the river and the sea and '.repeat(40)}the hills`;
  await ask(question);
  const before = (await reach(isThere)).reply.length;
  await kill();
  await open();
  await page.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
  await page.locator('main').getByText(`Question ${questions}:`).first().waitFor();
  await pause(500);
  const after = (await look()).reply.length;
  report(`killed: ${stage}`, after >= before - maxLostCharacters, `${before} characters, ${after} kept`);
}

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
await kill();
await server.close();
await rm(profile, { recursive: true, force: true });

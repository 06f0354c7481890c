/**
 * `npm run real -- FOLDER`: asks real models everyday requests and gives them tasks through the screen, in the last build of the app (`npm run build`, or the folder in HEARTH_DIST).
 * FOLDER has GGUF files. Every request is the first of a new chat; notes stay from one request to the next. Says "Allow once" to every question for
 * permission, "None of these" to every other choice, and "Keep waiting" if a model says nothing. A base model only gets the task `base`.
 *
 * --models a,b     models whose file name has one of these texts
 * --requests a,b   kinds of requests; `none`: no requests
 * --tasks a,b      names of tasks; `none`: no tasks
 * --exam           also runs the exam of the Models page
 * --own-hands      unticks "Let Ember choose the tools"
 * --no-tools       turns all tools off, to compare the words of a model with and without them
 * --temperature T  sets the temperature of all models, 0 to 2
 * --keep FILE      keeps all replies there (default: `real-replies.json` in FOLDER)
 * --pictures DIR   keeps a picture of the screen after each answer there
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';
import { findFault } from './judge.js';
import { addModel, ask, cardOf, composerOf, examine, setTemperature, turnToolsOff } from './screen.js';
import { askBase, tasks } from './tasks.js';
import { printAnswers, printTasks } from './print.js';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    models: { type: 'string' },
    requests: { type: 'string' },
    tasks: { type: 'string' },
    exam: { type: 'boolean' },
    'own-hands': { type: 'boolean' },
    'no-tools': { type: 'boolean' },
    temperature: { type: 'string' },
    keep: { type: 'string' },
    pictures: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Name a folder with GGUF files: npm run real -- FOLDER');
  process.exit(1);
}

const isWanted = (list, name) => list === undefined || list.split(',').includes(name);
const requests = JSON.parse(await readFile(new URL('requests.json', import.meta.url), 'utf8')).filter(
  ({ kind }) => isWanted(options.requests, kind),
);
const wantedTasks = Object.entries(tasks).filter(([name]) => isWanted(options.tasks, name));
const unknown = (options.tasks?.split(',') ?? []).find(
  (name) => !(name in tasks) && !/^(?:none|base)$/.test(name),
);
if (unknown !== undefined) {
  console.error(`There is no task "${unknown}". Tasks: ${Object.keys(tasks).join(', ')}, base.`);
  process.exit(1);
}
const wantedModels = options.models?.split(',');
const files = (await readdir(folder))
  .filter((name) => name.endsWith('.gguf'))
  .filter((name) => wantedModels === undefined || wantedModels.some((part) => name.includes(part)))
  .map((name) => resolve(folder, name));

const dist = process.env['HEARTH_DIST'] ?? fileURLToPath(new URL('../../dist', import.meta.url));
const site = await serveFolder(dist, { isIsolated: true });
const keptAt = options.keep ?? join(folder, 'real-replies.json');
const kept = [];
const exams = [];

/** Keeps an answer of a model, with what is wrong with it, and prints it. */
async function keep(page, row) {
  kept.push(row);
  await writeFile(keptAt, JSON.stringify(kept, undefined, 1));
  const line = (row.text ?? '').replaceAll(/\s+/g, ' ').slice(0, 100);
  const calls = row.calls?.join(' · ') || '–';
  console.log(`${row.fault ? `✗ ${row.fault}` : '✓'} | ${row.request} | ${calls} | ${line}`);
  if (options.pictures === undefined) return;
  await mkdir(options.pictures, { recursive: true });
  const name = `${basename(row.model, '.gguf')}-${String(kept.length).padStart(3, '0')}-${row.task ?? row.kind}.png`;
  await page.screenshot({ path: join(options.pictures, name) });
}

async function runTask(page, model, task, run) {
  console.log(`\n${model}: ${task}`);
  const texts = new Set();
  const askAndKeep = async (rule, { run: answerOf = ask, ...how } = {}) => {
    const answer = await answerOf(page, rule.request, how);
    // Two questions may have the same number or note as their answer, but not the same sentence of the model.
    const isRepeated = texts.has(answer.text) && answer.text.length > 40 && answer.calls.length === 0;
    texts.add(answer.text);
    const fault = findFault(rule, answer) ?? (isRepeated ? 'an earlier answer' : undefined);
    await keep(page, { model, task, ...rule, ...answer, fault });
    return answer;
  };
  try {
    await run({ page, ask: askAndKeep });
  } catch (error) {
    // The other tasks still run.
    await keep(page, { model, task, request: '', text: error.message, fault: 'the screen' });
  }
}

async function askModel(page, file) {
  const model = basename(file);
  await addModel(page, file, { ownHands: options['own-hands'] });
  if (options['no-tools']) await turnToolsOff(page);
  if (options.temperature !== undefined) await setTemperature(page, options.temperature);
  const isBase = await cardOf(page, file).getByText('This is a base model').isVisible();
  if (options.exam) exams.push({ model, ...(await examine(page, file)) });
  if (isBase) {
    if (isWanted(options.tasks, 'base')) await runTask(page, model, 'base', askBase);
    return;
  }
  for (const rule of requests) {
    const answer = await ask(page, rule.request);
    await keep(page, { model, ...rule, ...answer, fault: findFault(rule, answer) });
  }
  for (const [task, run] of wantedTasks) await runTask(page, model, task, run);
}

const browser = await launchBrowser();
for (const file of files) {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => console.error(error.message));
  await page.goto(site.url);
  await composerOf(page).waitFor();
  // The other models still run.
  await askModel(page, file).catch((error) => console.error(`${basename(file)}: ${error.message}`));
  await context.close();
}
await browser.close();
await site.close();

printAnswers(kept.filter(({ kind }) => kind !== undefined));
printTasks(kept.filter(({ task }) => task !== undefined));
for (const { model, rows, seconds } of exams) {
  console.log(`\nExam of ${model}: ${seconds} s`);
  for (const cells of rows) console.log(`| ${cells.join(' | ')} |`);
}

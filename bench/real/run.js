/**
 * `npm run real -- FOLDER [--models a,b] [--kinds sum,time] [--keep FILE]`: asks real models everyday requests through the screen, in the last build
 * of the app (`npm run build`). FOLDER has GGUF files. Every request is the first of a new chat; notes stay from one request to the next. Says "Allow
 * once" to every question. Prints a table per kind and one per model, and keeps all replies in FILE (default: `real-replies.json` in FOLDER).
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { models: { type: 'string' }, kinds: { type: 'string' }, keep: { type: 'string' } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Name a folder with GGUF files: npm run real -- FOLDER');
  process.exit(1);
}

/** The longest that one turn may take, in milliseconds. A 1.5B on two cores reads its first prompt in a minute. */
const maxTurnMs = 600_000;

const wantedKinds = options.kinds?.split(',');
const requests = JSON.parse(await readFile(new URL('requests.json', import.meta.url), 'utf8')).filter(
  ({ kind }) => wantedKinds === undefined || wantedKinds.includes(kind),
);
const wantedModels = options.models?.split(',');
const files = (await readdir(folder))
  .filter((name) => name.endsWith('.gguf'))
  .filter((name) => wantedModels === undefined || wantedModels.some((part) => name.includes(part)))
  .map((name) => resolve(folder, name));

/** Whether `text` has a time of day that was right in `zone` while the turn ran. */
function hasTime(text, zone, from, to) {
  for (let at = from - 60_000; at <= to; at += 60_000) {
    const write = (options) =>
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hour: 'numeric',
        minute: '2-digit',
        ...options,
      }).format(at);
    const [clock, half] = [write({ hourCycle: 'h23' }), write({ hourCycle: 'h12' })];
    const [hour, minute] = half.replace(/\s?[AP]M/, '').split(':');
    if (text.includes(clock) || new RegExp(`(?<!\\d)0?${hour}(?::|点)${minute}(?!\\d)`).test(text))
      return true;
  }
  return false;
}

const english = (part) => new Intl.DateTimeFormat('en-US', part).format(new Date());
const chinese = (part) => new Intl.DateTimeFormat('zh-CN', part).format(new Date());

/** Returns what is wrong with an answer, or undefined. */
function findFault(rule, answer) {
  const { text, calls, asked, from, to, end } = answer;
  if (end === undefined) return 'no end';
  if (text.trim() === '') return 'no answer';
  if (/"(?:arguments|parameters)"\s*:/.test(text)) return 'a raw call';
  if (rule.calls === 0 && calls.length > 0) return 'a call';
  if (rule.asks !== undefined && asked !== rule.asks) return `${asked} questions`;
  if (new Set(calls).size < calls.length) return 'a call twice';
  if (answer.rounds > 3) return `${answer.rounds} rounds`;
  if (rule.clock && !hasTime(text, rule.clock, from, to)) return 'another time';
  if (
    rule.weekday &&
    ![english, chinese].some((write) => text.toLowerCase().includes(write({ weekday: 'long' }).toLowerCase()))
  )
    return 'another day';
  if (rule.date && !new RegExp(`(?<!\\d)${new Date().getDate()}(?!\\d)`).test(text)) return 'another date';
  const missing = (rule.says ?? []).find((pattern) => !new RegExp(pattern, 'iu').test(text));
  if (missing !== undefined) return `without ${missing}`;
  return (rule.never ?? []).some((pattern) => new RegExp(pattern, 'iu').test(text)) ? 'made up' : undefined;
}

/** Runs in the page. Returns the messages of the newest chat. */
async function readNewestChat() {
  const { indexedDB } = globalThis;
  const database = await new Promise((done, fail) => {
    const opening = indexedDB.open('hearth');
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => fail(new Error(String(opening.error)));
  });
  const all = (table) =>
    new Promise((done) => {
      const reading = database.transaction([table]).objectStore(table).getAll();
      reading.onsuccess = () => done(reading.result);
    });
  const [chats, messages] = [await all('chats'), await all('messages')];
  database.close();
  const newest = chats.filter(({ agentOf }) => !agentOf).toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
  return messages.filter(({ chatId }) => chatId === newest?.id).toSorted((a, b) => a.createdAt - b.createdAt);
}

async function addModel(page, file) {
  await page.goto(`${site.url}#/models`);
  const form = page.getByRole('region', { name: 'Add a model' });
  const field = form.getByLabel('GGUF file');
  if (!(await field.isVisible())) await form.getByText('From this device’s disk').click();
  const choosing = page.waitForEvent('filechooser');
  await field.click();
  await (await choosing).setFiles(file);
  const card = page.getByRole('article', { name: basename(file).replace(/\.gguf$/i, ''), exact: true });
  await card.getByRole('button', { name: 'Use', exact: true }).click({ timeout: 300_000 });
  await card.getByRole('status').getByText('Running').waitFor({ timeout: 600_000 });
}

async function ask(page, request) {
  await page.getByRole('button', { name: 'New chat' }).click();
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.fill(request);
  const from = Date.now();
  const start = performance.now();
  await page.keyboard.press('Enter');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  const allow = page.getByRole('button', { name: 'Allow once' });
  let asked = 0;
  let isOver = false;
  await stop.waitFor({ timeout: 10_000 }).catch(() => undefined);
  while (!isOver && performance.now() - start < maxTurnMs) {
    if (await allow.isVisible()) {
      asked += 1;
      await allow.click();
      await allow.waitFor({ state: 'hidden' });
    }
    isOver = !(await stop.isVisible()) && !(await allow.isVisible());
    await page.waitForTimeout(200);
  }
  if (!isOver) await stop.click();
  await page.waitForTimeout(500);
  const nodes = await page.evaluate(readNewestChat);
  const replies = nodes.filter(({ message }) => message.role === 'assistant');
  const parts = replies.flatMap(({ message }) => message.content);
  const calls = parts.filter(({ type }) => type.endsWith('tool-call'));
  const last = nodes.findLastIndex(({ message }) => message.role === 'tool');
  const answer = nodes
    .slice(last + 1)
    .flatMap(({ message }) => (message.role === 'assistant' ? message.content : []))
    .flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('\n');
  const usages = replies.flatMap(({ usage }) => usage ?? []);
  const sum = (key) => usages.reduce((total, usage) => total + (usage[key] ?? 0), 0);
  return {
    text: answer,
    calls: calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`),
    asked,
    rounds: replies.length,
    end: isOver ? replies.at(-1)?.turnEnd : undefined,
    promptTokens: usages.reduce((most, { promptTokens }) => Math.max(most, promptTokens), 0),
    prefilledTokens: sum('prefilledTokens'),
    outputTokens: sum('outputTokens'),
    decodeMs: sum('decodeMs'),
    firstMs: usages[0]?.firstTokenMs,
    ms: Math.round(performance.now() - start),
    from,
    to: Date.now(),
  };
}

const site = await serveFolder(fileURLToPath(new URL('../../dist', import.meta.url)), { isIsolated: true });
const keptAt = options.keep ?? join(folder, 'real-replies.json');
const kept = [];
const browser = await launchBrowser();
for (const file of files) {
  const page = await (
    await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
  ).newPage();
  page.on('pageerror', (error) => console.error(error.message));
  const model = basename(file);
  await page.goto(site.url);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await addModel(page, file);
  for (const rule of requests) {
    const answer = await ask(page, rule.request);
    const fault = findFault(rule, answer);
    kept.push({ model, ...rule, ...answer, fault });
    await writeFile(keptAt, JSON.stringify(kept, undefined, 1));
    const line = answer.text.replaceAll(/\s+/g, ' ').slice(0, 100);
    console.log(
      `${fault ? `✗ ${fault}` : '✓'} | ${rule.request} | ${answer.calls.join(' · ') || '–'} | ${line}`,
    );
  }
  await page.context().close();
}
await browser.close();
await site.close();

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const kinds = [...new Set(requests.map(({ kind }) => kind))];
const models = files.map((file) => basename(file));
const of = (model, kind) =>
  kept.filter((one) => one.model === model && (kind === undefined || one.kind === kind));
const right = (answers) =>
  `${answers.filter(({ fault }) => fault === undefined).length} of ${answers.length}`;

console.log(`\n| right | ${models.join(' | ')} |\n| --- |${models.map(() => ' --: |').join('')}`);
for (const kind of kinds)
  console.log(`| ${kind} | ${models.map((model) => right(of(model, kind))).join(' | ')} |`);
console.log(`| all | ${models.map((model) => right(of(model))).join(' | ')} |`);
console.log(
  '\n| model | calls | rounds | prompt tokens | tokens read | first word | tokens a second | turn |',
);
console.log('| --- | --: | --: | --: | --: | --: | --: | --: |');
for (const model of models) {
  const answers = of(model);
  const mean = (read) => (answers.reduce((sum, one) => sum + read(one), 0) / answers.length).toFixed(1);
  const written = answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  const decoding = answers.reduce((sum, { decodeMs }) => sum + decodeMs, 0);
  const seconds = (key) => `${(median(answers.map((one) => one[key] ?? 0)) / 1000).toFixed(1)} s`;
  console.log(
    `| ${model} | ${mean(({ calls }) => calls.length)} | ${mean(({ rounds }) => rounds)} | ${median(answers.map(({ promptTokens }) => promptTokens))} | ${median(answers.map(({ prefilledTokens }) => prefilledTokens))} | ${seconds('firstMs')} | ${((1000 * written) / Math.max(1, decoding)).toFixed(1)} | ${seconds('ms')} |`,
  );
}

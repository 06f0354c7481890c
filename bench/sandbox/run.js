/**
 * Measures what the sandbox costs compared with a bare worker under the app's own policy, for the first call and for each later one. In the built app
 * (`dist`), measures how long the page's thread is blocked by a hostile tool run in the editor and by a hostile file during its import, and how soon
 * such a file is shown or refused.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../scripts/content-security-policy.js';
import { sandboxDocument } from '../../scripts/sandbox-document.js';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser, spread } from '../browser.js';

const browser = await launchBrowser();

/** Goals in milliseconds: for the page's longest task while a tool runs or a file is checked, and for showing a file. */
const goal = 300;
const checkGoal = 100;
const shownGoal = 300;
const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
await build({
  root: new URL('.', import.meta.url).pathname,
  base: './',
  configFile: false,
  logLevel: 'error',
  plugins: [sandboxDocument(), contentSecurityPolicy()],
  build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
const parts = await serveFolder(folder);
const page = await browser.newPage();
await page.goto(parts.url);
while (!(await page.evaluate(() => 'ways' in window))) await page.waitForTimeout(50);

const code = 'return args.a + 1';
const measure = (way) => page.evaluate(([way, code]) => window.ways[way](code), [way, code]);

const times = { cold: [], inSandbox: [], inBareWorker: [] };
for (let run = 0; run < 7; run++) times.cold.push(await measure('cold'));
for (let run = 0; run < 40; run++) {
  for (const way of ['inSandbox', 'inBareWorker']) times[way].push(await measure(way));
}
console.log(`cold ${spread(times.cold)} ms`);
console.log(`a call ${spread(times.inSandbox, 1)} ms, a bare worker ${spread(times.inBareWorker, 1)} ms`);
await page.close();
await parts.close();
await rm(folder, { recursive: true });

const worst = {
  'nothing at all': 'await new Promise((done) => setTimeout(done, 1500))',
  'an endless loop': 'for (;;);',
  'an endless loop of promises': 'for (;;) await null',
  'memory in buffers': 'const a = []; for (;;) a.push(new Uint8Array(5e7).fill(1))',
  'memory in objects': 'const a = []; for (;;) a.push({ a: [a.length] })',
  'a result of 64 MB': 'return "x".repeat(64e6)',
  'a list of three million': 'return new Array(3e6).fill(1)',
  'an error of 3 MB': 'throw new Error("x".repeat(3e6))',
  'a result of letters nobody sees': 'return "\\u202e".repeat(60000)',
  'a letter with 60,000 marks': 'return "a" + "\\u0301".repeat(60000)',
  'a word of 60,000 ligatures': 'return "\\ufdfa".repeat(60000)',
  '200,000 log lines': 'for (let i = 0; i < 2e5; i++) host.log("x".repeat(100))',
  '50 log lines of marks': 'for (let i = 0; i < 50; i++) host.log("a" + "\\u0301".repeat(3000)); return 1',
  '100,000 host calls':
    'await Promise.all(Array.from({ length: 1e5 }, () => host.fetch("https://a.example")))',
  '100,000 timers': 'for (let i = 0; i < 1e5; i++) setInterval(() => 0, 1); return 1',
  'refused modules without end':
    'for (let i = 0; ; i++) { import(`x:${i}`).catch(() => 0); if (i % 50 === 0) await new Promise((r) => setTimeout(r)); }',
  '10,000 rejections': 'for (let i = 0; i < 1e4; i++) Promise.reject(new Error("x")); return 1',
};

const site = await serveFolder('dist');
const app = await browser.newPage();
await app.goto(`${site.url}#/tools/new`);
await app.getByLabel('Time limit (ms)').fill('2000');
await app.getByLabel('Longest answer (characters)').fill('200000');
// Code that loads after the page is shown must not be measured.
await app.waitForTimeout(5000);
const watchTasks = () =>
  app.evaluate(() => {
    window.longest = 0;
    const note = (list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    };
    new PerformanceObserver(note).observe({ type: 'longtask' });
  });
await watchTasks();

/** Returns the milliseconds of the longest task of the page's thread, or 0 if none took 50 ms. */
async function heldUpBy(code) {
  await app.getByLabel('Code', { exact: true }).fill(code);
  await app.waitForTimeout(500);
  await app.evaluate(() => (window.longest = 0));
  const region = app.getByRole('region', { name: 'Test' });
  await region.getByRole('button', { name: 'Run' }).click();
  await region.getByLabel('Result', { exact: true }).waitFor({ timeout: 60_000 });
  // Showing the result and cleaning up after the run count too. Long tasks are reported only after their end.
  await app.waitForTimeout(500);
  await app.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300))));
  return app.evaluate(() => window.longest);
}

let longest = 0;
async function tell(name, code) {
  const held = [];
  for (let run = 0; run < 3; run++) held.push(await heldUpBy(code));
  longest = Math.max(longest, ...held);
  const said = Math.max(...held) === 0 ? 'no task of 50 ms' : `longest task ${spread(held)} ms`;
  console.log(`${name}: ${said}`);
}
for (const [name, code] of Object.entries(worst)) await tell(name, code);
await app.getByText('Schema of what it gives').click();
const schema = '{"type":"array","items":{"type":"string"}}';
await app.getByLabel('Schema of what it gives').fill(schema);
await tell('a list of 60,000 that should be texts', 'return Array(60000).fill(0)');
console.log(`the app's own thread: longest task ${longest.toFixed(0)} ms, goal ${goal} ms`);

const texts = { list: { type: 'array', items: { type: 'string' } } };
const wrong = (count) => [{ request: '', arguments: { list: Array(count).fill(0) } }];
const backForEver = { text: { type: 'string', pattern: '^(a+)+$' } };
const files = {
  'a tool as it should be': {},
  '16,000 wrong items': { examples: wrong(16_000) },
  '45,000 wrong items': { examples: wrong(45_000) },
  '490,000 wrong items': { examples: wrong(490_000) },
  '33,000 empty texts for one pattern': {
    properties: { list: { type: 'array', items: { type: 'string', pattern: '^a$' } } },
    examples: [{ request: '', arguments: { list: Array(33_000).fill('') } }],
  },
  'a pattern that goes back for ever': {
    properties: backForEver,
    examples: [{ request: '', arguments: { text: `${'a'.repeat(50)}!` } }],
  },
  '300,000 hosts that are numbers': { hosts: Array(300_000).fill(0) },
  '8,000 fields': {
    properties: Object.fromEntries(Array.from({ length: 8000 }, (_, n) => [`k${n}`, 0])),
  },
  'code of 100,000 letters': { code: `return ${'1+'.repeat(49_990)}1` },
};

/** Returns the milliseconds from choosing the file until it is shown or refused, and those of the page's longest task meanwhile. */
async function importFile({ properties = texts, ...changed }) {
  const tool = {
    name: 'hostile',
    title: 'Hostile',
    description: 'Does nothing of any use to anyone.',
    inputSchema: { type: 'object', properties },
    code: 'return 1',
    class: 'pure',
    hosts: [],
    secrets: [],
    limits: { timeMs: 5000, outputCharacters: 1000, hostCalls: 5 },
    examples: [],
    ...changed,
  };
  const path = join(place, 'tool.json');
  await writeFile(path, JSON.stringify({ kind: 'hearth-tool', version: 1, tool }));
  const input = app.locator('input[type=file]');
  await app.evaluate(() => {
    window.longest = 0;
    window.shown = new Promise((done) => {
      const look = () => {
        if (!document.querySelector('dialog[open], main [role=alert]')) return;
        seen.disconnect();
        done(performance.now());
      };
      const seen = new MutationObserver(look);
      seen.observe(document.body, { childList: true, subtree: true, attributes: true });
    });
    const start = () => (window.chosenAt = performance.now());
    document
      .querySelector('input[type=file]')
      .addEventListener('change', start, { once: true, capture: true });
  });
  await input.setInputFiles(path);
  const shown = await app.evaluate(async () => (await window.shown) - window.chosenAt);
  const dialog = app.getByRole('dialog');
  if ((await dialog.count()) > 0) {
    const keep = dialog.getByRole('button', { name: 'Keep, switched off' });
    await dialog
      .getByRole('alert')
      .or(keep.and(app.locator(':enabled')))
      .first()
      .waitFor();
    await app.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300))));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  const held = await app.evaluate(() => window.longest);
  await app.reload();
  await app.locator('input[type=file]').waitFor({ state: 'attached' });
  await app.waitForTimeout(2000);
  await watchTasks();
  return { shown, held };
}

await app.evaluate(() => (location.hash = '#/tools'));
await app.reload();
await app.locator('input[type=file]').waitFor({ state: 'attached' });
await app.waitForTimeout(5000);
await watchTasks();
const place = await mkdtemp(join(tmpdir(), 'tools-'));
const worstFile = { shown: 0, held: 0 };
for (const [name, changed] of Object.entries(files)) {
  const times = { shown: [], held: [] };
  for (let run = 0; run < 3; run++) {
    const { shown, held } = await importFile(changed);
    times.shown.push(shown);
    times.held.push(held);
  }
  worstFile.shown = Math.max(worstFile.shown, ...times.shown);
  worstFile.held = Math.max(worstFile.held, ...times.held);
  const said = Math.max(...times.held) === 0 ? 'no task of 50 ms' : `longest task ${spread(times.held)} ms`;
  console.log(`import of ${name}: shown or refused after ${spread(times.shown)} ms, ${said}`);
}
console.log(`imports: shown after ${worstFile.shown.toFixed(0)} ms at most, goal ${shownGoal} ms`);
console.log(`imports: longest task ${worstFile.held.toFixed(0)} ms, goal ${checkGoal} ms`);
await browser.close();
await site.close();
await rm(place, { recursive: true });

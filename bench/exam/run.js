/**
 * `npm run exam:model [-- file.gguf …]`: runs the exam of the Models page in Chromium, on Ember and on GGUF files added from disk, in the last build
 * of the app (`npm run build`, or the folder in HEARTH_DIST). Prints the table that the page shows and, with `--show`, the mistakes. With `--ember-chooses`, Ember chooses the
 * tools for the models from disk.
 */
import { basename } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serveFolder } from '../../scripts/static-server.js';
import { launchBrowser } from '../browser.js';

const { positionals: files, values: options } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean' }, 'ember-chooses': { type: 'boolean' } },
});

const dist = process.env['HEARTH_DIST'] ?? fileURLToPath(new URL('../../dist', import.meta.url));
const server = await serveFolder(dist, { isIsolated: true });
const browser = await launchBrowser();
const page = await (await browser.newContext({ locale: 'en-US' })).newPage();
page.setDefaultTimeout(0);
page.on('pageerror', (error) => console.error(error.message));
await page.goto(`${server.url}#/models`);

async function addFile(path) {
  const form = page.getByRole('region', { name: 'Add a model' });
  const field = form.getByLabel('GGUF file');
  if (!(await field.isVisible())) await form.getByText('From this device’s disk').click();
  const choosing = page.waitForEvent('filechooser');
  await field.click();
  await (await choosing).setFiles(path);
}

/** Resolves to the duration of the exam, and to why it did not finish if it failed. */
async function test(name) {
  const article = page.getByRole('article', { name, exact: true });
  const begin = article.getByRole('button', { name: 'Test this model' });
  const start = performance.now();
  await begin.click();
  await article.getByRole('progressbar').waitFor();
  await begin.waitFor();
  const faults = await article.getByRole('alert').allInnerTexts();
  return [`${name} ${((performance.now() - start) / 1000).toFixed(0)} s`, ...faults].join(', ');
}

async function letEmberChoose(name) {
  const article = page.getByRole('article', { name, exact: true });
  await article.getByText('More about it').click();
  const box = article.getByLabel('Let Ember choose the tools');
  // The exam tests the model's own choice unless the user has set the switch, and a set switch cannot be checked again.
  await box.uncheck();
  await box.check();
}

const ids = ['ember'];
for (const file of files) {
  await addFile(file);
  const id = basename(file).replace(/\.gguf$/i, '');
  ids.push(id);
  await page.getByRole('article', { name: id, exact: true }).waitFor();
  if (options['ember-chooses']) await letEmberChoose(id);
}
const took = [];
for (const id of ids) took.push(await test(id));

const cells = await page
  .getByRole('table', { name: 'Exam' })
  .getByRole('row')
  .evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim())));
const [head, ...rows] = cells;
for (const row of [head, head.map(() => '---'), ...rows]) console.log(`| ${row.join(' | ')} |`);
console.log(`\nTook: ${took.join(', ')}.`);

if (options.show) {
  for (const id of ids) {
    const article = page.getByRole('article', { name: id, exact: true });
    const show = article.getByRole('button', { name: 'Show the exam' });
    if (await show.isVisible()) await show.click();
    const fold = article.getByText(/^What went wrong/);
    if (!(await fold.isVisible())) continue;
    await fold.click();
    console.log(`\n${id}`);
    for (const item of await article.getByRole('listitem').all()) console.log(`\n${await item.innerText()}`);
  }
}
await browser.close();
await server.close();

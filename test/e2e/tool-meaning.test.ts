/**
 * Tools found by meaning too, with the shipped model and its own engine: vectors are made, stored and deleted, and nothing waits for them. How well
 * they find is not tested, because that model is made for answers.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, expect, test } from 'vitest';
import { keepTools, manyTools } from './many-tools-steps';
import { thorough } from '../support/matrix';
import { addFromDisk, isWhole, openModels } from './model-steps';
import { dumpDatabase, isOfflineReady, openSite, type Site } from './site';

const tools = manyTools().slice(0, 8);
/** A word without a term in any tool. */
const unheardOf = 'zzqx wvvq';

let site: Site;
let page: Page;
async function open(options: Parameters<typeof openSite>[0] = {}): Promise<void> {
  site = await openSite({ folder: 'dist', ...options });
  ({ page } = site);
  await keepTools(page, tools);
  await openTools();
}
afterEach(() => site.close());

async function openTools(): Promise<void> {
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search these tools' }).waitFor();
}
const choice = () => page.getByRole('combobox', { name: 'Find tools by meaning too' });
const find = (words: string) => page.getByRole('searchbox', { name: 'Search these tools' }).fill(words);
const shown = () =>
  page
    .getByRole('list', { name: 'Your own' })
    .or(page.getByRole('list', { name: 'Tools', exact: true }))
    .getByRole('listitem')
    .count();
const noneFound = () => page.getByText('No tool found. Try another word.');

interface Vectors {
  model: string;
  ids: string[];
  numbers: Record<string, number>;
}
interface KeptVectors {
  ids: string[];
  numbers: Float32Array;
}

/** Returns the stored vectors as text. */
async function keptVectors(): Promise<Vectors | undefined> {
  const { toolIndex = '[]' } = await dumpDatabase(page);
  const [row] = JSON.parse(toolIndex) as { index: { vectors?: Vectors } }[];
  return row?.index.vectors;
}
/** Waits until every tool has a vector. */
async function allVectors(): Promise<Vectors> {
  let vectors: Vectors | undefined;
  await expect
    .poll(async () => (vectors = await keptVectors())?.ids.length ?? 0, { timeout: 40_000 })
    .toBeGreaterThanOrEqual(tools.length + 5);
  return vectors!;
}

thorough(
  "searching tools by meaning computes each tool's vector once, and switching it off deletes the vectors",
  async () => {
    await open();
    await find(unheardOf);
    await noneFound().first().waitFor();
    expect(await choice().locator('option:checked').innerText()).toBe('off');
    expect(await keptVectors()).toBeUndefined();

    await choice().selectOption('Ember');
    // The chosen model is not loaded yet.
    expect(await keptVectors()).toBeUndefined();
    await find(`${unheardOf} one`);
    await expect.poll(shown, { timeout: 40_000 }).toBe(10);
    const first = await allVectors();
    expect(first.model).toBe('ember');
    const numbers = Object.values(first.numbers);
    const length = numbers.length / first.ids.length;
    const vector = numbers.slice(0, length);
    expect(length).toBeGreaterThan(8);
    expect(vector.reduce((sum, number) => sum + number * number, 0)).toBeCloseTo(1);
    expect(new Set(numbers).size).toBeGreaterThan(length);

    // Marks them, so that a second computation would be noticed.
    await page.evaluate(async () => {
      const open = indexedDB.open('hearth');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const store = open.result.transaction('toolIndex', 'readwrite').objectStore('toolIndex');
      const reading = store.get('tools') as IDBRequest<{ index: { vectors: KeptVectors } }>;
      await new Promise((resolve) => (reading.onsuccess = resolve));
      // Changes one tool's vector.
      const { vectors } = reading.result.index;
      const length = vectors.numbers.length / vectors.ids.length;
      vectors.numbers.set([...vectors.numbers.slice(length), ...vectors.numbers.slice(0, length)]);
      const writing = store.put(reading.result);
      await new Promise((resolve) => (writing.onsuccess = resolve));
      open.result.close();
    });
    await page.reload();
    await page.getByRole('searchbox', { name: 'Search these tools' }).waitFor();
    await expect.poll(() => choice().locator('option:checked').innerText()).toBe('Ember');
    await find(`${unheardOf} two`);
    await expect.poll(shown, { timeout: 40_000 }).toBe(10);
    expect(Object.values((await allVectors()).numbers)).toEqual([...numbers.slice(length), ...vector]);

    await choice().selectOption('off');
    await expect.poll(keptVectors).toBeUndefined();
    await find(`${unheardOf} three`);
    await noneFound().first().waitFor();
  },
);

thorough('switching off the tool search by meaning ends its worker', async () => {
  await open();
  const workers = () => page.workers().length;
  await expect.poll(workers).toBeGreaterThan(0);
  await choice().selectOption('Ember');
  await find('archive invoices');
  await page.getByRole('heading', { name: /archive_invoices/ }).waitFor();
  await allVectors();
  const busy = workers();
  await choice().selectOption('off');
  await expect.poll(workers).toBeLessThan(busy);
});

test('a tool search by meaning falls back to words if the model file is missing, and says so', async () => {
  // From the start: the chat may otherwise have stored the file before the search needs it.
  await open({ rewrite: (file) => file.replace(/ember\.gguf$/, 'missing.gguf') });
  site.expectErrors(/404/);
  await choice().selectOption('Ember');
  await find('archive invoices');
  await page.getByRole('heading', { name: /archive_invoices/ }).waitFor();
  await page.getByRole('status').getByText('could not be used, so they are found by their words').waitFor();
  expect(await keptVectors()).toBeUndefined();
});

thorough("a tool search by meaning works offline with the user's own GGUF model", async () => {
  await open({ hasServiceWorker: true });
  const disk = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
  const path = join(disk, 'my-own.gguf');
  await cp('public/models/ember.gguf', path);
  await openModels(page);
  await addFromDisk(page, 'GGUF file', path);
  await isWhole(page, 'my-own');
  await rm(disk, { recursive: true });
  await isOfflineReady(page);
  await site.cutNetwork();
  await page.reload();
  await openTools();
  await choice().selectOption('my-own');
  await find(unheardOf);
  await expect.poll(shown, { timeout: 40_000 }).toBe(10);
  expect(await allVectors()).toMatchObject({ model: 'my-own' });
});

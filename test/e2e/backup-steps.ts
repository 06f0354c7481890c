/** Steps for tests that export and import, through the screen. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { backedUpTables, tablesWithoutBackup } from '../../src/store/kept-tables';
import { databaseIsMade, dumpDatabase } from './site';
import { asStored } from '../support/fixture-rows';

interface Fixture {
  version: number;
  rows: Record<string, Record<string, unknown>[]>;
}

const folder = 'test/fixtures/store';
/** Rows of every table, as the newest version writes them. */
const newest = readdirSync(folder)
  .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Fixture)
  .reduce((one, other) => (one.version > other.version ? one : other));
/** The fixture contains this message, which no version can read, on purpose. */
const unreadable = 'named-odd';

/** The steps expect English. A server outside the bin would be contacted and counted meanwhile. */
function asWanted(row: Record<string, unknown>): Record<string, unknown> {
  if (row['key'] === 'language') return { ...row, value: 'en' };
  return 'url' in row ? { ...row, deletedAt: Date.now() } : row;
}

export const backupRegion = (page: Page): Locator => page.getByRole('region', { name: 'Backup' });

/** Fills every table as if the app had been used, and reloads the page. */
export async function stockPage(page: Page): Promise<void> {
  await databaseIsMade(page);
  const rows = Object.entries(newest.rows).map(
    ([table, content]) =>
      [
        table,
        content.filter(({ id }) => id !== unreadable).map((row) => asStored(table, asWanted(row))),
      ] as const,
  );
  await page.evaluate(async (tables) => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const names = tables.map(([name]) => name);
    const transaction = open.result.transaction(names, 'readwrite');
    for (const [name, content] of tables) for (const row of content) transaction.objectStore(name).put(row);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    open.result.close();
  }, rows);
  await page.reload();
}

export async function openBackup(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).href.split('#')[0] ?? ''}#/settings`);
  await backupRegion(page).getByRole('button', { name: 'Import' }).waitFor();
}

/** Presses "Export everything" and returns the written file. */
export async function exportAll(page: Page, passphrase = ''): Promise<{ name: string; bytes: Buffer }> {
  // Like a browser without a save dialog, because no test could answer one.
  await page.evaluate(() => {
    delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker;
  });
  const region = backupRegion(page);
  await region.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    region.getByRole('button', { name: 'Export everything' }).click(),
  ]);
  await region.getByText(/^Written: /).waitFor();
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

export async function choose(page: Page, name: string, bytes: Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    backupRegion(page).getByRole('button', { name: 'Import' }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: bytes });
}

export const previewOf = (page: Page): Locator =>
  backupRegion(page).getByRole('group', { name: 'What this file would bring' });

/** Returns the rows of every table in a backup, ordered by key, with default values filled in. */
export async function carriedRows(page: Page): Promise<Record<string, unknown[]>> {
  const dump = await dumpDatabase(page);
  const tables = Object.entries(dump).filter(([table]) => !tablesWithoutBackup.includes(table));
  return Object.fromEntries(
    tables.map(([table, text]) => {
      const schema =
        table === 'results' ? undefined : backedUpTables.find(({ name }) => name === table)?.schema;
      const rows = JSON.parse(text) as unknown[];
      return [table, rows.map((row) => schema?.safeParse(row).data ?? row)];
    }),
  );
}

/** The chooser does not open here: a folder of the origin private file system replaces the one that a user would choose. */
export async function answerChooser(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('Backups', { create: true }),
    });
  });
}

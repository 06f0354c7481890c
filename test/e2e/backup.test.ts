/** Export and import in the built site: everything in one file, restored on another device. */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import {
  backupRegion,
  carriedRows,
  choose,
  exportAll,
  openBackup,
  previewOf,
  stockPage,
} from './backup-steps';
import { databasesWithoutBackup } from '../../src/store/kept-tables';
import { thorough } from '../support/matrix';
import { databaseIsMade, openSite, type Site } from './site';

const folder = 'dist-e2e';
const passphrase = 'lantern mosaic 灯塔';

interface Exported {
  name: string;
  bytes: Buffer;
}
let rows: Record<string, unknown[]>;
let plain: Exported;
let sealed: Exported;
/** Number of chats. */
let count: number;
let site: Site;

beforeAll(async () => {
  const source = await openSite({ folder });
  const { page } = source;
  await stockPage(page);
  await openBackup(page);
  plain = await exportAll(page);
  const region = backupRegion(page);
  // Keys go only into a file with a passphrase.
  await region.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await region.getByText('Choose what goes in', { exact: true }).first().click();
  await region.getByRole('checkbox', { name: 'Keys and logins' }).check();
  sealed = await exportAll(page, passphrase);
  // Every database must be listed as backed up or not, so that none is forgotten.
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(
    databases.filter((name = '') => name !== 'hearth' && !databasesWithoutBackup.includes(name)),
  ).toEqual([]);
  rows = await carriedRows(page);
  count = rows['chats']?.length ?? 0;
  await page.getByRole('button', { name: 'Delete everything' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await databaseIsMade(page);
  expect((await carriedRows(page))['messages']).toEqual([]);
  await source.close();
});
beforeEach(async () => {
  site = await openSite({ folder });
  await openBackup(site.page);
});
afterEach(() => site.close());

describe('a complete export', () => {
  thorough('restores every row of every table on another device', async () => {
    const { page } = site;
    expect(plain.name).toMatch(/^hearth-\d{4}-\d\d-\d\d-\d{4}\.zip$/);
    await choose(page, plain.name, plain.bytes);
    await previewOf(page)
      .getByRole('row', { name: `Chats ${count} ${count} 0` })
      .waitFor();
    // Nothing has changed yet.
    expect((await carriedRows(page))['chats']).toEqual([]);
    await previewOf(page).getByRole('button', { name: 'Merge' }).click();
    await backupRegion(page).getByText(`Brought in: ${count} chats`).waitFor();
    const came = await carriedRows(page);
    for (const [table, content] of Object.entries(rows)) {
      if (table === 'toolSecrets' || table === 'mcpSecrets') expect(came[table]).toEqual([]);
      else expect(came[table], table).toEqual(content);
    }
    await expect.poll(() => page.getByRole('link', { name: 'What is 17 * 23?' }).count()).toBe(1);
  });

  thorough('can be encrypted and include API keys, and a wrong passphrase opens nothing', async () => {
    const { page } = site;
    const region = backupRegion(page);
    expect(sealed.name).toMatch(/\.zip\.age$/);
    await region.getByLabel('Passphrase', { exact: true }).fill('another');
    await choose(page, sealed.name, sealed.bytes);
    await region
      .getByRole('alert')
      .getByText(/encrypted, and the passphrase is missing or another/)
      .waitFor();
    expect((await carriedRows(page))['chats']).toEqual([]);
    await region.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await region.getByRole('button', { name: 'Try again' }).click();
    await previewOf(page).getByRole('button', { name: 'Merge' }).click();
    await region.getByText(`Brought in: ${count} chats`).waitFor();
    const came = await carriedRows(page);
    for (const [table, content] of Object.entries(rows)) expect(came[table], table).toEqual(content);
    expect(came['toolSecrets']).not.toEqual([]);
  });
});

thorough('one chat can be exported as a standalone web page with all its text', async () => {
  const { page } = site;
  await choose(page, plain.name, plain.bytes);
  await previewOf(page).getByRole('button', { name: 'Merge' }).click();
  await backupRegion(page).getByText(`Brought in: ${count} chats`).waitFor();
  const row = page
    .getByRole('list', { name: 'Chats' })
    .getByRole('listitem')
    .filter({ hasText: 'What is 17 * 23?' });
  await row.getByRole('button').click();
  await row.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export “What is 17 * 23?”' });
  await dialog.getByRole('radio', { name: 'Web page' }).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('What is 17 23.html');
  const alone = await site.context.newPage();
  await alone.goto(`data:text/html;base64,${(await readFile(await download.path())).toString('base64')}`);
  await alone.getByRole('heading', { name: 'What is 17 * 23?' }).waitFor();
  await alone.getByText('17 × 23 = 391.').waitFor();
  expect(await alone.locator('script').count()).toBe(0);
  await alone.close();
});

thorough('chats from a ChatGPT export can be imported and read', async () => {
  const { page } = site;
  await choose(page, 'conversations.json', await readFile('test/fixtures/others/chatgpt.json'));
  await previewOf(page).getByText('An export of ChatGPT. conversations.json.').waitFor();
  await previewOf(page)
    .getByText(/^3 things in it/)
    .waitFor();
  await previewOf(page).getByRole('button', { name: 'Merge' }).click();
  await backupRegion(page).getByText('Brought in: 1 chat with 4 messages.').waitFor();
  await page.getByRole('link', { name: 'Lighthouses 灯塔' }).click();
  await page.getByText('It is 41 m tall.').waitFor();
  await page.getByRole('group', { name: 'Versions' }).getByText('2 / 2').waitFor();
});

thorough('an unfinished import is offered again at the next visit and can be discarded', async () => {
  const { page } = site;
  await choose(page, plain.name, plain.bytes);
  await previewOf(page).waitFor();
  await page.reload();
  await previewOf(page).getByText(plain.name).waitFor();
  await previewOf(page).getByRole('button', { name: 'Cancel' }).click();
  const begin = backupRegion(page).getByRole('button', { name: 'Export everything' });
  await begin.waitFor();
  await page.reload();
  await begin.waitFor();
  expect(await previewOf(page).count()).toBe(0);
});

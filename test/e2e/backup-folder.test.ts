/** Automatic backups in the built site: to a folder chosen once, and restored from it on a new device. */
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect } from 'vitest';
import { answerChooser, backupRegion, carriedRows, openBackup, previewOf, stockPage } from './backup-steps';
import { thorough } from '../support/matrix';
import { ask, databaseIsMade, openSite, type Site, turnEnds } from './site';

const folder = 'dist-e2e';
let site: Site;

beforeEach(async () => {
  site = await openSite({ folder });
  await databaseIsMade(site.page);
});
afterEach(() => site.close());

async function filesIn(page: Page): Promise<[name: string, bytes: number[]][]> {
  return page.evaluate(async () => {
    const chosen = await (await navigator.storage.getDirectory()).getDirectoryHandle('Backups');
    const files: [string, number[]][] = [];
    for await (const [name, handle] of chosen.entries()) {
      const file = await (handle as FileSystemFileHandle).getFile();
      files.push([name, [...new Uint8Array(await file.arrayBuffer())]]);
    }
    return files;
  });
}

async function putFiles(page: Page, files: readonly (readonly [string, number[]])[]): Promise<void> {
  await page.evaluate(async (all) => {
    const chosen = await (
      await navigator.storage.getDirectory()
    ).getDirectoryHandle('Backups', { create: true });
    for (const [name, bytes] of all) {
      const writable = await (await chosen.getFileHandle(name, { create: true })).createWritable();
      await writable.write(new Uint8Array(bytes));
      await writable.close();
    }
  }, files);
}

/** An import marks all texts with another origin. */
const withoutOrigins = (row: unknown): unknown =>
  JSON.parse(JSON.stringify(row, (key, value: unknown) => (key === 'origins' ? undefined : value)));

thorough(
  'a verified backup is written to a chosen folder at once and can be restored on a new device',
  async () => {
    const { page } = site;
    await stockPage(page);
    await openBackup(page);
    await answerChooser(page);
    const region = backupRegion(page);
    await region.getByRole('button', { name: 'Choose folder' }).click();
    await region.getByText(/^Last backup: .*, read back whole\.$/).waitFor();
    const files = await filesIn(page);
    expect(files.map(([name]) => name)).toEqual([expect.stringMatching(/^hearth-auto-[\d-]+\.zip$/)]);
    const rows = await carriedRows(page);

    // The next visit still knows the folder.
    await page.reload();
    await region.getByText('They go to “Backups”. They are not encrypted, and hold no keys.').waitFor();

    const other = await openSite({ folder });
    await databaseIsMade(other.page);
    // The new device has a chat already, whose backup would be newer than all in the folder.
    await ask(other.page, 'Hello');
    await turnEnds(other.page);
    await putFiles(other.page, files);
    await openBackup(other.page);
    await answerChooser(other.page);
    const there = backupRegion(other.page);
    await there.getByRole('button', { name: 'Choose folder' }).click();
    await there.getByRole('button', { name: /^Restore the backup of/ }).click();
    await previewOf(other.page).getByRole('button', { name: 'Merge' }).click();
    await there.getByText(/^Brought in: /).waitFor();
    const came = await carriedRows(other.page);
    for (const table of ['chats', 'messages', 'results'])
      expect(came[table]?.map(withoutOrigins), table).toEqual(
        expect.arrayContaining(rows[table]!.map(withoutOrigins)),
      );
    await other.close();
  },
);

thorough(
  'a missing backup folder is announced once, and Settings reports it until another is chosen',
  async () => {
    const { page } = site;
    await ask(page, 'Hello');
    await turnEnds(page);
    await openBackup(page);
    await answerChooser(page);
    const region = backupRegion(page);
    await region.getByRole('button', { name: 'Choose folder' }).click();
    await region.getByText(/^Last backup: /).waitFor();
    await page.evaluate(async () =>
      (await navigator.storage.getDirectory()).removeEntry('Backups', { recursive: true }),
    );
    await region.getByRole('button', { name: 'Back up now' }).click();
    await region.getByText(/^No backups are made: the folder is not there any more/).waitFor();
    const notice = page.getByRole('status').filter({ has: page.getByRole('link', { name: 'See backups' }) });
    await notice.getByRole('button', { name: 'Not now' }).click();
    await region.getByRole('button', { name: 'Back up now' }).click();
    await region.getByText(/^Last backup: /).waitFor();
    expect(await notice.count()).toBe(0);
    await answerChooser(page);
    await region.getByRole('button', { name: 'Choose another folder' }).click();
    await region.getByText(/the folder is not there any more/).waitFor({ state: 'hidden' });
    // While a backup is written, there is one more file.
    await expect.poll(async () => (await filesIn(page)).length).toBe(1);
  },
);

thorough('damaged backups are skipped and reported, and the user can choose an older backup', async () => {
  const { page } = site;
  await stockPage(page);
  await openBackup(page);
  await answerChooser(page);
  const region = backupRegion(page);
  await region.getByRole('button', { name: 'Choose folder' }).click();
  await region.getByText(/^Last backup: /).waitFor();
  const [[name, bytes] = ['', []]] = await filesIn(page);
  const nameOf = (month: string) => name.replace(/-\d\d\d\d-\d\d-/, `-2099-${month}-`);
  // The newest is truncated and the one before it is another file. The latest backup is whole.
  await putFiles(page, [
    [nameOf('12'), bytes.slice(0, bytes.length / 2)],
    [nameOf('11'), bytes.map((byte, at) => (at % 50 === 7 ? byte ^ 255 : byte))],
  ]);
  await page.reload();
  await region.getByRole('button', { name: /^Restore the backup of .*2099/ }).click();
  await previewOf(page).getByText(name).waitFor();
  const saidOver = region.getByText(/^The backup of .* is damaged, and was passed over\.$/);
  expect(await saidOver.count()).toBe(2);
  await previewOf(page).getByRole('button', { name: 'Cancel' }).click();
  await saidOver.first().waitFor({ state: 'hidden' });

  await region.getByText('Older ones').click();
  const older = region.getByRole('button', { name: /^The one of / });
  expect(await older.count()).toBe(2);
  // If the user chooses a backup, only that one is read.
  await older.first().click();
  await region
    .getByRole('alert')
    .getByText(/^This (file|is not a file)/)
    .waitFor();
  expect(await saidOver.count()).toBe(0);
});

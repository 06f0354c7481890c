/**
 * Sixty damaged databases: the app starts with each, says what is gone in true words, keeps the rest, takes a new question, and has all of it
 * back from the folder of backups.
 * `npm test` takes a part of them.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer, chatRecord, question } from '../support/stored-chat';
import { answerChooser, backupRegion, openBackup, previewOf } from './backup-steps';
import { fileDamages, halfRecords, leaveHalfARecord, type RowDamage, rowDamages } from './damage';
import { everyNth, thorough } from '../support/matrix';
import { ask, databaseIsMade, lastReply, openSite, type Site, turnEnds } from './site';
import { goTo } from './tour';

/** Two chats: one to be damaged, one to be found as it was. */
const rows: Record<string, readonly object[]> = {
  chats: [
    chatRecord('broken', { title: 'The broken chat', leafId: 'b4', updatedAt: 2 }),
    chatRecord('whole', { title: 'The whole chat', leafId: 'w2', updatedAt: 1 }),
  ],
  messages: [
    question('b1', null, 'first question', 'broken'),
    answer('b2', 'b1', 'first answer', 'broken'),
    question('b3', 'b2', 'second question', 'broken'),
    { ...answer('b4', 'b3', 'second answer', 'broken'), turnEnd: 'answered' },
    question('w1', null, 'is it here', 'whole'),
    { ...answer('w2', 'w1', 'all of it is here', 'whole'), turnEnd: 'answered' },
  ],
};

/** Empties all tables, and writes those rows; then damages one. */
async function fill(page: Page, damage?: RowDamage): Promise<void> {
  await page.evaluate(
    async ({ rows, damage }) => {
      const open = indexedDB.open('hearth');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const names = [...open.result.objectStoreNames];
      const transaction = open.result.transaction(names, 'readwrite');
      for (const name of names) transaction.objectStore(name).clear();
      for (const [name, list] of Object.entries(rows))
        for (const row of list) transaction.objectStore(name).put(row);
      if (damage) {
        const { where, change, without = [], isDeleted } = damage;
        const store = transaction.objectStore(damage.table);
        if (where !== undefined && isDeleted) store.delete(where);
        else if (where === undefined) store.put(change);
        else {
          const found = store.get(where);
          found.onsuccess = () => {
            const row = { ...(found.result as Record<string, unknown>), ...change };
            for (const field of without) Reflect.deleteProperty(row, field);
            store.put(row);
          };
        }
      }
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      open.result.close();
      // The count that stands outside knows of other rows.
      localStorage.clear();
    },
    { rows, damage },
  );
}

const chatNamed = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: title });

/** What is whole is there, and the app goes on. */
async function goesOn(page: Page): Promise<void> {
  await goTo(page, '');
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'script\nstill here');
  await expect.poll(() => lastReply(page).innerText()).toContain('still here');
  await turnEnds(page);
}

/** The folder is chosen while all is well, and has its first backup. */
async function backUp(page: Page): Promise<void> {
  await openBackup(page);
  await answerChooser(page);
  await backupRegion(page).getByRole('button', { name: 'Choose folder' }).click();
  await backupRegion(page)
    .getByText(/^Last backup: /)
    .waitFor();
}

/** As somebody does who sees that something is gone: the folder may have to be chosen once more. */
async function restore(page: Page, way: 'Merge' | 'Replace'): Promise<void> {
  await openBackup(page);
  await answerChooser(page);
  const region = backupRegion(page);
  const button = region.getByRole('button', { name: /^Restore the backup of / });
  const choose = region.getByRole('button', { name: 'Choose folder' });
  await button.or(choose).first().waitFor();
  if ((await choose.count()) > 0) await choose.click();
  await button.click();
  await previewOf(page).getByRole('button', { name: way }).click();
  if (way === 'Replace') await page.getByRole('dialog').getByRole('button', { name: way }).click();
  await region.getByText(/^Brought in: /).waitFor();
}

/** Nothing can be stored: the folder cannot be kept, which is said, until the person has deleted the data of the site. */
async function startOver(page: Page): Promise<void> {
  await openBackup(page);
  await answerChooser(page);
  await backupRegion(page).getByRole('button', { name: 'Choose folder' }).click();
  await backupRegion(page)
    .getByText(/^The folder cannot be kept/)
    .waitFor();
  await clearData(page);
}

/** As a person does in the settings of the browser; the folder of the disk is one of the browser's own here, and stays. */
async function clearData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' });
  await page.reload();
  await databaseIsMade(page);
}

/** The folder that Chromium keeps the databases of the site in. */
async function leveldbOf(profile: string): Promise<string> {
  const root = join(profile, 'Default', 'IndexedDB');
  const [name, ...others] = (await readdir(root)).filter((found) => found.endsWith('.leveldb'));
  expect(others).toEqual([]);
  return join(root, name ?? '');
}

describe('damaged rows', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ folder: 'dist-e2e' });
    await databaseIsMade(site.page);
    await fill(site.page);
    await site.page.reload();
    await backUp(site.page);
  });
  afterAll(() => site.close());

  test.for(everyNth(42, rowDamages))('$name', async (damage) => {
    const { page } = site;
    await fill(page, damage);
    await page.evaluate(() => (location.hash = '#/'));
    await page.reload();
    await chatNamed(page, 'The whole chat').click();
    await expect.poll(() => lastReply(page).innerText()).toContain('all of it is here');
    // Whatever is left of the other is shown, and what is gone is said; it may be gone from the list with its record.
    const broken = page
      .getByRole('list', { name: 'Chats' })
      .getByRole('link')
      .filter({ hasNotText: 'whole' });
    if ((await broken.count()) > 0) {
      await broken.first().click();
      await expect
        .poll(() => page.getByRole('main').innerText())
        .toMatch(/question|answer|could not be read/);
    }
    await restore(page, 'Merge');
    // One whose record was gone has another name by now.
    const named = chatNamed(page, 'The broken chat');
    await ((await named.count()) > 0 ? named : broken.first()).click();
    for (const said of ['first question', 'first answer', 'second question', 'second answer'])
      await page.getByRole('main').getByText(said).first().waitFor();
    await goesOn(page);
    expect(await page.getByText('private window').count()).toBe(0);
    expect(await page.getByText('Something broke in Hearth').count()).toBe(0);
  });
});

describe('damaged files', () => {
  let site: Site;
  afterEach(() => site.close());

  thorough.for(fileDamages)('$name', { timeout: 120_000 }, async ({ damage }) => {
    site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
    await databaseIsMade(site.page);
    await ask(site.page, 'script\nwords to keep');
    await turnEnds(site.page);
    await backUp(site.page);
    const page = await site.closeAndReopen(async (profile) => damage(await leveldbOf(profile)));
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const kept = chatNamed(page, 'script');
    const said = page.getByText(/gave back less than Hearth had stored|cannot be opened/);
    await expect
      .poll(async () => (await kept.count()) + (await said.count()), { timeout: 60_000 })
      .toBeGreaterThan(0);
    expect(await page.getByText('private window').count()).toBe(0);
    if ((await page.getByText('cannot be opened').count()) > 0) await startOver(page);
    // What is left may be of an earlier moment, and say nothing of it: the file takes its place.
    await restore(page, 'Replace');
    await said.waitFor({ state: 'hidden' });
    await kept.click();
    await expect.poll(() => lastReply(page).innerText()).toContain('words to keep');
    await goesOn(page);
  });
});

describe('files that the browser can neither read nor delete', () => {
  let site: Site;
  afterEach(() => site.close());
  const unopened = ['CURRENT without sense', 'MANIFEST deleted', 'a file where the folder was'];
  const cases = fileDamages.filter(({ name }) => unopened.includes(name));

  thorough.for(cases)('$name', { timeout: 120_000 }, async ({ damage }) => {
    site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
    await databaseIsMade(site.page);
    const page = await site.closeAndReopen(async (profile) => damage(await leveldbOf(profile)));
    await page.getByText('cannot be opened').waitFor({ timeout: 60_000 });
    await goTo(page, 'settings');
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
    await page.getByText(/Delete the data of this site in the settings of the browser/).waitFor();
    await clearData(page);
    await page.getByText('cannot be opened').waitFor({ state: 'hidden' });
    await goesOn(page);
  });
});

describe('a record at the end of the log that a kill has truncated', () => {
  let site: Site;
  afterEach(() => site.close());

  // Chromium writes on after it, and throws all of it away at the opening after the next. The app has it begin a new log.
  test.for(everyNth(3, halfRecords))('$name', { timeout: 120_000 }, async ({ share }) => {
    site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
    await databaseIsMade(site.page);
    await ask(site.page, 'script\nwords to keep');
    await turnEnds(site.page);
    let log = '';
    await site.closeAndReopen(async (profile) => {
      log = await leaveHalfARecord(await leveldbOf(profile), share);
    });
    await goesOn(site.page);
    // A visit that ends before that is what the decision record lists as left.
    await expect.poll(() => existsSync(log)).toBe(false);
    for (let visit = 0; visit < 2; visit++) {
      await site.closeAndReopen(() => Promise.resolve());
      const kept = chatNamed(site.page, 'script');
      // The one of before the kill and the one of after it, which is the newer.
      await expect.poll(() => kept.count(), { timeout: 5000 }).toBe(2);
      await kept.last().click();
      await expect.poll(() => lastReply(site.page).innerText()).toContain('words to keep');
    }
  });
});

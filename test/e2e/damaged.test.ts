/**
 * Sixty damaged databases: the app starts with each, reports correctly what is lost, keeps the rest, answers a new question, and restores everything
 * from the backup folder. `npm run verify` runs a part of them.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { answer, chatRecord, question } from '../support/stored-chat';
import { answerChooser, backupRegion, openBackup, previewOf } from './backup-steps';
import { fileDamages, halfRecords, leaveHalfARecord, type RowDamage, rowDamages } from './damage';
import { everyNth, thorough, slow } from '../support/matrix';
import { ask, databaseIsMade, lastReply, openSite, type Site, turnEnds } from './site';
import { goTo } from './tour';

/** Two chats: one to damage, and one that must stay unchanged. */
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

/** Empties all tables, writes these rows, and then damages one. */
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
      // The count outside the database belongs to other rows.
      localStorage.clear();
    },
    { rows, damage },
  );
}

const chatNamed = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: title });

/** Everything undamaged is there, and the app works. */
async function goesOn(page: Page): Promise<void> {
  await goTo(page, '');
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, 'script\nstill here');
  await expect.poll(() => lastReply(page).innerText()).toContain('still here');
  await turnEnds(page);
}

/** Chooses the folder while everything is intact, and writes the first backup. */
async function backUp(page: Page): Promise<void> {
  await openBackup(page);
  await answerChooser(page);
  await backupRegion(page).getByRole('button', { name: 'Choose folder' }).click();
  await backupRegion(page)
    .getByText(/^Last backup: /)
    .waitFor();
}

/** Restores as a user would who notices the loss. The folder may have to be chosen again. */
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

/** Nothing can be stored, so the folder cannot be remembered. The app says so until the user deletes the site's data. */
async function startOver(page: Page): Promise<void> {
  await openBackup(page);
  await answerChooser(page);
  await backupRegion(page).getByRole('button', { name: 'Choose folder' }).click();
  await backupRegion(page)
    .getByText(/^The folder cannot be kept/)
    .waitFor();
  await clearData(page);
}

/** Does what a user does in the browser's settings. The backup folder is in the origin private file system here, and stays. */
async function clearData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' });
  await page.reload();
  await databaseIsMade(page);
}

/** Returns the folder in which Chromium stores the databases of the site. */
async function leveldbOf(profile: string): Promise<string> {
  const root = join(profile, 'Default', 'IndexedDB');
  const [name, ...others] = (await readdir(root)).filter((found) => found.endsWith('.leveldb'));
  expect(others).toEqual([]);
  return join(root, name ?? '');
}

describe('a damaged database row', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ folder: 'dist-e2e' });
    await databaseIsMade(site.page);
    await fill(site.page);
    await site.page.reload();
    await backUp(site.page);
  });
  afterAll(() => site.close());

  slow.for(everyNth(42, rowDamages))(
    'leaves other chats intact and can be restored from a backup: $name',
    async (damage) => {
      const { page } = site;
      await fill(page, damage);
      await page.evaluate(() => (location.hash = '#/'));
      await page.reload();
      await chatNamed(page, 'The whole chat').click();
      await expect.poll(() => lastReply(page).innerText()).toContain('all of it is here');
      // What remains of the other chat is shown, and what is lost is reported. The chat may be missing from the list with its record.
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
      // A chat that lost its record has another name now.
      const named = chatNamed(page, 'The broken chat');
      await ((await named.count()) > 0 ? named : broken.first()).click();
      for (const said of ['first question', 'first answer', 'second question', 'second answer'])
        await page.getByRole('main').getByText(said).first().waitFor();
      await goesOn(page);
      expect(await page.getByText('private window').count()).toBe(0);
      expect(await page.getByText('Something broke in Hearth').count()).toBe(0);
    },
  );
});

describe('a damaged database file', () => {
  let site: Site;
  afterEach(() => site.close());

  thorough.for(fileDamages)(
    'is reported or repaired, and a backup restores its data: $name',
    { timeout: 120_000 },
    async ({ damage }) => {
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
      // What remains may be an older state that looks complete, so the file replaces it.
      await restore(page, 'Replace');
      await said.waitFor({ state: 'hidden' });
      await kept.click();
      await expect.poll(() => lastReply(page).innerText()).toContain('words to keep');
      await goesOn(page);
    },
  );
});

describe('a database file that the browser can neither read nor delete', () => {
  let site: Site;
  afterEach(() => site.close());
  const unopened = ['CURRENT without sense', 'MANIFEST deleted', 'a file where the folder was'];
  const cases = fileDamages.filter(({ name }) => unopened.includes(name));

  thorough.for(cases)(
    'is reported, with instructions for deleting all data: $name',
    { timeout: 120_000 },
    async ({ damage }) => {
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
    },
  );
});

describe('a database log that ends in an incomplete record after a kill', () => {
  let site: Site;
  afterEach(() => site.close());

  // Chromium keeps writing after the truncated record, and discards all of that at the second start after it. The app makes it start a new log.
  thorough.for(halfRecords)(
    'loses no message that is written later: $name',
    { timeout: 120_000 },
    async ({ share }) => {
      site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
      await databaseIsMade(site.page);
      await ask(site.page, 'script\nwords to keep');
      await turnEnds(site.page);
      let log = '';
      await site.closeAndReopen(async (profile) => {
        log = await leaveHalfARecord(await leveldbOf(profile), share);
      });
      await goesOn(site.page);
      // The decision record lists a visit that ends before this as a remaining gap.
      await expect.poll(() => existsSync(log)).toBe(false);
      for (let visit = 0; visit < 2; visit++) {
        await site.closeAndReopen(() => Promise.resolve());
        const kept = chatNamed(site.page, 'script');
        // One from before the kill, and a newer one from after it.
        await expect.poll(() => kept.count(), { timeout: 5000 }).toBe(2);
        await kept.last().click();
        await expect.poll(() => lastReply(site.page).innerText()).toContain('words to keep');
      }
    },
  );
});

/** Backups in each state: exported and imported files, and the folder of automatic backups. */
import type { Locator } from 'playwright';
import { answerChooser } from './backup-steps';
import { button, close, dialog, main, type Tour } from './tour';

export async function seeBackup(tour: Tour): Promise<void> {
  const { backup } = tour.rest;
  const region = main(tour.page).getByRole('region', { name: backup.title, exact: true });
  await region.getByText(backup.choose).first().click();
  await seeOthersFile(tour, region);
  await seeOwnFile(tour, region);
  await seeFolder(tour, region);
  await seeTroubles(tour, region);
}

async function read({ page, rest }: Tour, region: Locator, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    button(region, rest.common.import).click(),
  ]);
  await chooser.setFiles(path);
}

async function seeOthersFile(tour: Tour, region: Locator): Promise<void> {
  const { page, rest, words, look } = tour;
  const { backup } = rest;
  await read(tour, region, 'package.json');
  await region.getByRole('alert').waitFor();
  await look('a file that is no backup');
  await read(tour, region, 'test/fixtures/others/chatgpt.json');
  await button(region, backup.replace).click();
  await dialog(page).waitFor();
  await look('whether a file replaces what is here');
  await close(page);
  await look('what a file would bring');
  await button(region, words.actions.cancel).click();
  await button(region, backup.everything).waitFor();
}

async function seeOwnFile(tour: Tour, region: Locator): Promise<void> {
  const { page, rest, words, look } = tour;
  const { backup } = rest;
  const field = region.getByLabel(backup.passphrase, { exact: true });
  await page.evaluate(() => {
    delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker;
  });
  await field.fill('lantern mosaic');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(region, backup.everything).click(),
  ]);
  await region.getByText(backup.sealed).waitFor();
  await look('a file that was written');
  const path = await download.path();
  await field.fill('another');
  await read(tour, region, path);
  await button(region, words.actions.tryAgain).waitFor();
  await look('a file with another passphrase');
  // Meanwhile, one chat has changed and one is gone.
  await page.evaluate(async () => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const chats = open.result.transaction('chats', 'readwrite').objectStore('chats');
    const all = chats.getAll();
    await new Promise((resolve) => (all.onsuccess = resolve));
    const [first, second] = all.result as { id: string }[];
    if (first) chats.put({ ...first, title: 'Another name' });
    const deleted = chats.delete(second?.id ?? '');
    await new Promise((resolve) => (deleted.onsuccess = resolve));
    open.result.close();
  });
  await field.fill('lantern mosaic');
  await button(region, words.actions.tryAgain).click();
  await region.getByRole('group', { name: backup.preview, exact: true }).waitFor();
  await look('a file of which some is here, and some differs');
  await button(region, backup.merge).click();
  await button(region, backup.everything).waitFor();
  await look('a file that was brought in');
  await field.fill('');
  await button(region, words.actions.cancel).waitFor({ state: 'hidden' });
}

async function seeFolder(tour: Tour, region: Locator): Promise<void> {
  const { page, rest, words, look } = tour;
  const { folder, preview } = rest.backup;
  await answerChooser(page);
  await button(region, folder.choose).click();
  const restore = region.getByRole('button', { name: partOf(folder.restore) });
  await restore.waitFor();
  await look('a folder with its backup');
  // Adds two newer files, one truncated and one unknown, and chooses the folder again, so that it has backups before the first of this visit.
  await page.evaluate(async () => {
    const chosen = await (await navigator.storage.getDirectory()).getDirectoryHandle('Backups');
    for (const day of ['01', '02']) {
      const file = await chosen.getFileHandle(`hearth-auto-2099-01-${day}-000000.zip`, { create: true });
      const writable = await file.createWritable();
      await writable.write('no backup');
      await writable.close();
    }
  });
  await button(region, folder.forget).click();
  await button(region, folder.choose).click();
  await region.getByText(folder.noneSince).waitFor();
  await region.getByText(folder.older, { exact: true }).click();
  await region
    .getByRole('button', { name: partOf(folder.from) })
    .first()
    .waitFor();
  await look('a folder with older backups');
  await restore.click();
  await region.getByRole('group', { name: preview, exact: true }).waitFor();
  await look('backups that were passed over');
  await button(region, words.actions.cancel).click();
}

/** Each problem is explained where it occurs, and once above every screen. */
async function seeTroubles(tour: Tour, region: Locator): Promise<void> {
  const { page, rest, look } = tour;
  const { folder } = rest.backup;
  await page.evaluate(async () =>
    (await navigator.storage.getDirectory()).removeEntry('Backups', { recursive: true }),
  );
  await button(region, folder.now).click();
  await region.getByText(folder.troubles.gone).waitFor();
  await look('a folder that is gone');
  await button(page, rest.notices.later).click();
  await button(region, folder.forget).click();
  await button(region, folder.choose).waitFor();
  // Like a browser that cannot read what it stored.
  const mend = await page.evaluateHandle(() => {
    const store = IDBObjectStore.prototype;
    const own = Object.getOwnPropertyDescriptor(store, 'put') ?? {};
    const put = own.value as IDBObjectStore['put'];
    store.put = function (...given) {
      if (this.transaction.db.name === 'hearth-folder') throw new DOMException('No.', 'UnknownError');
      return put.apply(this, given);
    };
    return () => void Object.defineProperty(store, 'put', own);
  });
  await button(region, folder.choose).click();
  await region.getByText(folder.troubles.unkept).waitFor();
  await look('a folder that cannot be kept');
  await mend.evaluate((back) => back());
}

/** Returns the text before a time, in any language. */
function partOf(say: (when: string) => string): RegExp {
  const [before = '', after = ''] = say('\n').split('\n');
  return new RegExp(`^${before}.*${after}$`);
}

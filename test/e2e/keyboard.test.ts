/** Keeping chats in order by keyboard alone: Tab reaches everything, and the focus is never lost. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerChooser, backupRegion, previewOf } from './backup-steps';
import { hasFocus, keepsFocus, press, reach, seesFocus } from './keyboard-steps';
import { thorough, slow } from '../support/matrix';
import { lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  page = site.page;
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
});
afterAll(() => site.close());

async function say(answer: string): Promise<void> {
  await reach(page.getByRole('textbox', { name: 'Message' }), 'Shift+Tab');
  await page.keyboard.insertText(`script\n${answer}`);
  await page.keyboard.press('Enter');
  await lastReply(page).getByText(answer).waitFor();
  await turnEnds(page);
}

const list = () => page.getByRole('navigation');
const inMain = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const inList = (name: string) => list().getByRole('button', { name, exact: true });
/** Chooses an item in the menu of the first chat in the list. */
async function choose(name: string): Promise<void> {
  await press(list().getByRole('button', { name: 'Rename or delete' }).first());
  await press(inList(name));
}

test('the user can switch between answer versions and branch a chat by keyboard', async () => {
  await say('It is 42.');
  await press(inMain('Answer again'), 'Shift+Tab');
  await turnEnds(page);
  const versions = page.getByRole('group', { name: 'Versions' });
  await press(versions.getByRole('button', { name: 'Previous version' }), 'Shift+Tab');
  await versions.getByText('1 / 2').waitFor();
  await page.keyboard.press('ArrowRight');
  await versions.getByText('2 / 2').waitFor();
  await keepsFocus(page);
  await press(inMain('Branch off here'));
  await expect.poll(() => list().getByRole('list', { name: 'Chats' }).getByRole('link').count()).toBe(2);
  await page.getByRole('status').getByText('This is a new chat now.').waitFor();
  await keepsFocus(page);
});

test('invariant: chats can be pinned, moved to folders and archived by keyboard alone, and focus is never lost', async () => {
  await choose('Pin');
  await list().locator('[data-heading="Pinned"]').waitFor();
  await keepsFocus(page);
  await choose('Unpin');
  // If the menu opens before its chat has moved to its new place, it closes with the old one.
  await list().locator('[data-heading="Pinned"]').waitFor({ state: 'detached' });
  await keepsFocus(page);
  await choose('Move to a folder');
  await reach(list().getByRole('textbox', { name: 'Name of the folder' }));
  await page.keyboard.insertText('Trips');
  await page.keyboard.press('Enter');
  await list()
    .getByRole('button', { name: /^Trips.*1 chat$/ })
    .waitFor();
  await keepsFocus(page);
  await choose('Select several');
  await keepsFocus(page);
  await reach(list().getByRole('checkbox', { checked: false }).first());
  await page.keyboard.press('Space');
  await press(list().getByRole('toolbar').getByRole('button', { name: 'Archive' }));
  await expect.poll(() => list().getByRole('link', { name: 'script' }).count()).toBe(0);
  await keepsFocus(page);
  await press(list().getByRole('link', { name: 'Archive' }));
  const back = inMain('Put back into the list');
  for (let left = 2; left > 0; left--) {
    await expect.poll(() => back.count()).toBe(left);
    await press(back);
    await keepsFocus(page);
  }
});

slow('deleted items can be restored by keyboard, at once or later from the bin', async () => {
  await choose('Delete');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await keepsFocus(page);
  await page.keyboard.press('Control+z');
  await expect.poll(() => list().getByRole('link', { name: 'script' }).count()).toBe(2);
  await choose('Delete');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  // The focus moves from the deleted chat first. A key pressed before that would go elsewhere.
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await keepsFocus(page);
  await press(list().getByRole('link', { name: 'Bin' }));
  await press(inMain('Restore'));
  await expect.poll(() => list().getByRole('link', { name: 'script' }).count()).toBe(2);
  await keepsFocus(page);
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('It is back.').waitFor();
});

thorough('on a phone, the full-screen list of chats can be used by keyboard', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press('Alt+Shift+O');
  await expect.poll(() => hasFocus(page.getByRole('textbox', { name: 'Message' }))).toBe(true);
  // The focus leaves with the screen on which it was typed.
  await page.keyboard.press('Alt+Shift+6');
  await expect.poll(() => hasFocus(page.getByRole('heading', { level: 1, name: 'Archive' }))).toBe(true);
  await page.keyboard.press('Alt+Shift+L');
  // Wait for the list that covers the screen.
  await list().waitFor();
  await page.keyboard.press('Alt+Shift+6');
  await list().waitFor({ state: 'hidden' });
  await page.keyboard.press('Alt+Shift+L');
  await choose('Select several');
  await list().getByRole('toolbar').waitFor();
  await page.keyboard.press('Escape');
  await list().getByRole('toolbar').waitFor({ state: 'detached' });
  expect(await list().isVisible()).toBe(true);
  await choose('Delete');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  // The notice is inside the list instead of unreachable behind it, and does not cover the focus.
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await seesFocus(page);
  await press(list().getByRole('button', { name: 'Undo' }));
  await expect.poll(() => list().getByRole('link', { name: 'script' }).count()).toBe(2);
  await page.getByRole('status').getByText('It is back.').waitFor();
  await keepsFocus(page);
  await choose('Delete');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }));
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await press(list().getByRole('link', { name: 'Bin' }));
  await list().waitFor({ state: 'hidden' });
  await page.getByRole('heading', { level: 1, name: 'Bin' }).waitFor();
  await keepsFocus(page);
  await press(inMain('Delete for good'));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }));
  await page.getByRole('status').getByText('It is gone for good.').waitFor();
  await keepsFocus(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

slow('search and temporary chats can be used by keyboard', async () => {
  await page.keyboard.press('Alt+Shift+s');
  await page.keyboard.insertText('42');
  const results = list().getByRole('list', { name: 'Results' });
  await press(results.getByRole('link').first());
  await page.getByRole('main').getByText('It is 42.').first().waitFor();
  await keepsFocus(page);
  await press(list().getByRole('button', { name: 'Temporary chat' }), 'Shift+Tab');
  await page.getByRole('heading', { level: 1, name: 'Temporary chat' }).waitFor();
  await keepsFocus(page);
  await say('Nobody knows.');
  await press(inList('New chat'), 'Shift+Tab');
  await press(page.getByRole('dialog').getByRole('button', { name: /^Leave/ }));
  await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
  await keepsFocus(page);
});

thorough('export, import, the backup folder and the storage settings can be used by keyboard', async () => {
  await press(list().getByRole('link', { name: 'Settings' }), 'Shift+Tab');
  await answerChooser(page);
  await page.evaluate(() => {
    delete (window as { showSaveFilePicker?: unknown }).showSaveFilePicker;
  });
  const rows = page.getByRole('table', { name: 'What takes how much' });
  await rows.waitFor();
  const region = backupRegion(page);
  await reach(region.getByLabel('Passphrase', { exact: true }));
  const written = page.waitForEvent('download');
  await press(region.getByRole('button', { name: 'Export everything' }));
  const path = await (await written).path();
  await region.getByText(/^Written: /).waitFor();
  await keepsFocus(page);
  await seesFocus(page);
  const chooser = page.waitForEvent('filechooser');
  await press(region.getByRole('button', { name: 'Import' }));
  await (await chooser).setFiles(path);
  await press(previewOf(page).getByRole('button', { name: 'Merge' }));
  await region.getByText(/^Brought in: /).waitFor();
  await keepsFocus(page);
  await seesFocus(page);
  await press(region.getByRole('button', { name: 'Choose folder' }));
  await region.getByText(/^Last backup: /).waitFor();
  await keepsFocus(page);
  const now = region.getByRole('button', { name: 'Back up now' });
  await press(now);
  // Even before it has finished.
  expect(await hasFocus(now)).toBe(true);
  await region.getByText(/^Last backup: /).waitFor();
  await press(region.getByRole('button', { name: /^Restore the backup of / }));
  await press(previewOf(page).getByRole('button', { name: 'Cancel' }));
  await previewOf(page).waitFor({ state: 'detached' });
  await keepsFocus(page);
  await press(rows.getByRole('row', { name: 'Chats' }).getByRole('button'));
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
  await expect.poll(() => list().getByRole('link', { name: 'script' }).count()).toBe(0);
  await keepsFocus(page);
});

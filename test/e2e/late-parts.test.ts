/** What a person does in the moment before the code of a part is there, and what they read where it cannot be had. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  page = site.page;
  site.expectErrors(/ERR_FAILED|dynamically imported module/);
});
afterAll(() => site.close());

const message = () => page.getByRole('textbox', { name: 'Message' });
const missing = () => page.getByText('A part of Hearth could not be loaded.');

/** The code of a part does not come until it is let go. */
async function hold(part: string): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/${part}-*.js`, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

async function refuse(part: string): Promise<void> {
  await page.route(`**/${part}-*.js`, (route) => route.abort());
}

const drop = (name: string) =>
  page.evaluate((called) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Herons stand.'], called, { type: 'text/markdown' }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, name);

test('a file that is dropped before there is a clip is attached', async () => {
  const release = await hold('AttachButton');
  await page.reload();
  await message().fill('script\nHerons stand.');
  await page.getByRole('button', { name: /tools$/ }).waitFor();
  await drop('herons.md');
  await page.getByRole('button', { name: 'Look into herons.md' }).waitFor();
  release();
  await page.getByRole('button', { name: 'Attach' }).waitFor();
  await page.keyboard.press('Enter');
  await lastReply(page).getByText('Herons stand.').first().waitFor();
  await turnEnds(page);
  expect(await page.getByRole('button', { name: 'Look into herons.md' }).count()).toBe(1);
});

test('what is typed for the search in the chat, or for a new name, goes there, and is not sent', async () => {
  const releaseBar = await hold('FindBar');
  await message().focus();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('standd');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  releaseBar();
  const bar = page.getByRole('search').getByRole('searchbox', { name: 'Find in this chat' });
  await expect.poll(() => bar.inputValue()).toBe('stand');
  await page.keyboard.press('Escape');
  const releaseDialog = await hold('ChatDialogs');
  await page.keyboard.press('Alt+Shift+r');
  await page.keyboard.type('Birds');
  await page.keyboard.press('Enter');
  releaseDialog();
  await page.getByRole('heading', { level: 1, name: 'Birds' }).waitFor();
  expect(await message().inputValue()).toBe('');
  expect(await page.locator('[data-turn]').count()).toBe(1);
});

test('and for the commands, whose screen then has the focus', async () => {
  const release = await hold('Palette');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go to models');
  await page.keyboard.press('Enter');
  release();
  const heading = page.getByRole('heading', { level: 1, name: 'Models' });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.keyboard.press('Alt+Shift+5');
  const settings = page.getByRole('heading', { level: 1, name: 'Settings' });
  await expect.poll(() => settings.evaluate((node) => node === document.activeElement)).toBe(true);
  await page.goBack();
  await page.goBack();
  await message().waitFor();
});

test('where a part cannot be had it is said where it is seen, and what was typed is there', async () => {
  await refuse('ShortcutsDialog');
  await message().focus();
  await page.keyboard.press('Control+/');
  await missing().waitFor();
  const place = await missing().boundingBox();
  expect(place && place.y + place.height).toBeLessThan(800);
  await page.keyboard.press('Escape');
  await expect.poll(() => missing().count()).toBe(0);

  await refuse('SlashMenu');
  await page.keyboard.type('/etc/hosts');
  await missing().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('[data-turn]').count()).toBe(2);
  await turnEnds(page);
});

test('a file whose reader cannot be had is not called damaged', async () => {
  await site.context.route('**/read-pdf-*.js', (route) => route.abort());
  const bytes = Buffer.from('%PDF-1.4\n');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: bytes });
  await page.getByText(/^What reads a\.pdf could not be loaded\. Go online/).waitFor();
});

test('what nobody caught is no bug where a part could not be had', async () => {
  await refuse('find-settings');
  await page.keyboard.press('Alt+Shift+5');
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('theme');
  await missing().waitFor();
  expect(await page.getByRole('button', { name: 'Copy diagnostics' }).count()).toBe(0);
});

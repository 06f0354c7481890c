/** What users do before the code of a component has loaded, and what they read if it fails to load. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { lastReply, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

let site: Site;
let page: Page;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  page = site.page;
  site.expectErrors(/ERR_FAILED|dynamically imported module|Unable to preload CSS/);
});
afterAll(() => site.close());

const message = () => page.getByRole('textbox', { name: 'Message' });
const missing = () => page.getByText('A part of Hearth could not be loaded.');

/** Reloads the page and holds back the code of a component until the returned function is called. */
async function hold(part: string): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/${part}-*.js`, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  return release;
}

/** Reloads the page and refuses the code of a component until the returned function is called. */
async function refuse(part: string, ending = 'js'): Promise<() => Promise<void>> {
  const files = `**/${part}-*.${ending}`;
  await page.route(files, (route) => route.abort());
  await page.reload();
  await message().waitFor();
  return () => page.unroute(files);
}

/** Refuses the code of the screens, and closes the notice that appears after some seconds when the idle page fails to load it. */
async function refuseScreens(): Promise<() => Promise<void>> {
  const comesBack = await refuse('screens');
  await missing().waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  expect(await missing().count()).toBe(0);
  return comesBack;
}

/** Resolves to whether the page handled the drop. */
const drop = (name: string) =>
  page.evaluate((called) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Herons stand.'], called, { type: 'text/markdown' }));
    return !window.dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }));
  }, name);

slow('a dropped file is attached even if the code for reading files has yet to load', async () => {
  const release = await hold('agent-runtime');
  await message().fill('script\nHerons stand.');
  await expect.poll(() => drop('herons.md')).toBe(true);
  release();
  await page.getByRole('button', { name: 'Look into herons.md' }).waitFor();
  await page.getByRole('button', { name: 'Attach' }).waitFor();
  await page.keyboard.press('Enter');
  await lastReply(page).getByText('Herons stand.').first().waitFor();
  await turnEnds(page);
  await expect.poll(() => page.getByRole('button', { name: 'Look into herons.md' }).count()).toBe(1);
});

slow(
  'invariant: text typed while a text box is still loading reaches that box and is never sent',
  async () => {
    const releaseBar = await hold('screens');
    await page.locator('[data-turn]').waitFor();
    await message().focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('standd');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    releaseBar();
    const bar = page.getByRole('search').getByRole('searchbox', { name: 'Find in this chat' });
    await expect.poll(() => bar.inputValue()).toBe('stand');
    await page.keyboard.press('Escape');
    const releaseDialog = await hold('screens');
    await page.locator('[data-turn]').waitFor();
    await page.keyboard.press('Alt+Shift+r');
    await page.keyboard.type('Birds');
    await page.keyboard.press('Enter');
    releaseDialog();
    await page.getByRole('heading', { level: 1, name: 'Birds' }).waitFor();
    expect(await message().inputValue()).toBe('');
    expect(await page.locator('[data-turn]').count()).toBe(1);
  },
);

slow('keys pressed before the command palette has loaded still run the command', async () => {
  const release = await hold('screens');
  await page.locator('[data-turn]').waitFor();
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

slow('a dialog that fails to load is reported, and typing in the message box still works', async () => {
  const comesBack = await refuseScreens();
  await message().focus();
  await page.keyboard.press('Control+/');
  await missing().waitFor();
  const place = await missing().boundingBox();
  expect(place && place.y + place.height).toBeLessThan(800);
  await page.keyboard.press('Escape');
  await expect.poll(() => missing().count()).toBe(0);

  await page.keyboard.type('/etc/hosts');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('[data-turn]').count()).toBe(2);
  await turnEnds(page);
  await comesBack();
});

slow('a dialog that failed to load opens at the next click, with its styles', async () => {
  await page.locator('main .scroll').evaluate((node) => (node.scrollTop = 0));
  // The idle page loads the screens once the model is ready. Without a model, the click is the first to load them.
  const modelCode = '**/model.worker-*.js';
  await site.context.route(modelCode, () => undefined);
  const comesBack = await refuse('screens', 'css');
  const open = () => lastReply(page).getByRole('button', { name: 'Details' }).click();
  await open();
  await missing().waitFor();
  expect((await missing().boundingBox())?.y).toBeLessThan(60);
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  expect(await missing().count()).toBe(0);
  await comesBack();
  await open();
  await page.getByRole('dialog').waitFor();
  const rules = () =>
    page
      .locator('link[rel="stylesheet"][href*="screens"]')
      .evaluate(({ sheet }: HTMLLinkElement) => sheet?.cssRules.length);
  await expect.poll(rules).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await site.context.unroute(modelCode);
});

slow(
  'a screen that fails to load is reported, and "Try again" opens it once the network is back',
  async () => {
    const comesBack = await refuseScreens();
    await page.keyboard.press('Alt+Shift+5');
    await missing().waitFor();
    await comesBack();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect(await missing().count()).toBe(0);
    await page.goBack();
    await message().waitFor();
  },
);

slow('denied access to the clipboard is reported with a next step, not as a bug', async () => {
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('No.', 'NotAllowedError'));
  });
  await message().fill('script\nThey fly.');
  await page.keyboard.press('Enter');
  await lastReply(page).getByText('They fly.').waitFor();
  await turnEnds(page);
  await message().focus();
  await page.keyboard.press('Alt+Shift+c');
  const said = page.getByRole('alert').getByText(/Select the answer and copy it by hand\.$/);
  await said.waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => said.count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Copy diagnostics' }).count()).toBe(0);
});

slow('a file is not reported as damaged if the code for reading it fails to load', async () => {
  for (const worker of ['read-file', 'read-page']) {
    await site.context.route(`**/${worker}.worker-*.js`, (route) => route.abort());
    await page.locator('input[type=file]').setInputFiles({
      name: `${worker}.html`,
      mimeType: 'text/html',
      buffer: Buffer.from('<html><p>Herons'),
    });
    await page.getByText(`What reads ${worker}.html could not be loaded.`).waitFor();
    await site.context.unroute(`**/${worker}.worker-*.js`);
  }
  await site.context.route('**/read-pdf-*.js', (route) => route.abort());
  const bytes = Buffer.from('%PDF-1.4\n');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: bytes });
  await page.getByText(/^What reads a\.pdf could not be loaded\. Go online/).waitFor();
});

slow('an uncaught error from code that failed to load is not reported as a bug', async () => {
  await refuse('screens');
  await missing().waitFor();
  expect(await page.getByRole('button', { name: 'Copy diagnostics' }).count()).toBe(0);
});

/** Saved prompts, from the button below the message box to the question sent with one: by keyboard, in two tabs, after a reload. */
import { afterEach, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
afterEach(() => site.close());

thorough(
  'a saved prompt can be written, used, deleted and restored, and another tab shows each change',
  async () => {
    site = await openSite({ folder: 'dist-e2e' });
    const { page } = site;
    const box = page.getByRole('textbox', { name: 'Message' });
    await page.getByRole('button', { name: 'Use a prompt' }).click();
    await page.getByRole('option', { name: /^Your prompts …/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'New prompt' }).click();
    await page.keyboard.type('Echo');
    await page.keyboard.press('Tab');
    await page.keyboard.type('script');
    await page.keyboard.press('Enter');
    await page.keyboard.type('{{first|Hello}}, {{second}}.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('list', { name: 'In this order they are offered' }).getByText('/Echo').waitFor();

    const other = await site.openTab();
    await other.goto(`${site.url}#/prompts`);
    await other.getByText('/Echo').waitFor();

    await page.getByRole('link', { name: 'Back to the chat' }).click();
    await box.click();
    await page.keyboard.type('/ech');
    await page.getByRole('option', { name: /^Echo/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Fill in “Echo”' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('world');
    await page.keyboard.press('Enter');
    await expect.poll(() => box.inputValue()).toBe('script\nHello, world.');
    await page.keyboard.press('Enter');
    await lastReply(page).getByText('Hello, world.').waitFor();
    await turnEnds(page);

    await other.getByRole('button', { name: 'Delete: Echo' }).click();
    await page.keyboard.type('/');
    await page.getByRole('option', { name: /^Your prompts …/ }).waitFor();
    expect(await page.getByRole('option', { name: /^Echo/ }).count()).toBe(0);
    await other.keyboard.press('Control+z');
    await page.getByRole('option', { name: /^Echo/ }).waitFor();
    await box.fill('');
    // Otherwise the last typed text returns with the page.
    await expect.poll(async () => (await dumpDatabase(page))['drafts']).toBe('[]');
    // Enter is pressed before the code of the menu has loaded. The press waits for the menu, and nothing is sent.
    let goOn: () => void = () => undefined;
    const isPressed = new Promise<void>((resolve) => (goOn = resolve));
    let isAsked = false;
    await page.route('**/agent-runtime-*.js', async (route) => {
      isAsked = true;
      await isPressed;
      await route.continue();
    });
    await page.reload();
    await box.click();
    await page.keyboard.type('/ech');
    await expect.poll(() => isAsked).toBe(true);
    await page.keyboard.press('Enter');
    expect(await box.inputValue()).toBe('/ech');
    goOn();
    await page.getByRole('dialog', { name: 'Fill in “Echo”' }).waitFor();
  },
);

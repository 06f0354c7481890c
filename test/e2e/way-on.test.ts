/** Requests that exceed Ember, with its real weights: one sentence, one button, and where that leads. */
import { afterEach, beforeEach, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

thorough(
  'after a request for a joke, the chat shows a single button that leads to a larger model',
  async () => {
    const { page } = site;
    await ask(page, 'Tell me a joke');
    await turnEnds(page);
    await expect.poll(() => lastReply(page).innerText()).toContain('too small a model to tell jokes');
    const button = page.getByRole('main').getByRole('button', { name: /^Get .+ · \d/ });
    await button.waitFor();

    await ask(page, 'Translate good morning into French');
    await turnEnds(page);
    await expect.poll(() => lastReply(page).innerText()).toContain('too small a model to translate');
    expect(await button.count()).toBe(1);
    expect(await lastReply(page).getByRole('button', { name: /^Get / }).count()).toBe(0);

    await button.focus();
    await page.keyboard.press('Enter');
    const best = page.getByRole('region', { name: 'For this device' }).getByRole('article');
    await best.waitFor();
    const isFocused = () => best.evaluate((node) => node === document.activeElement);
    await expect.poll(isFocused).toBe(true);
    // By keyboard from here on, because nothing has started automatically.
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent.trim())).toBe('Download');
    expect(await page.getByRole('progressbar').count()).toBe(0);

    await page.goBack();
    await button.waitFor();
  },
);

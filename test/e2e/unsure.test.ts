/** Ember with real weights asks the user when it is unsure. */
import { afterEach, expect } from 'vitest';
import { breachesInBoth } from './axe-check';
import { thorough } from '../support/matrix';
import { openOutside } from './outside';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
afterEach(() => site.close());

const question = 'A litre of paint covers 13 square metres, so what do eleven litres cover?';
const choice = () => lastReply(site.page).getByRole('group', { name: 'Did you mean' });
const stop = () => site.page.getByRole('button', { name: 'Stop', exact: true });

thorough(
  'the user is asked what an ambiguous sum means, and the turn continues with their choice',
  async () => {
    site = await openSite();
    const { page } = site;
    await ask(page, question);
    await choice().waitFor();
    expect(await stop().isVisible()).toBe(true);
    expect(await page.getByRole('group', { name: /^calculator/ }).count()).toBe(0);
    expect(await breachesInBoth(page)).toEqual([]);
    const right = choice()
      .getByRole('button')
      .filter({ has: page.getByLabel('Result').getByText('143', { exact: true }) });
    expect(JSON.parse(await right.getByLabel('Arguments').innerText())).toEqual({ expression: '13*11' });
    await right.click();
    await turnEnds(page);
    await page.getByRole('group', { name: 'calculator: done' }).waitFor();
    await expect.poll(() => lastReply(page).innerText()).toContain('13*11 = 143');
    expect(await choice().count()).toBe(0);

    await lastReply(page).getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('dialog');
    await details.getByText(/calculator \{"expression":"13\*11"\}: \d of 9 replies; chosen by you/).waitFor();
  },
);

thorough('"None of these" lets the user rephrase an ambiguous sum, even after leaving the chat', async () => {
  site = await openSite();
  const { page } = site;
  await ask(page, question);
  await choice().waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).click();
  await choice().getByRole('button', { name: 'None of these' }).click();
  const box = page.getByRole('article', { name: 'You' }).getByRole('textbox');
  await expect.poll(() => box.inputValue()).toBe(question);
  await expect.poll(() => box.evaluate((field) => field === document.activeElement)).toBe(true);
  await box.fill('13*11');
  await page.keyboard.press('Enter');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('= 143');
});

thorough('a single dialog asks for both the meaning of a request and permission', async () => {
  const outside = await openOutside();
  site = await openSite({ outside });
  const { page } = site;
  await ask(page, '听说《长夜灯火》不错，值得看吗');
  const dialog = page.getByRole('dialog');
  const readings = dialog.getByRole('group', { name: 'Did you mean' }).getByRole('radio');
  await expect.poll(() => readings.count()).toBe(3);
  const words = dialog.getByRole('figure', { name: 'Search words' });
  const first = await words.innerText();
  expect(await breachesInBoth(page)).toEqual([]);
  await readings.nth(1).check();
  await expect.poll(() => words.innerText()).not.toBe(first);
  await dialog.getByRole('button', { name: 'Deny' }).click();
  await turnEnds(page);
  await page.getByRole('group', { name: /^web_search: / }).waitFor();
  expect(outside.requests).toEqual([]);
  outside.close();
});

thorough('the user is not asked about an ambiguous sum if the setting is off', async () => {
  site = await openSite();
  const { page } = site;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('switch', { name: 'Ask when the model is not sure' }).click();
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await ask(page, question);
  await turnEnds(page);
  await page.getByRole('group', { name: 'calculator: done' }).waitFor();
  expect(await choice().count()).toBe(0);
});

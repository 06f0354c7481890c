/** Web tools with the shipped model: real weights call the search and fetch_page, and answer from the results. */
import type { Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { sendJson } from './outside-answers';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  outside.serve('en.wikipedia.org', (_request, response) => {
    const hit = (index: number, title: string, extract: string) => {
      const fullurl = `https://en.wikipedia.org/wiki/${title.replaceAll(' ', '_')}`;
      return { pageid: index, ns: 0, index, title, extract, fullurl };
    };
    const pages = [
      hit(1, 'Northern lights', 'Lights in the sky of the far north. They are seen in winter.'),
      hit(2, 'Sky', 'The sky is above us. It is blue.'),
    ];
    sendJson(response, { batchcomplete: true, query: { pages } });
  });
});
afterAll(() => outside.close());
beforeEach(async () => {
  site = await openSite({ outside });
});
afterEach(() => site.close());

/** Returns the text of the model itself, without the card of its call. */
async function answerOf(page: Page, call: Locator): Promise<string> {
  const [all, card] = await Promise.all([lastReply(page).innerText(), call.innerText()]);
  return all.replace(card, '');
}

thorough('the built-in model Ember searches when asked to, and answers from the first result', async () => {
  const { page } = site;
  await ask(page, 'Search for northern lights');
  await page.getByRole('dialog').getByRole('button', { name: 'Allow once' }).click();
  await turnEnds(page);
  const call = lastReply(page).getByRole('group', { name: /^web_search/ });
  const input: unknown = JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '');
  expect(input).toMatchObject({ query: 'northern lights' });
  await expect.poll(() => answerOf(page, call)).toMatch(/northern lights/i);
});

thorough('the built-in model Ember opens a web page when asked to, and answers from its text', async () => {
  const { page } = site;
  await ask(page, 'Open https://pages.example.com/story');
  // The user typed the address, so nothing is asked.
  await turnEnds(page);
  const call = lastReply(page).getByRole('group', { name: /^fetch_page/ });
  expect(JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '')).toEqual({
    url: 'https://pages.example.com/story',
  });
  await expect.poll(() => answerOf(page, call)).toMatch(/lighthouse of Ar/i);
});

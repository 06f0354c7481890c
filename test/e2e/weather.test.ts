/** The weather through the screen, from a double of Open-Meteo that responds as documented. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { answerAsOpenMeteo } from '../support/open-meteo';
import { call } from './custom-tool-steps';
import { thorough } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { sendJson } from './outside-answers';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  for (const host of ['geocoding-api.open-meteo.com', 'api.open-meteo.com']) {
    outside.serve(host, (request, response) => {
      const { status, json } = answerAsOpenMeteo(`https://${host}${request.path}`);
      sendJson(response, json, status);
    });
  }
});
afterAll(() => outside.close());
afterEach(async () => {
  await site.close();
  outside.forget();
});

const hostsAsked = () => outside.requests.map(({ host }) => host);
const both = ['geocoding-api.open-meteo.com', 'api.open-meteo.com'];
const answer = (page: Page) => expect.poll(() => lastReply(page).innerText());

thorough(
  'the built-in model Ember asks for permission once, gives the forecast and answers a follow-up question',
  async () => {
    site = await openSite({ outside, locale: 'en-GB' });
    const { page } = site;
    await ask(page, 'is it raining in Oslo');
    const question = page.getByRole('dialog');
    await question.getByText('api.open-meteo.com', { exact: true }).waitFor();
    await question.getByText('geocoding-api.open-meteo.com', { exact: true }).waitFor();
    expect(outside.requests).toEqual([]);
    await question.getByRole('button', { name: 'Allow in this chat' }).click();
    await turnEnds(page);
    await answer(page).toMatch(/Oslo, Norway[^]*Now: light rain, -1 °C[^]*Today: light rain/);
    expect(hostsAsked()).toEqual(both);

    await ask(page, 'and tomorrow?');
    await turnEnds(page);
    await answer(page).toContain('Oslo, Norway. Tomorrow, Thursday: overcast');

    // The forecast for a week is complete, although it is longer than Ember's own replies.
    await ask(page, 'and this week?');
    await turnEnds(page);
    await answer(page).toMatch(/Today: light rain[^]*Tuesday: partly cloudy[^\n]*\s*$/);
  },
);

thorough('the built-in model Ember asks for a missing place in Chinese and uses the answer', async () => {
  site = await openSite({ outside, locale: 'zh-CN' });
  const { page } = site;
  await page.getByRole('textbox').fill('明天要带伞吗');
  await page.keyboard.press('Enter');
  await page.getByText('你想知道哪里的天气？').waitFor();
  await turnEnds(page, '停止');
  await page.getByRole('textbox').fill('北京');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: '允许这一次' }).click();
  await page.getByText('北京，Beijing，中国，明天（星期四）：阴').waitFor();
  expect(hostsAsked()).toEqual(both);
});

thorough('a weather question on an offline device fails at once, without asking for permission', async () => {
  site = await openSite({ outside, hasServiceWorker: true });
  const { page } = site;
  await isOfflineReady(page);
  await site.context.setOffline(true);
  await ask(page, 'weather in Rome');
  await answer(page).toMatch(/offline/i);
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(outside.requests).toEqual([]);
});

thorough('a larger model calls the weather tool and gets an error if the place is unknown', async () => {
  site = await openSite({ folder: 'dist-e2e', outside });
  const { page } = site;
  const calls = [call('weather', { place: 'Rome', days: 2 }), call('weather', { place: 'Nowhere' })];
  await ask(page, ['script', ...calls, '{{result}}'].join('\n---\n').replace('\n---\n', '\n'));
  await page.getByRole('dialog').getByRole('button', { name: 'Allow in this chat' }).click();
  await turnEnds(page);
  const cards = lastReply(page).getByRole('group', { name: /^weather/ });
  // An American screen uses Fahrenheit.
  await expect.poll(() => cards.first().getByLabel('Result').textContent()).toMatch(/°F/);
  await answer(page).toContain('There is no place "Nowhere"');
  expect(hostsAsked()).toEqual([...both, both[0]]);
});

/** The browser's own model in the built site, with a fake of the specified API, because no real one was available. */
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeOptions, type FakePromptApi, installPromptApi } from '../support/fake-prompt-api';
import { thorough, slow } from '../support/matrix';
import { articleOf, openModels, press } from './model-steps';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const id = 'browser-model';
const name = 'Browser model';

let site: Site;
let page: Page;
beforeEach(async () => {
  site = await openSite({ folder: 'dist-e2e' });
  page = site.page;
});
afterEach(() => site.close());

/** Reloads the page in a browser that has the API. */
async function openWith(options: FakeOptions): Promise<void> {
  await site.context.addInitScript(installPromptApi, options);
  await page.reload();
  await openModels(page);
}

type Handle = typeof globalThis & { fakePromptApi: FakePromptApi };
const say = (...replies: Parameters<FakePromptApi['say']>) =>
  page.evaluate((given) => (globalThis as Handle).fakePromptApi.say(...given), replies);
/** Waits until the page has requested the download. */
const progress = (share: number) =>
  expect
    .poll(() => page.evaluate((given) => (globalThis as Handle).fakePromptApi.progress(given), share))
    .toBe(true);
const seen = () =>
  page.evaluate(() => {
    const { prompts, creates } = (globalThis as Handle).fakePromptApi;
    return { prompts, creates };
  });

async function useIt(): Promise<void> {
  await press(page, id, 'Use');
  await articleOf(page, id).getByRole('status').getByText('Running').waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
}

async function answers(question: string, text: string): Promise<void> {
  await ask(page, question);
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain(text);
}

thorough('the Models screen does not mention a browser model if the browser has none', async () => {
  await page.evaluate(() => Reflect.deleteProperty(globalThis, 'LanguageModel'));
  await openModels(page);
  await articleOf(page, 'ember').waitFor();
  expect(await articleOf(page, id).count()).toBe(0);
  expect(await page.getByRole('main').innerText()).not.toContain(name);
});

thorough(
  'the browser\'s model is not offered on an unsuitable device, and "Diagnostics" says why',
  async () => {
    await openWith({ availability: 'unavailable' });
    const diagnostics = page.getByRole('region', { name: 'Diagnostics' });
    await diagnostics.getByText('The browser has a model of its own, but not for this device').waitFor();
    expect(await articleOf(page, id).count()).toBe(0);
  },
);

test("the browser's model downloads after a click, shows its progress, and is then used", async () => {
  await openWith({ availability: 'downloadable', contextWindow: 9216 });
  const article = articleOf(page, id);
  await article.getByText('The browser can download it, some gigabytes, once for all sites.').waitFor();
  await press(page, id, 'Download');
  await article.getByText('The browser begins the download').waitFor();
  await progress(0.424);
  await article.getByText('The browser is downloading it: 42 %').waitFor();
  expect(await article.getByRole('progressbar').getAttribute('value')).toBe('0.424');
  await press(page, id, 'Stop watching');
  await article.getByText('The browser is downloading it, for all sites.').waitFor();
  await press(page, id, 'Show progress');
  await progress(0.9);
  await article.getByText('90 %').waitFor();
  await progress(1);
  await article.getByText('It is in this browser, for all sites.').waitFor();
  await article.getByText('How much it reads at once the browser says when it has started.').waitFor();
  await article.getByRole('button', { name: 'Test this model', exact: true }).waitFor();
  await press(page, id, 'Use');
  await article.getByRole('status').getByText('Running').waitFor();
  await article.getByText('Reads 9,216 tokens at once.').waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('button', { name: `${name} · in this browser` }).waitFor();
  await page.getByText('Nothing leaves this device without your OK.').waitFor();
});

thorough("a failed download of the browser's model is reported with a reason and a next step", async () => {
  await openWith({ availability: 'downloadable' });
  await press(page, id, 'Download');
  await articleOf(page, id).getByText('The browser begins the download').waitFor();
  await expect
    .poll(() => page.evaluate(() => (globalThis as Handle).fakePromptApi.failDownload()))
    .toBe(true);
  await articleOf(page, id)
    .getByRole('alert')
    .getByText(/could not download Browser model.*press “Download” again/)
    .waitFor();
  await articleOf(page, id).getByRole('button', { name: 'Download', exact: true }).waitFor();
});

slow("the browser's model answers, calls tools and can be stopped", async () => {
  await openWith({ contextWindow: 9216 });
  await useIt();
  await say('Good morning to you.');
  await answers('Good morning', 'Good morning to you.');

  await say('<tool_call>{"name": "calculator", "arguments": {"expression": "6*7"}}</tool_call>', 'It is 42.');
  await answers('Six bags of seven apples?', 'It is 42.');
  const { prompts } = await seen();
  expect(prompts.at(-1)?.input.at(-1)?.content).toContain('42');
  // The whole chat uses one session, so nothing is read twice.
  expect(new Set(prompts.map(({ session }) => session)).size).toBe(1);

  await say(
    '<tool_call>{"name": "calculator", "arguments": {"expression": }}</tool_call>',
    '{"name": "calculator", "arguments": {"expression": "10-1"}}',
    'It is 9.',
  );
  await answers('Ten less one?', 'It is 9.');
  const held = (await seen()).prompts.filter(({ responseConstraint }) => responseConstraint);
  expect(held).toHaveLength(1);
  expect(held[0]?.responseConstraint).toMatchObject({ properties: { name: { const: 'calculator' } } });

  await say('The sea is hang');
  await ask(page, 'Tell me of the sea.');
  await expect.poll(() => lastReply(page).innerText()).toContain('The sea is');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(page);
  await say('Sand.');
  await answers('And the shore?', 'Sand.');
});

thorough("errors of the browser's model suggest a next step, and a lost session is restarted", async () => {
  await openWith({ contextWindow: 9216 });
  await useIt();
  for (const [error, says] of [
    ['NotSupportedError', /does not read or write this language.*Ask in English/],
    ['NotReadableError', /held back what Browser model wrote.*Ask in other words/],
    ['UnknownError', /Browser model failed in the browser.*start the browser anew/],
  ] as const) {
    await say({ error, after: 'Half a word' });
    await ask(page, 'Tell me of the sea.');
    await turnEnds(page);
    await expect.poll(() => lastReply(page).innerText()).toMatch(says);
    expect(await lastReply(page).innerText()).toContain('Half a word');
  }
  await say({ error: 'InvalidStateError' }, 'Here again.');
  await answers('Are you there?', 'Here again.');
});

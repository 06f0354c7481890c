/** The main job with everything real: the built site, Chromium and weights, without a network or a scripted model. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeAll(async () => {
  // At a subpath, as many static hosts serve it.
  site = await openSite({ path: '/some/where/', keepsProfile: true, hasServiceWorker: true });
  await isOfflineReady(site.page);
  await site.cutNetwork();
});
afterAll(() => site.close());

test('a first visit downloads the model and its engine only once', () => {
  const large = site.sent.filter((name) => /\.(gguf|wasm)$/.test(name));
  expect(large).toHaveLength(2);
});

test('offline, the built-in model calls the calculator and answers from its result', async () => {
  const { page } = site;
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  const reply = lastReply(page);
  const call = reply.getByRole('group', { name: /^calculator/ });
  expect(JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '')).toEqual({
    expression: '17*23',
  });
  expect(await call.getByLabel('Result').textContent()).toBe('391');
  await expect.poll(() => reply.innerText()).toContain('17*23 = 391');
  expect(await page.getByRole('article', { name: 'Hearth' }).count()).toBe(1);
});

test('the chat survives an offline reload', async () => {
  const { page } = site;
  await page.reload();
  await expect
    .poll(() => page.getByRole('article', { name: 'You' }).innerText())
    .toContain('What is 17 * 23?');
  await expect.poll(() => lastReply(page).innerText()).toContain('17*23 = 391');
  const chats = page.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  expect(await chats.count()).toBe(1);
});

test('after a kill, Hearth starts offline and tells the time in another city', async () => {
  const page = await site.killAndReopen();
  await ask(page, 'What time is it in Tokyo?');
  await turnEnds(page);
  const call = lastReply(page).getByRole('group', { name: /^clock/ });
  expect(JSON.parse((await call.getByLabel('Arguments').textContent()) ?? '')).toEqual({ place: 'Tokyo' });
  expect(await call.getByLabel('Result').textContent()).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d \w+day\n.*\+09:00/,
  );
  const chats = page.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  await expect.poll(() => chats.count()).toBe(2);
});

test('the built-in model calls no tool when all tools are off', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('button', { name: /\d+ tools/ }).click();
  const on = page.getByRole('switch', { checked: true });
  await on.first().waitFor();
  for (let left = await on.count(); left > 0; left--) {
    await on.first().click();
    await expect.poll(() => on.count()).toBe(left - 1);
  }
  await page.keyboard.press('Escape');
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  expect(await lastReply(page).getByRole('group').count()).toBe(0);
});

/** How a turn looks from outside, by its accessible names. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thorough, slow } from '../support/matrix';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeEach(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterEach(() => site.close());

const call = (name: string, input: unknown) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

test('screen readers find each reply as an article and each tool call in it as a group', async () => {
  const { page } = site;
  const calls = call('slow', { ms: 400 }) + call('calculator', { expression: '6*7' });
  await ask(page, `script\nFirst: ${calls}\n---\n${call('calculator', { expression: '1/0' })}\n---\nDone.`);
  await turnEnds(page);
  expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1);
  expect(await page.getByRole('article', { name: 'Hearth' }).count()).toBe(1);
  const groups = lastReply(page).getByRole('group');
  expect(await groups.count()).toBe(3);
  const results = await groups.getByLabel('Result').allTextContents();
  expect(results[0]).toContain('400 ms');
  expect(results[1]).toBe('42');
  expect(results[2]).toMatch(/zero/i);
  expect(JSON.parse((await groups.nth(1).getByLabel('Arguments').textContent()) ?? '')).toEqual({
    expression: '6*7',
  });
  const fold = groups.nth(1).getByRole('button', { expanded: false });
  await fold.click();
  expect(await groups.nth(1).getByLabel('Result').isVisible()).toBe(true);
});

slow('the Stop button is shown for the whole turn and ends a reply or a tool call at once', async () => {
  const { page } = site;
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  expect(await stop.count()).toBe(0);
  await ask(page, 'script 10\nword {{repeat 3000}}');
  await stop.waitFor();
  await lastReply(page).waitFor();
  await stop.click();
  await turnEnds(page);
  const text = await lastReply(page).textContent();
  await page.waitForTimeout(300);
  expect(await lastReply(page).textContent()).toBe(text);

  await ask(page, `script\n${call('slow', { ms: 30_000 })}\n---\nNever.`);
  await lastReply(page).getByRole('group', { name: /^slow/ }).waitFor();
  await stop.click();
  await turnEnds(page);
  expect(await lastReply(page).getByLabel('Result').textContent()).toContain('Stopped by the person');
  expect(await lastReply(page).textContent()).not.toContain('Never.');
});

slow('a turn continues in the background, and a message in a new chat waits for the model', async () => {
  const { page } = site;
  await ask(page, 'script 10\nfirst {{repeat 200}}END');
  await lastReply(page).waitFor();
  await page.getByRole('button', { name: 'New chat' }).click();
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  await ask(page, 'And me?');
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: And me?');

  const chats = page.getByRole('list', { name: 'Chats' });
  expect(await chats.getByRole('listitem').count()).toBe(2);
  await chats.getByRole('link', { name: /script 10/ }).click();
  await expect.poll(() => lastReply(page).innerText()).toContain('END');
});

thorough('an unsent edit of a question survives switching chats and a reload', async () => {
  const { page } = site;
  await ask(page, 'Hello');
  await turnEnds(page);
  await page.getByRole('article', { name: 'You' }).getByRole('button', { name: 'Edit' }).click();
  const box = page.getByRole('textbox', { name: 'Edit your question' });
  await page.keyboard.type(' and good day');
  await page.getByRole('button', { name: 'New chat' }).click();
  await box.waitFor({ state: 'hidden' });
  await page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: 'Hello' }).click();
  await expect.poll(() => box.inputValue()).toBe('Hello and good day');
  await page.reload();
  await expect.poll(() => box.inputValue()).toBe('Hello and good day');
  // Wait for the chat; the message box is available as always.
  const message = page.getByRole('textbox', { name: 'Message', exact: true });
  await expect.poll(() => message.evaluate((node) => node === document.activeElement)).toBe(true);
  await box.press('Enter');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: Hello and good day');
  await page.getByRole('button', { name: 'Previous version' }).first().click();
  await page.getByText('Hello', { exact: true }).first().waitFor();
  expect(await box.count()).toBe(0);
});

thorough('a crashed engine is replaced, and the answer continues', async () => {
  const { page } = site;
  await ask(page, 'script 5\nBefore {{crash}}and after.');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('and after.');
  expect(await page.getByRole('article', { name: 'Hearth' }).count()).toBe(1);
  // The page shows no error.
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([]);
  site.expectErrors(/asked for a crash/);
});

thorough('answering again, editing and deleting messages keep the chat consistent', async () => {
  const { page } = site;
  await ask(page, 'one');
  await turnEnds(page);
  await ask(page, 'two');
  await turnEnds(page);

  await page.getByRole('article', { name: 'You' }).first().hover();
  await page.getByRole('article', { name: 'You' }).first().getByRole('button', { name: /edit/i }).click();
  const box = page.getByRole('textbox', { name: /edit/i });
  await box.fill('uno');
  await box.press('Enter');
  await turnEnds(page);
  await expect
    .poll(() => page.getByRole('article', { name: 'You' }).allInnerTexts())
    .toEqual([expect.stringContaining('uno')]);
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: uno');

  await page.reload();
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: uno');
  await lastReply(page).hover();
  await lastReply(page)
    .getByRole('button', { name: /again|regenerate/i })
    .click();
  await turnEnds(page);
  expect(await page.getByRole('article', { name: 'Hearth' }).count()).toBe(1);
});

thorough('a question that is sent before the settings have loaded waits for them', async () => {
  const { page } = site;
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  await page.getByRole('switch', { name: 'calculator' }).click();
  await expect.poll(async () => (await dumpDatabase(page))['settings']).toContain('calculator');
  await page.route(/open-store/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.goto(site.url);
  await page.reload();
  await ask(page, `script\n${call('calculator', { expression: '6*7' })}\n---\nDone.`);
  await page.getByText('Done.').last().waitFor();
  await turnEnds(page);
  expect(await lastReply(page).getByLabel('Result').allTextContents()).not.toContain('42');
});

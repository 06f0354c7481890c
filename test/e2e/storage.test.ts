/** What the browser stores for Hearth: shown, deleted by kind, and a warning before it is full. */
import { afterEach, expect, test } from 'vitest';
import { articleOf, keptBytes, openModels, press, serveGguf } from './model-steps';
import { openOutside } from './outside';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';
import { thorough } from '../support/matrix';

let site: Site;
afterEach(() => site.close());

thorough('low storage is reported, and the user can see and delete what takes up space', async () => {
  site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  await ask(page, 'script\n{{repeat 400}}END');
  await turnEnds(page);
  const warning = page.getByText('The room that this browser gives Hearth is nearly used up.');
  expect(await warning.count()).toBe(0);

  const session = await site.context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(site.url).origin,
    quotaSize: 1_000_000,
  });
  await page.reload();
  await warning.waitFor();
  await page.getByRole('link', { name: 'See what takes room' }).click();
  const row = (name: string) =>
    page.getByRole('table', { name: 'What takes how much' }).getByRole('row', { name });
  await row('Chats').getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => row('Chats').getByRole('cell').first().innerText()).toBe('0 B');
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  await expect.poll(() => page.getByRole('article').count()).toBe(0);
  await ask(page, 'script\nstill here');
  await expect.poll(() => lastReply(page).innerText()).toContain('still here');
});

test('deleting everything stops a running download and leaves no data', async () => {
  const outside = await openOutside();
  try {
    site = await openSite({ folder: 'dist-e2e', outside });
    const { page } = site;
    const host = serveGguf(outside, Buffer.alloc(3_000_000, 'GGUF'));
    host.stopAt = 2_000_000;
    await openModels(page);
    const form = page.getByRole('region', { name: 'Add a model' });
    await form.getByLabel('Model URL').fill(host.url);
    await form.getByLabel('Model ID').fill('Heron');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await press(page, 'Heron', 'Download');
    await expect.poll(() => keptBytes(page)).toBeGreaterThanOrEqual(2_000_000);

    await page.getByRole('link', { name: 'Settings' }).click();
    // These load after the screen, and move the button.
    await page.getByRole('heading', { name: 'Backups' }).waitFor();
    await page.getByRole('table', { name: 'What takes how much' }).waitFor();
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
    // If the download continued, a message here would say that another tab uses a file.
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await keptBytes(page)).toBe(0);
    await openModels(page);
    expect(await articleOf(page, 'Heron').count()).toBe(0);
  } finally {
    outside.close();
  }
});

/** What keeps chats in order, in the app as it is built. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longChat, writeRows } from './chat-steps';
import { ask, databaseIsMade, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeEach(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterEach(() => site.close());

test('versions, and what is deleted and had back, are kept over a reload', async () => {
  const { page } = site;
  const versions = lastReply(page).getByRole('group', { name: 'Versions' });
  await ask(page, 'script\nOne.');
  await turnEnds(page);
  await lastReply(page).getByRole('button', { name: 'Answer again' }).click();
  await turnEnds(page);
  await expect.poll(() => versions.innerText()).toContain('2 / 2');
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect.poll(() => versions.innerText()).toContain('1 / 2');
  await page.reload();
  await expect.poll(() => versions.innerText()).toContain('1 / 2');

  await lastReply(page).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => versions.count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => versions.innerText()).toContain('1 / 2');
  await page.reload();
  await expect.poll(() => versions.innerText()).toContain('1 / 2');
});

test('of a long chat the end is read, and the rest as it is scrolled to, without a jump', async () => {
  const { page } = site;
  await databaseIsMade(page);
  await writeRows(page, longChat('long', 130));
  await page.goto(`${site.url}#/chat/long`);
  await page.reload();
  await page.getByText('Answer 129').waitFor();
  const asked = page.getByRole('article', { name: 'You' });
  expect(await asked.count()).toBeLessThan(60);
  // What finds its height only when it is seen moves a little by that alone.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.settled { content-visibility: visible !important; }');
    document.adoptedStyleSheets.push(sheet);
  });
  const jump = await page.evaluate(async () => {
    const scroller = document.querySelector('main .scroll')!;
    let most = 0;
    for (let step = 0; step < 200; step++) {
      if (scroller.scrollTop === 0 && !document.querySelector('.conversation > button')) break;
      scroller.scrollTop -= 500;
      await new Promise(requestAnimationFrame);
      const { left, top, width } = scroller.getBoundingClientRect();
      const read = document.elementFromPoint(left + width / 2, top + 250)?.closest('article');
      const before = read?.getBoundingClientRect().top;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      const after = read?.isConnected ? read.getBoundingClientRect().top : undefined;
      if (before !== undefined && after !== undefined) most = Math.max(most, Math.abs(after - before));
    }
    return most;
  });
  await page.getByText('Question 0', { exact: true }).waitFor();
  expect(await asked.count()).toBe(65);
  expect(jump).toBeLessThan(3);
  // What is asked now goes to the model with all of it.
  await ask(page, 'And now?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: And now?');
});

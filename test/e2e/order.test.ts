/** What keeps chats in order, in the built app. */
import { afterEach, beforeEach, expect } from 'vitest';
import { longChat, writeRows } from './chat-steps';
import { thorough } from '../support/matrix';
import { ask, databaseIsMade, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
beforeEach(async () => {
  site = await openSite({ folder: 'dist-e2e' });
});
afterEach(() => site.close());

thorough('answer versions, deletions and restored messages survive a reload', async () => {
  const { page } = site;
  const versions = lastReply(page).getByRole('group', { name: 'Versions' });
  await ask(page, 'script\nOne.');
  await turnEnds(page);
  await lastReply(page).getByRole('button', { name: 'Answer again' }).click();
  await turnEnds(page);
  await expect.poll(() => versions.innerText()).toContain('2 / 2');
  const branch = async () => /"leafId":"[^"]*"/.exec((await dumpDatabase(page))['chats'] ?? '')?.[0];
  const second = await branch();
  await versions.getByRole('button', { name: 'Previous version' }).click();
  await expect.poll(() => versions.innerText()).toContain('1 / 2');
  // The screen shows it before it is stored.
  await expect.poll(branch).not.toBe(second);
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

thorough('a long chat loads its end first and earlier messages while scrolling, without jumps', async () => {
  const { page } = site;
  await databaseIsMade(page);
  await writeRows(page, longChat('long', 130));
  await page.goto(`${site.url}#/chat/long`);
  await page.reload();
  await page.getByText('Answer 129').waitFor();
  const asked = page.getByRole('article', { name: 'You' });
  expect(await asked.count()).toBeLessThan(60);
  // Elements that get their height only when visible move a little by themselves.
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
  // A new question is sent to the model with the whole chat.
  await ask(page, 'And now?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: And now?');
});

/** Everything that the browser stores for the page, as text. */
const allKept = async () => ({
  tables: await dumpDatabase(site.page),
  ...(await site.page.evaluate(async () => {
    const names: string[] = [];
    const walk = async (folder: FileSystemDirectoryHandle, path: string) => {
      for await (const [name, handle] of folder.entries()) {
        names.push(`${path}/${name}`);
        if (handle.kind === 'directory') await walk(handle, `${path}/${name}`);
      }
    };
    await walk(await navigator.storage.getDirectory(), '');
    return { local: JSON.stringify(localStorage), session: JSON.stringify(sessionStorage), files: names };
  })),
});

thorough('a temporary chat is not saved, and leaving it needs a confirmation', async () => {
  const { page } = site;
  await ask(page, 'kept');
  await turnEnds(page);
  const chats = page.getByRole('list', { name: 'Chats' }).getByRole('listitem');
  await expect.poll(() => chats.count()).toBe(1);
  await expect.poll(async () => (await allKept()).tables['messages']).toContain('turnEnd');
  const before = await allKept();

  await page.getByRole('button', { name: 'Temporary chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'Temporary chat' }).waitFor();
  await ask(
    page,
    'script\n<tool_call>{"name":"calculator","arguments":{"expression":"6*7"}}</tool_call>\n---\nIt is 42.',
  );
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('It is 42.');
  await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
  await lastReply(page).getByRole('button', { name: 'Answer again' }).click();
  await turnEnds(page);
  expect(await lastReply(page).getByRole('group', { name: 'Versions' }).innerText()).toContain('2 / 2');
  expect(await allKept()).toEqual(before);
  expect(await chats.count()).toBe(1);

  await page.goto(`${site.url}#/settings`);
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  await lastReply(page).waitFor();
  await chats.getByRole('link').click();
  const dialog = page.getByRole('dialog', { name: 'Leave the temporary chat?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await lastReply(page).innerText()).toContain('It is 42.');
  await chats.getByRole('link').click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: kept');
  expect(await allKept()).toEqual(before);
});

thorough('a temporary chat disappears on a reload', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'Temporary chat' }).click();
  await ask(page, 'Nobody knows');
  await turnEnds(page);
  const asked = page.waitForEvent('dialog');
  const reloading = page.reload();
  await (await asked).accept();
  await reloading;
  await page.getByRole('heading', { level: 1, name: 'New chat' }).waitFor();
  expect(await page.getByText('Nobody knows').count()).toBe(0);
});

thorough('a chat that one tab restores cannot be permanently deleted by another tab', async () => {
  const { page } = site;
  await ask(page, 'keep me');
  await turnEnds(page);
  await page.getByRole('button', { name: 'Rename or delete' }).first().click();
  await page.getByRole('navigation').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete chat' }).click();
  const other = await site.openTab();
  for (const tab of [page, other]) await tab.goto(`${site.url}#/bin`);
  await other.getByRole('button', { name: 'Empty the bin' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await other.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await expect.poll(() => other.getByText('The bin is empty.').count()).toBe(1);
  await page.getByRole('list', { name: 'Chats' }).getByRole('link', { name: 'keep me' }).click();
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: keep me');
});

/** All chats are searched and a result is opened: in the built app, with its worker and its databases. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Locator, Page } from 'playwright';
import { script } from './agent-steps';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';
import { slow } from '../support/matrix';

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search chats' });
const results = (page: Page) => page.getByRole('list', { name: 'Results' });
const hits = (page: Page) => results(page).getByRole('link');

/** The question contains the text of the answer, so both are found. */
async function tell(page: Page, answer: string): Promise<void> {
  await ask(page, script(answer));
  await turnEnds(page);
  await lastReply(page).getByText(answer.slice(0, 20)).first().waitFor();
}

async function isSeen(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    return top >= 0 && top < innerHeight - 100;
  });
}

describe('search in existing chats', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ folder: 'dist-e2e' });
    const { page } = site;
    await tell(page, 'They are grilled near the river.');
    for (let at = 0; at < 5; at++) await tell(page, `More of ${at}. ${'Much is said. '.repeat(60)}`);
    await page.getByRole('button', { name: 'New chat' }).click();
    await tell(page, '这张显卡便宜。');
  });
  afterAll(() => site.close());

  slow('Ctrl+K, a few letters and Enter open a message', async () => {
    const { page } = site;
    await page.keyboard.press('Control+k');
    const combobox = page.getByRole('combobox', { name: 'Find or do anything' });
    // The box gets the focus as soon as it exists. Letters typed before that would go elsewhere.
    await expect.poll(() => combobox.evaluate((box) => box === document.activeElement)).toBe(true);
    await page.keyboard.type('grilled riv');
    await page.getByRole('option', { name: 'grilled near the river' }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toMatch(/#\/chat\/[^/]+\/[^/]+$/);
    await expect.poll(() => isSeen(page.getByText('They are grilled near the river.').last())).toBe(true);
    // It stays there, and the chat does not scroll to its end after all.
    await page.waitForTimeout(300);
    expect(await isSeen(page.getByText('They are grilled near the river.').last())).toBe(true);
  });

  slow('Ctrl+F finds text in the open chat and scrolls to it', async () => {
    const { page } = site;
    await page.keyboard.press('Control+f');
    const bar = page.getByRole('search', { name: 'Find in this chat' });
    await bar.getByRole('searchbox').fill('More of 3');
    await bar.getByText('of 2').waitFor();
    const isMarkSeen = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('found-now') ?? [];
        const { top = -1 } = range instanceof Range ? range.getBoundingClientRect() : {};
        return top > 50 && top < innerHeight - 150;
      });
    await expect.poll(isMarkSeen).toBe(true);
    await page.keyboard.press('Escape');
    await bar.waitFor({ state: 'hidden' });
  });

  slow('arrow keys move through the results, and Escape returns to the search box', async () => {
    const { page } = site;
    await box(page).fill('显卡');
    await hits(page).filter({ hasText: '便宜' }).nth(1).waitFor();
    await box(page).press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    expect(await focused()).toContain('显卡');
    await page.keyboard.press('Escape');
    await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await box(page).inputValue()).toBe('');
    await page.getByRole('list', { name: 'Chats' }).waitFor();
  });

  slow('a message is also found in another tab and on the next visit', async () => {
    const page = await site.openTab();
    await box(page).fill('grilled');
    await expect.poll(() => hits(page).count()).toBeGreaterThan(0);
    const kept = await page.evaluate(async () =>
      (await indexedDB.databases()).map(({ name = '' }) => name).toSorted(),
    );
    expect(kept).toContain('hearth-search');
    await page.close();
  });

  slow('a search result on another branch of a chat opens that branch', async () => {
    const { page } = site;
    await page.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
    await page.locator('main').getByText('这张显卡便宜。').last().waitFor();
    await page.getByRole('article', { name: 'You' }).hover();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('article', { name: 'You' }).getByRole('textbox').fill(script('Striped.'));
    await page.keyboard.press('Enter');
    await turnEnds(page);
    await page.getByText('Striped.').last().waitFor();
    await box(page).fill('便宜');
    await hits(page).filter({ hasText: '便宜' }).first().click();
    await page.locator('main').getByText('这张显卡便宜。').last().waitFor();
    await box(page).fill('striped');
    await hits(page).filter({ hasText: 'Striped' }).first().waitFor();
  });

  slow('a match in an attached file opens the file at the match', async () => {
    const { page } = site;
    await page.getByRole('button', { name: 'New chat' }).click();
    const lines = (word: string) =>
      Array.from({ length: 4000 }, (_, at) => `Line ${at}${at === 3200 ? `: a ${word} on the pier` : ''}.`);
    const files = Object.entries({ 'diary.txt': lines('gull'), 'log.txt': lines('pelican') });
    await page.locator('input[type=file]').setInputFiles(
      files.map(([name, content]) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(content.join('\n')),
      })),
    );
    await page.getByRole('list', { name: 'Goes with the message' }).getByText('log.txt').waitFor();
    await ask(page, script('Two files.'));
    await turnEnds(page);
    await box(page).fill('pelican');
    await hits(page).filter({ hasText: 'pelican on the pier' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'log.txt' });
    await dialog.waitFor();
    const marked = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('found-now') ?? [];
        if (!(range instanceof Range)) return '';
        const { top, height } = range.getBoundingClientRect();
        const frame = range.startContainer.parentElement?.closest('[role=figure]')?.getBoundingClientRect();
        const isSeen = height > 0 && frame && top > frame.top && top < frame.bottom;
        return isSeen ? range.toString() : '';
      });
    await expect.poll(marked).toBe('pelican');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('log.txt');
    await box(page).fill('');
  });

  slow('deleting everything also deletes the search index', async () => {
    const { page } = site;
    await page.goto(`${site.url}#/settings`);
    // These load after the screen, and move the button.
    await page.getByRole('heading', { name: 'Backups' }).waitFor();
    await page.getByRole('table', { name: 'What takes how much' }).waitFor();
    // Lists the databases when the page starts again, before it creates its own.
    await page.addInitScript(() => {
      Object.assign(window, { foundAtStart: indexedDB.databases() });
    });
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete everything' }).click();
    // The search box exists before and after. This box is not on the settings screen.
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const found = await page.evaluate(
      () => Reflect.get(window, 'foundAtStart') as Promise<IDBDatabaseInfo[]>,
    );
    expect(found.map(({ name }) => name)).toEqual([]);
    await box(page).fill('grilled');
    await page.getByText('No chat has these words.').waitFor();
  });
});

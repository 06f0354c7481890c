/** In a chat of forty turns, the beginning is summarised for the model, and nothing is lost for the user. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takesAll, thorough } from '../support/matrix';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

const note = (page: Page) => page.getByRole('group', { name: 'Summary of the earlier part' });
const questions = (page: Page) => page.getByRole('article', { name: 'You' });
const filler = 'the river runs on and the keeper counts the boats that pass below the bridge, ';
/** Replies of 500 characters. The scripted model's context has 16,000. */
const script = (reply: string) => `script\n${reply} ${filler}{{repeat 6}}`;

interface Row {
  message: { role: string };
  parentId: string | null;
  summary?: { text: string; by: string; model?: string };
}
const rows = async (page: Page) => JSON.parse((await dumpDatabase(page))['messages'] ?? '[]') as Row[];
const summaries = async (page: Page) => (await rows(page)).flatMap(({ summary }) => summary ?? []);

async function say(page: Page, text: string): Promise<void> {
  await ask(page, text);
  // Ember reads a thousand tokens again after a summary, which takes a while on a busy machine.
  await page
    .getByRole('button', { name: 'Stop', exact: true })
    .waitFor({ state: 'hidden', timeout: 120_000 });
}

async function chat(page: Page, turns: number): Promise<void> {
  for (let at = 1; at <= turns; at++) await say(page, script(`Reply ${at}:`));
}

describe.runIf(takesAll)('a summary of a long chat, written by the model', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ folder: 'dist-e2e' });
  });
  afterAll(() => site.close());

  test('is shown as a collapsed line after forty turns, and Enter expands the line', async () => {
    const { page } = site;
    await say(page, script('NOTES The person is Ada, and keeps count of boats. END Hello Ada.'));
    await chat(page, 39);
    await expect.poll(() => note(page).count()).toBe(1);
    expect(await note(page).innerText()).toMatch(/^The first \d\d questions and their answers are summed up/);
    expect(await note(page).innerText()).not.toContain('keeps count of boats');
    await note(page).getByText('are summed up for the model').press('Enter');
    expect(await note(page).innerText()).toContain('The person is Ada, and keeps count of boats.');
    expect(await note(page).innerText()).toContain('Written by Scripted');
    // The chat continues, and the answers know what the summary says.
    await say(page, 'script\nIt read {{prompt}}');
    expect(await lastReply(page).textContent()).toContain('It read');
  });

  test('survives a reload together with the whole chat', async () => {
    const { page } = site;
    await page.reload();
    // Scrolling near the top shows what is above.
    const scrollUp = () => page.locator('.scroll').evaluate((it) => it.scrollTo(0, 0));
    await expect.poll(async () => (await scrollUp(), questions(page).count())).toBe(41);
    await expect.poll(() => note(page).count()).toBe(1);
    await expect.poll(() => page.getByText('Hello Ada.', { exact: false }).first().isVisible()).toBe(true);
    expect((await rows(page)).filter(({ message }) => message.role === 'user')).toHaveLength(41);
    expect((await summaries(page)).at(-1)).toMatchObject({ by: 'model', model: 'Scripted' });
  });

  test('is reused for the next question', async () => {
    const { page } = site;
    const before = (await summaries(page)).length;
    await say(page, 'script\nFine.');
    expect(await summaries(page)).toHaveLength(before);
    await lastReply(page).getByRole('button', { name: 'Details' }).click();
    await expect
      .poll(() => page.getByRole('dialog').innerText())
      .toContain('The person is Ada, and keeps count of boats.');
    await page.keyboard.press('Escape');
  });
});

/** 1,100 characters per message. */
const long = (at: number, notes = '') =>
  `script\n${notes}${Array.from({ length: 80 }, (_, line) => `Line ${line} of ${at}. `).join('')}`;

const isSummingUp = (page: Page) =>
  page.getByRole('status').getByText('is summing up the earlier part of this chat').waitFor();

describe('summaries of long chats', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
  });
  afterAll(() => site.close());

  /** Creates a chat whose next turn starts with a summary, which takes some seconds. */
  async function fill(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'New chat' }).click();
    await say(page, long(0, `NOTES 30 ${'The person is Ada. '.repeat(40)} END `));
    for (let at = 1; at <= 4; at++) await say(page, long(at));
    expect(await note(page).count()).toBe(0);
  }

  thorough('Stop during summarising ends the turn, and the next turn writes the summary', async () => {
    const { page } = site;
    await fill(page);
    await ask(page, long(5));
    await isSummingUp(page);
    await page.getByRole('button', { name: 'Stop' }).click();
    await turnEnds(page);
    expect(await note(page).count()).toBe(0);
    expect(await summaries(page)).toEqual([]);
    await say(page, 'script\nFine.');
    await expect.poll(() => note(page).count()).toBe(1);
    await expect.poll(() => lastReply(page).textContent()).toContain('Fine.');
  });

  thorough(
    'killing the browser during summarising loses nothing, and "Continue" writes the summary',
    async () => {
      await fill(site.page);
      await ask(site.page, long(5));
      await isSummingUp(site.page);
      const page = await site.killAndReopen();
      await page.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await isSummingUp(page);
      await turnEnds(page);
      await expect.poll(() => note(page).count()).toBe(1);
      // By keyboard: turns above are laid out when they become visible, and may move what the pointer is on.
      await note(page).locator('summary').press('Enter');
      await expect.poll(() => note(page).innerText()).toContain('The person is Ada.');
      expect(await questions(page).count()).toBe(6);
      await expect.poll(() => lastReply(page).textContent()).toContain('Line 79 of 5.');
    },
  );

  thorough(
    'after a summarised question is edited, the model reads the new branch without the summary',
    async () => {
      const { page } = site;
      const first = questions(page).first();
      await first.getByRole('button', { name: 'Edit' }).click();
      await first.getByRole('textbox').fill('script\nAnother beginning.');
      await first.getByRole('button', { name: 'Ask' }).click();
      await turnEnds(page);
      await expect.poll(() => note(page).count()).toBe(0);
      await expect.poll(() => lastReply(page).textContent()).toContain('Another beginning.');
      expect((await summaries(page)).length).toBeGreaterThan(0);
    },
  );
});

thorough(
  'in turn forty, the built-in model still knows a name from the first turn',
  async () => {
    const site = await openSite();
    const { page } = site;
    try {
      await say(page, 'Hi! My name is Ada.');
      // The page answers most of it. What Ember is asked is summarised first once the chat is too long.
      for (let at = 1; at <= 38; at++) {
        await say(page, at % 12 === 0 ? `What is ${at} * 17?` : (talk[at % talk.length] ?? ''));
      }
      await say(page, 'What is my name?');
      await expect.poll(() => lastReply(page).textContent()).toContain('You said: “My name is Ada.”');
      await expect.poll(() => note(page).count()).toBe(1);
      await note(page).locator('summary').click();
      expect(await note(page).innerText()).toContain('- My name is Ada.');
      expect(await note(page).innerText()).toContain('Put together by Hearth');
      // It still calls its tools.
      await say(page, 'What is 12 * 12?');
      await expect.poll(() => lastReply(page).textContent()).toContain('144');
    } finally {
      await site.close();
    }
  },
  300_000,
);

const talk = ['What can you do?', 'Who are you?', 'Is this private?', 'Which languages do you speak?'];

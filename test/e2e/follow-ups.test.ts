/** Messages sent during an answer: stored on the disk, asked once in whichever tab, and passed to a running turn between two rounds. */
import type { Page } from 'playwright';
import { afterEach, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { ask, dumpDatabase, openSite, type Site, turnEnds } from './site';

let site: Site;
afterEach(() => site.close());

const waiting = (page: Page) => page.getByRole('region', { name: 'Up next' });
const rows = (page: Page) => waiting(page).getByRole('listitem');
const long = 'script 10\nword {{repeat 3000}}END';

async function queue(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Queue', exact: true }).click();
}

/** Returns the stored questions, in the order in which they were asked. */
async function questions(page: Page): Promise<string[]> {
  const { messages = '[]' } = await dumpDatabase(page);
  const all = JSON.parse(messages) as {
    createdAt: number;
    message: { role: string; content: { text: string }[] };
  }[];
  return all
    .filter(({ message }) => message.role === 'user')
    .sort((one, other) => one.createdAt - other.createdAt)
    .map(({ message }) => message.content[0]!.text.split('\n')[0]!);
}

thorough(
  'a queued message survives a kill of the browser and is sent only once, even with two tabs',
  async () => {
    site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
    let { page } = site;
    await ask(page, long);
    await queue(page, 'second');
    await expect.poll(() => rows(page).count()).toBe(1);
    await queue(page, 'third');
    await expect.poll(() => rows(page).count()).toBe(2);
    const address = page.url();

    page = await site.killAndReopen();
    await page.goto(address);
    await expect
      .poll(() => rows(page).allInnerTexts())
      .toEqual([expect.stringContaining('second'), expect.stringContaining('third')]);
    const other = await site.openTab();
    await other.goto(address);
    await expect.poll(() => rows(other).count()).toBe(2);
    expect(await questions(page)).toHaveLength(1);

    const now = await Promise.all(
      [page, other].map((tab) =>
        waiting(tab).getByRole('button', { name: 'Ask now: follow-up 1' }).elementHandle(),
      ),
    );
    // Not by a real click, because the button may disappear before it.
    await Promise.all(now.map((button) => button.evaluate((node) => (node as HTMLElement).click())));
    await expect.poll(() => questions(page), { timeout: 10_000 }).toEqual(['script 10', 'second', 'third']);
    for (const tab of [page, other]) await expect.poll(() => waiting(tab).count()).toBe(0);
    expect((await dumpDatabase(page))['followUps']).toBe('[]');
  },
);

thorough(
  '“Steer” sends a queued message after the current tool call, and “Ask now” ends the answer',
  async () => {
    site = await openSite({ folder: 'dist-e2e' });
    const { page } = site;
    const call = '<tool_call>{"name": "slow", "arguments": {"ms": 1200}}</tool_call>';
    await ask(page, `script\n${call}\n---\nNever said.`);
    await queue(page, 'turn left');
    await waiting(page).getByRole('button', { name: 'Steer: follow-up 1' }).click();
    await page.getByText('You said: turn left').waitFor();
    const replies = page.getByRole('article', { name: 'Hearth' });
    expect(await replies.getByText('Never said.').count()).toBe(0);
    expect(await replies.first().innerText()).toContain('You went on before this was answered.');
    await turnEnds(page);

    await ask(page, long);
    await queue(page, 'one');
    await queue(page, 'two');
    await waiting(page).getByRole('button', { name: 'Ask now: follow-up 2' }).click();
    await page.getByText('You said: two').waitFor();
    // Once it is answered, the other is sent automatically.
    await page.getByText('You said: one').waitFor();
    await turnEnds(page);
    expect(await questions(page)).toEqual(['script', 'turn left', 'script 10', 'two', 'one']);
  },
);

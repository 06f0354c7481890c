/** One model for all tabs: asked at once, and with the tab that has the engine killed in the middle of a reply, closed, or asleep. */
import type { Page } from 'playwright';
import { afterEach, describe, expect } from 'vitest';
import { pill } from './fault-steps';
import { thorough } from '../support/matrix';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
afterEach(() => site.close());

/** Whether this tab has an engine, which holds a lock. */
function hasEngine(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    navigator.locks.request(`who ${crypto.randomUUID()}`, async (own) => {
      const { held = [] } = await navigator.locks.query();
      const self = held.find((lock) => lock.name === own?.name)?.clientId;
      return held.some((lock) => lock.clientId === self && lock.name?.startsWith('engine:'));
    }),
  );
}

async function holderOf(pages: readonly Page[]): Promise<Page> {
  let holder: Page | undefined;
  const count = async () => {
    const holders = await Promise.all(pages.map(hasEngine));
    holder = pages[holders.indexOf(true)];
    return holders.filter(Boolean).length;
  };
  await expect.poll(count).toBe(1);
  return holder!;
}

async function openTabs(count: number, folder: string): Promise<Page[]> {
  site = await openSite({ folder });
  const pages = [site.page];
  while (pages.length < count) pages.push(await site.openTab());
  for (const page of pages) await expect.poll(() => pill(page)).toContain('ready');
  return pages;
}

/** Kills it as the system does, without any notice. */
async function kill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // A killed tab does not respond.
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}

const words = 120;
const long = `script 10\nword {{repeat ${words}}}END`;
const countWords = (text: string) => text.match(/\bword\b/g)?.length ?? 0;
const wordsIn = async (page: Page) => countWords(await lastReply(page).innerText());

/** Waits for the middle of the tab's reply. False if the reply is over. The page watches, because from here we would notice too late. */
function seesMiddle(page: Page): Promise<boolean> {
  return page.evaluate(
    (most) =>
      new Promise<boolean>((resolve) => {
        const timer = setInterval(() => {
          const text = [...document.querySelectorAll('article')].at(-1)?.innerText ?? '';
          const count = text.match(/\bword\b/g)?.length ?? 0;
          if (count < 4) return;
          clearInterval(timer);
          resolve(count <= most);
        }, 10);
      }),
    words / 2,
  );
}

/** Waits until one of these tabs is in the middle of its reply. Tabs with an answer ask again, so that there is always one to interrupt. */
async function isCut(pages: readonly Page[]): Promise<void> {
  let isSeen = false;
  const asked: Promise<void>[] = [];
  const watch = async (page: Page) => {
    while (!(await seesMiddle(page))) {
      await isAnswered(page);
      if (isSeen) return;
      asked.push(ask(page, long));
      await asked.at(-1);
    }
  };
  await Promise.any(pages.map(watch));
  isSeen = true;
  await Promise.all(asked);
}

/** Checks that the tab has its whole answer and no word twice, on the screen and in the database. */
async function isAnswered(page: Page, count = words): Promise<void> {
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('END');
  expect(await wordsIn(page)).toBe(count);
  const { messages = '[]' } = await dumpDatabase(page);
  const rows = JSON.parse(messages) as { chatId: string; message: { role: string } }[];
  const chatId = new URL(page.url()).hash.split('/').at(-1);
  const replies = rows.filter((row) => row.chatId === chatId && row.message.role === 'assistant');
  const turns = rows.filter((row) => row.chatId === chatId && row.message.role === 'user');
  // The content has the displayed text; the model's raw text is stored separately.
  const said = replies.map(({ message }) => JSON.stringify((message as { content?: unknown }).content));
  expect(countWords(said.join())).toBe(count * turns.length);
}

thorough('a single engine answers five tabs one after another', async () => {
  const pages = await openTabs(5, 'dist-e2e');
  await Promise.all(pages.map((page) => ask(page, long)));
  for (const page of pages) await isAnswered(page);
  expect((await Promise.all(pages.map(hasEngine))).filter(Boolean)).toHaveLength(1);
});

thorough('a tab that waits for the engine says so, and Stop ends only its own reply', async () => {
  const pages = await openTabs(3, 'dist-e2e');
  const [one, other, third] = pages as [Page, Page, Page];
  // Longer than any test, so only Stop ends it.
  await ask(one, 'script 1000\nword {{repeat 1000}}END');
  await lastReply(one).getByText('word').waitFor();
  for (const page of [other, third]) await ask(page, long);
  const waits = (page: Page) => page.getByText('answers in another tab first');
  for (const page of [other, third]) await waits(page).waitFor();
  await third.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(third);
  await waits(other).waitFor();
  await one.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(one);
  await isAnswered(other);
});

const ends: Record<string, (holder: Page) => Promise<void>> = {
  killed: kill,
  closed: (holder) => holder.close(),
};
// Killed 20 times.
const rounds = Array.from({ length: 5 }, (_, round) => [
  `killed, round ${round + 1}`,
  ...(round === 0 ? ['closed'] : []),
]).flat();

describe('five tabs that share one engine', () => {
  thorough.for(rounds)(
    'the last tab still gets its answer after the other four are lost one by one: tab %s',
    async (round) => {
      let pages = await openTabs(5, 'dist-e2e');
      await Promise.all(pages.map((page) => ask(page, long)));
      for (let ended = 0; ended < 4; ended++) {
        const holder = await holderOf(pages);
        pages = pages.filter((page) => page !== holder);
        await isCut(pages);
        await ends[round.split(',')[0] ?? '']!(holder);
      }
      for (const page of pages) await isAnswered(page);
    },
  );
});

thorough(
  "a sleeping tab loses its engine to another tab and uses that tab's engine after waking",
  async () => {
    const pages = await openTabs(3, 'dist-e2e');
    const holder = await holderOf(pages);
    const [one, other] = pages.filter((page) => page !== holder) as [Page, Page];
    // Long enough for everything else to happen during it.
    const most = 1000;
    await ask(one, `script 5\nword {{repeat ${most}}}END`);
    await lastReply(one).getByText('word').waitFor();
    for (const page of [other, holder]) {
      await ask(page, long);
      await page.getByText('answers in another tab first').waitFor();
    }
    // A headless browser puts no tab to sleep, so we block the tab's thread with all its messages. We do not block it during a write, when browsers let
    // no tab sleep, because all others would wait for its transaction. While it is queued it writes nothing.
    const session = await holder.context().newCDPSession(holder);
    await session.send('Debugger.enable');
    await session.send('Debugger.pause');
    await isAnswered(one, most);
    await isAnswered(other);
    await holderOf([one, other]);
    await session.send('Debugger.resume');
    await isAnswered(holder);
    expect(await hasEngine(holder)).toBe(false);
  },
);

thorough(
  'the built-in model Ember still answers the other tabs after the tab with the engine is killed',
  async () => {
    let pages = await openTabs(5, 'dist');
    for (const end of Object.values(ends)) {
      const holder = await holderOf(pages);
      pages = pages.filter((page) => page !== holder);
      await Promise.all(pages.map((page, at) => ask(page, `What is ${17 + at} * 23?`)));
      await end(holder);
      for (const [at, page] of pages.entries()) {
        await turnEnds(page);
        const sum = `${17 + at}*23 = ${(17 + at) * 23}`;
        await expect.poll(() => lastReply(page).innerText()).toContain(sum);
        const answer = (await lastReply(page).locator('p').allInnerTexts()).join('\n');
        expect(answer.split(sum)).toHaveLength(2);
      }
    }
    expect((await Promise.all(pages.map(hasEngine))).filter(Boolean)).toHaveLength(1);
  },
);

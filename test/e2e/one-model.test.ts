/** One model for all tabs: asked at once, the tab that has the engine killed in the middle of a reply, closed, asleep. */
import type { Page } from 'playwright';
import { afterEach, describe, expect, test } from 'vitest';
import { pill } from './fault-steps';
import { everyNth, takesAll } from './matrix';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
afterEach(() => site.close());

/** Whether this tab has an engine: it holds its lock. */
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
  await expect
    .poll(async () => {
      const holders = await Promise.all(pages.map(hasEngine));
      holder = pages[holders.indexOf(true)];
      return holders.filter(Boolean).length;
    })
    .toBe(1);
  return holder!;
}

async function openTabs(count: number): Promise<Page[]> {
  const pages = [site.page];
  while (pages.length < count) pages.push(await site.openTab());
  for (const page of pages) await expect.poll(() => pill(page)).toContain('ready');
  return pages;
}

/** As the system does it: no goodbye. */
async function kill(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => undefined);
  await crashed;
}

const wordsIn = async (page: Page) => (await lastReply(page).innerText()).match(/word/g)?.length ?? 0;

/** Text of replies, those that went on joined, in the database. */
async function storedWords(page: Page): Promise<Record<string, number>> {
  const { messages = '[]' } = await dumpDatabase(page);
  const rows = JSON.parse(messages) as {
    chatId: string;
    message: { role: string; content: { type: string; text?: string }[] };
  }[];
  const counts: Record<string, number> = {};
  for (const { chatId, message } of rows) {
    if (message.role !== 'assistant') continue;
    const text = message.content.map((part) => part.text ?? '').join('');
    counts[chatId] = (counts[chatId] ?? 0) + (text.match(/word/g)?.length ?? 0);
  }
  return counts;
}

const long = 'script 10\nword {{repeat 120}}END';

test('five tabs asked at once are answered one after another by one engine', async () => {
  site = await openSite({ folder: 'dist-e2e' });
  const pages = await openTabs(5);
  await holderOf(pages);
  await Promise.all(pages.map((page) => ask(page, 'script 5\nword {{repeat 30}}END')));
  for (const page of pages) {
    await turnEnds(page);
    expect(await wordsIn(page)).toBe(30);
  }
  expect((await Promise.all(pages.map(hasEngine))).filter(Boolean)).toHaveLength(1);
});

describe('the tab that has the engine is killed in the middle of a reply', () => {
  test.for(
    everyNth(
      takesAll ? 1 : 4,
      Array.from({ length: 4 }, (_, at) => at + 1),
    ),
  )('%i', async () => {
    site = await openSite({ folder: 'dist-e2e' });
    let pages = await openTabs(5);
    await Promise.all(pages.map((page) => ask(page, long)));
    while (pages.length > 1) {
      const holder = await holderOf(pages);
      const others = pages.filter((page) => page !== holder);
      let t = Date.now();
      await expect
        .poll(
          async () => {
            const counts = await Promise.all(others.map(wordsIn));
            return counts.some((count) => count > 5 && count < 110);
          },
          { timeout: 20000, interval: 20 },
        )
        .toBe(true);
      console.log('kill', pages.indexOf(holder), await Promise.all(others.map(wordsIn)), Date.now() - t);
      await kill(holder);
      pages = others;
      if (pages.length === 2) break;
    }
    for (const page of pages) {
      await turnEnds(page);
      await expect.poll(() => lastReply(page).innerText()).toContain('END');
      console.log(await lastReply(page).innerText());
      expect(await wordsIn(page)).toBe(120);
    }
    console.log(await storedWords(pages[0]!));
  });
});

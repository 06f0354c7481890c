/** The web as a model sees it: search, pages, failures and the cache, with servers that replace the outside. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { thorough } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { sendJson } from './outside-answers';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
});
afterAll(() => outside.close());
beforeEach(async () => {
  outside.forget();
  serveWikipedia();
  site = await openSite({ folder: 'dist-e2e', outside });
});
afterEach(() => site.close());

const story = 'https://pages.example.com/story';
const call = (name: string, input: unknown) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;
const fetchPage = (url: string) => call('fetch_page', { url });

function serveWikipedia() {
  outside.serve('en.wikipedia.org', (_request, response) => {
    const extract = 'The lighthouse of Ar stands on a rock.';
    const page = { pageid: 1, ns: 0, index: 1, title: 'Lighthouse of Ar', extract, fullurl: story };
    sendJson(response, { batchcomplete: true, query: { pages: [page] } });
  });
}

/** Allows every question until the turn is over. Resolves to the number of questions. */
async function allowAll(page: Page): Promise<number> {
  let asked = 0;
  const over = turnEnds(page).then(() => 'over' as const);
  const button = page.getByRole('dialog').getByRole('button', { name: 'Allow once' });
  for (;;) {
    const next = await Promise.race([
      over,
      button.waitFor({ timeout: 30_000 }).then(
        () => 'asked' as const,
        () => 'over' as const,
      ),
    ]);
    if (next === 'over') return asked;
    await button.click();
    await button.waitFor({ state: 'hidden' });
    asked++;
  }
}

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('group', { name: 'Wikipedia' }).waitFor();
}

const asked = (host: string) => outside.requests.filter((request) => request.host === host);
const results = (page: Page) => lastReply(page).getByLabel('Result').allTextContents();

describe('one turn with web tools', () => {
  test('searches, reads a result and answers from it', async () => {
    const { page } = site;
    const search = call('web_search', { query: 'lighthouse of Ar' });
    await ask(page, `script\n${search}\n---\n${fetchPage(story)}\n---\nAs I read: {{result}}`);
    expect(await allowAll(page)).toBeGreaterThan(0);
    const [found, read] = await results(page);
    expect(found).toBe(`1. Lighthouse of Ar\n${story}\nThe lighthouse of Ar stands on a rock.`);
    expect(read).toMatch(/^title: The lighthouse of Ar\nThe lighthouse of Ar was built in 1887/);
    expect(read).not.toContain('Footer');
    await expect.poll(() => lastReply(page).innerText()).toMatch(/As I read:[^]*museum of tides/);
    const [request] = asked('en.wikipedia.org');
    expect(request?.path).toContain('gsrsearch=lighthouse+of+Ar&gsrlimit=3');
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(request?.headers).not.toHaveProperty('referer');
  });

  thorough('reads two pages in parallel', async () => {
    const { page } = site;
    // Neither is answered before both were requested. Sequential requests would wait forever.
    const waiting: (() => void)[] = [];
    for (const host of ['one.example.com', 'two.example.com']) {
      outside.serve(host, (_request, response) => {
        waiting.push(() => response.writeHead(200, { 'content-type': 'text/plain' }).end(`I am ${host}`));
        if (waiting.length === 2) for (const answer of waiting) answer();
      });
    }
    await ask(
      page,
      `script\n${fetchPage('https://one.example.com/')}${fetchPage('https://two.example.com/')}\n---\nDone.`,
    );
    await allowAll(page);
    expect(await results(page)).toEqual(['I am one.example.com', 'I am two.example.com']);
    expect(asked('one.example.com')).toHaveLength(1);
  });

  thorough('waits for a busy server and tries again', async () => {
    const { page } = site;
    await ask(page, `script\n${fetchPage('https://busy.example.com/once')}\n---\nDone.`);
    await allowAll(page);
    expect((await results(page))[0]).toContain('lighthouse of Ar');
    expect(asked('busy.example.com')).toHaveLength(2);
  });

  thorough('fails at once offline, but the calculator still works', async () => {
    await site.close();
    site = await openSite({ folder: 'dist-e2e', outside, hasServiceWorker: true });
    const { page, context } = site;
    // The model, the store and the tools have loaded before the network is cut.
    await ask(page, 'Hello');
    await turnEnds(page);
    await isOfflineReady(page);
    await context.setOffline(true);
    const calls =
      call('web_search', { query: 'x' }) + fetchPage(story) + call('calculator', { expression: '6*7' });
    await ask(page, `script\n${calls}\n---\nDone.`);
    // There is no question if nothing can be sent.
    expect(await allowAll(page)).toBe(0);
    const [search, read, sum] = await results(page);
    expect(search).toMatch(/offline/);
    expect(read).toMatch(/offline/);
    expect(sum).toBe('42');
    expect(outside.requests).toEqual([]);
  });

  thorough('requests a recently read page again only if the user asks', async () => {
    const { page } = site;
    const question = `script\n${fetchPage(story)}\n---\nDone.`;
    await ask(page, question);
    await allowAll(page);
    await ask(page, question);
    await allowAll(page);
    const card = lastReply(page).getByRole('group', { name: /^fetch_page/ });
    await expect.poll(() => card.innerText()).toMatch(/Kept from an earlier call, \d+ seconds? old\./);
    expect(asked('pages.example.com')).toHaveLength(1);
    await card.getByRole('button', { name: 'Again' }).click();
    await allowAll(page);
    expect(await card.textContent()).not.toContain('Kept');
    expect(asked('pages.example.com')).toHaveLength(2);
  });
});

describe('search providers', () => {
  const key = 'tvly-CANARY-4711';

  thorough("a provider's API key can be set and tested, and is shown nowhere", async () => {
    const { page } = site;
    outside.serve('api.tavily.com', (request, response) => {
      const isKnown = request.headers['authorization'] === `Bearer ${key}`;
      const hit = {
        title: 'Tides',
        url: 'https://tides.example.com/',
        content: 'High at noon.',
        score: 0.87,
      };
      sendJson(
        response,
        isKnown ? { answer: null, results: [hit] } : { detail: 'bad key' },
        isKnown ? 200 : 401,
      );
    });
    await openSettings(page);
    const tavily = page.getByRole('group', { name: 'Tavily' });
    await tavily.getByLabel('Key').fill('wrong');
    await tavily.getByRole('switch', { name: 'Use it' }).click();
    await tavily.getByRole('button', { name: 'Try it' }).click();
    await tavily.getByText(/Tavily did not answer: it answered 401/).waitFor();
    await tavily.getByLabel('Key').fill(key);
    await tavily.getByRole('button', { name: 'Try it' }).click();
    await tavily.getByText('It works: 1 result.').waitFor();
    await page.getByRole('group', { name: 'Wikipedia' }).getByRole('switch', { name: 'Use it' }).click();

    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, `script\n${call('web_search', { query: 'tides' })}\n---\n{{result}}`);
    await allowAll(page);
    expect(await results(page)).toEqual(['1. Tides\nhttps://tides.example.com/\nHigh at noon.\nscore: 0.87']);
    expect(asked('en.wikipedia.org')).toEqual([]);
    const last = asked('api.tavily.com').findLast(({ method }) => method === 'POST');
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      query: 'tides',
      search_depth: 'basic',
      max_results: 3,
    });
    expect(await page.locator('body').textContent()).not.toContain(key);
    await page.reload();
    await openSettings(page);
    expect(await page.locator('body').textContent()).not.toContain(key);
    expect(await tavily.getByLabel('Key').getAttribute('type')).toBe('password');
    expect(await tavily.getByLabel('Key').inputValue()).toBe(key);
    site.expectErrors(/401/);
  });

  thorough('a failing search provider is skipped and named in the result', async () => {
    const { page } = site;
    outside.serve('search.example.com', (_request, response) => sendJson(response, {}, 418));
    await openSettings(page);
    const searxng = page.getByRole('group', { name: 'SearXNG' });
    await searxng.getByLabel('URL').fill('https://search.example.com');
    await searxng.getByRole('switch', { name: 'Use it' }).click();
    await page.getByRole('button', { name: 'New chat' }).click();
    await ask(page, `script\n${call('web_search', { query: 'Ar' })}\n---\nDone.`);
    await allowAll(page);
    const [found] = await results(page);
    expect(found).toMatch(/^1\. Lighthouse of Ar\n/);
    expect(found).toContain('SearXNG did not answer: it answered 418');
    expect(asked('search.example.com')[0]?.path).toMatch(/^\/search\?q=Ar&format=json/);
    site.expectErrors(/418/);
  });

  thorough(
    'with "Search before the model answers" on, a question that needs the web triggers a search first',
    async () => {
      const { page } = site;
      await openSettings(page);
      await page.getByRole('switch', { name: 'Search before the model answers' }).click();
      await page.getByRole('button', { name: 'New chat' }).click();
      await ask(page, 'Search for the lighthouse of Ar');
      await allowAll(page);
      const cards = lastReply(page).getByRole('group', { name: /^web_search/ });
      expect(JSON.parse((await cards.getByLabel('Arguments').textContent()) ?? '')).toEqual({
        query: 'the lighthouse of Ar',
      });
      await expect
        .poll(() => lastReply(page).innerText())
        .toContain('You said: Search for the lighthouse of Ar');
      await page.getByText(/was searched for before/).waitFor();
      await page.reload();
      await expect.poll(async () => (await results(page))[0]).toContain('stands on a rock');

      await ask(page, 'What is a lighthouse?');
      await turnEnds(page);
      expect(await lastReply(page).getByRole('group').count()).toBe(0);
    },
  );
});

thorough('the Tools screen shows statistics for each tool', async () => {
  const { page } = site;
  await ask(
    page,
    `script\n${call('calculator', { expression: '6*7' })}${call('calculator', { expression: '1/0' })}\n---\nDone.`,
  );
  await allowAll(page);
  await page.getByRole('link', { name: 'Tools' }).click();
  const tool = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await expect.poll(() => tool('calculator').innerText()).toMatch(/2 calls, 1 failed, .* on average/);
  await expect.poll(() => tool('web_search').innerText()).toMatch(/Not used yet/);
  await page.reload();
  await expect.poll(() => tool('calculator').innerText()).toMatch(/2 calls, 1 failed/);
});

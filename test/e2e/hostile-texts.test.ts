/** Hostile answers in the built app: nothing runs, nothing is requested, and nothing blocks the page. A picture is fetched only after a click. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freezeMs, watchTasks } from '../../scripts/page-tasks.js';
import { hostileTexts } from '../support/hostile-texts';
import { takesAll, slow } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  site = await openSite({ folder: 'dist-e2e', outside });
});
afterAll(async () => {
  await site.close();
  outside.close();
});

/** Some share an answer; text that opens a block without closing it comes last. */
const opensBlock = (text: string) => /```|^ {4}|<!--|<!\[CDATA/.test(text);
const answers = takesAll
  ? hostileTexts
  : [
      hostileTexts.filter((text) => !opensBlock(text)).join('\n\n'),
      ...hostileTexts.filter(opensBlock).filter((_, place) => place % 2 === 0),
    ];

async function answer(text: string): Promise<void> {
  await ask(site.page, `script\n${text}`);
  await turnEnds(site.page);
}

slow(
  'a hostile answer runs no code, sends no request and never blocks the page',
  async () => {
    const { page, context } = site;
    await page.waitForFunction(() => document.querySelector('main textarea') !== null);
    // Loads the code first, so that it is not measured.
    await answer('**Warm**');
    outside.forget();
    const tabs = context.pages().length;
    const stop = await watchTasks(context.browser());
    for (const text of answers) await answer(text);
    const heldUpMs = await stop();
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(outside.requests.map(({ host }) => host)).toEqual([]);
    expect(context.pages()).toHaveLength(tabs);
    expect(page.url()).toContain(site.url);
    expect(heldUpMs).toBeLessThan(freezeMs);
    console.info(`hostile texts: the longest task of the page took ${heldUpMs.toFixed(0)} ms`);
  },
  600_000,
);

test('a picture in an answer is fetched only after a click, and only through the network worker', async () => {
  const { page } = site;
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
    'base64',
  );
  outside.serve('pictures.example.org', ({ path }, response) => {
    const isPicture = path.startsWith('/dot');
    response.writeHead(200, { 'content-type': isPicture ? 'image/png' : 'image/png; charset=x' });
    response.end(isPicture ? pixel : '<svg xmlns="http://www.w3.org/2000/svg" onload="window.pwned=1"/>');
  });
  outside.forget();
  await answer(
    '![a dot](https://pictures.example.org/dot.png) ![no dot](https://pictures.example.org/svg.png) ![near](https://192.168.1.1/x.png)',
  );
  const reply = lastReply(page);
  const show = (host: string) => reply.getByRole('button', { name: `Show the picture from ${host}` });
  await expect.poll(() => show('pictures.example.org').count()).toBe(2);
  expect(outside.requests).toEqual([]);

  await show('pictures.example.org').first().click();
  const picture = reply.getByRole('img', { name: 'a dot' });
  await picture.waitFor();
  expect(await picture.getAttribute('src')).toMatch(/^blob:/);
  expect(outside.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /dot.png']);
  expect(outside.requests[0]?.headers['cookie']).toBeUndefined();
  expect(outside.requests[0]?.headers['referer']).toBeUndefined();

  await show('pictures.example.org').click();
  await reply.getByText('What came is no PNG, JPEG, GIF or WebP picture').waitFor();
  await show('192.168.1.1').click();
  await reply.getByText('over https from the public internet alone').waitFor();
  expect(outside.requests).toHaveLength(2);
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
});

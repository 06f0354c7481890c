/** Two tabs, a newer database, a truncated one, a new version of the app: each ends in a defined state. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { headlinesOf } from '../../scripts/changelog-headlines.js';
import { begin, choose, large, notices, pill, small } from './fault-steps';
import { thorough, slow } from '../support/matrix';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let site: Site;
afterEach(() => site.close());

/** Navigates to a page of the same origin that is not the app, which closes the database. */
async function leave(): Promise<void> {
  await site.page.goto(`${site.url}icon.svg`);
  // Chromium requests a favicon for the icon page.
  site.expectErrors(/404/);
}

slow('a chat is answered in only one tab at a time, and other tabs show the answer', async () => {
  site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  await ask(page, 'hello');
  await turnEnds(page);
  const other = await site.openTab();
  await other.getByRole('list', { name: 'Chats' }).getByRole('link').first().click();
  await lastReply(other).waitFor();

  // It continues until it is stopped, however long the other tab takes.
  await ask(page, 'script 10\nword {{repeat 3000}}');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.waitFor();
  await page.waitForTimeout(300);
  await ask(other, 'me too');
  await expect.poll(() => other.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('me too');
  await expect.poll(() => other.getByText(/another tab/).count()).toBeGreaterThan(0);

  await stop.click();
  await turnEnds(page);
  await expect.poll(() => lastReply(other).innerText()).toContain('You stopped this answer.');
});

thorough('a database from a newer version of Hearth is left unchanged, with a notice', async () => {
  site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  await ask(page, 'script\nWell.');
  await turnEnds(page);
  await leave();
  const version = await page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const request = indexedDB.open('hearth', 9990);
        request.onsuccess = () => {
          resolve(request.result.version);
          request.result.close();
        };
        request.onerror = () => reject(new Error(request.error?.message));
      }),
  );
  expect(version).toBe(9990);
  await page.goto(site.url);
  await expect.poll(() => page.getByText(/newer version|newer Hearth/i).count()).toBeGreaterThan(0);
  await ask(page, 'script\nAnd here.');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('And here.');
});

thorough('if messages are lost from the database, their number is reported', async () => {
  site = await openSite();
  const { page } = site;
  await ask(page, 'What is 17 * 23?');
  await turnEnds(page);
  await leave();
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('hearth');
        request.onsuccess = () => {
          const transaction = request.result.transaction('messages', 'readwrite');
          transaction.objectStore('messages').clear();
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
        request.onerror = () => reject(new Error(request.error?.message));
      }),
  );
  await page.goto(site.url);
  await expect.poll(() => page.getByText(/less than Hearth had stored: 0 of/).count()).toBeGreaterThan(0);
});

test('an answer that does not fit on the disk stays on the screen and is saved later', async () => {
  site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  await ask(page, 'hello');
  await turnEnds(page);
  // Filling a real quota takes megabytes, as in test/ui/store.test.ts. Here the database only claims to be full.
  await page.evaluate(() => {
    const store = IDBObjectStore.prototype;
    const put = Object.getOwnPropertyDescriptor(store, 'put') ?? {};
    const full = () => {
      throw new DOMException('The disk is full.', 'QuotaExceededError');
    };
    Object.defineProperty(store, 'put', { ...put, value: full });
    addEventListener('room', () => Object.defineProperty(store, 'put', put));
  });
  await ask(page, 'Are you still there?');
  await turnEnds(page);
  await expect.poll(() => page.getByText('Not everything on this screen is stored').count()).toBe(1);
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: Are you still there?');

  await page.evaluate(() => dispatchEvent(new Event('room')));
  await page.getByRole('button', { name: 'Store it now' }).click();
  await expect.poll(() => page.getByText('Not everything on this screen is stored').count()).toBe(0);
  await page.reload();
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: Are you still there?');
});

/** Makes the service worker wait for a file that never arrives. Until then, no other worker can replace it. */
async function hangOn(path: string): Promise<void> {
  let isAsked = false;
  await site.context.route(`**/${path}`, () => void (isAsked = true));
  // eslint-disable-next-line no-restricted-globals -- the service worker takes it, and the network is ours.
  await site.page.evaluate((path) => void fetch(path).catch(() => undefined), path);
  await expect.poll(() => isAsked).toBe(true);
}

// On a busy machine, the old worker may respond so late that Chromium waits until it has been idle for 30 s.
const patient = { timeout: 120_000 };

slow('a new version of Hearth takes over only when the user asks for it', patient, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
  await cp('dist-e2e', folder, { recursive: true });
  site = await openSite({ folder, hasServiceWorker: true });
  const { page } = site;
  await isOfflineReady(page);
  await page.reload();
  const worker = join(folder, 'service-worker.js');
  // A headline that the code contains unchanged, whatever quotes it uses.
  const headlines = headlinesOf(await readFile('CHANGELOG.md', 'utf8'));
  const known = headlines.find((headline) => /^[\w ]+$/.test(headline)) ?? '';
  const written = await readFile(worker, 'utf8');
  const newer = written.replace(known, 'Lamps are lit by themselves');
  expect(newer).not.toBe(written);
  await writeFile(worker, newer);
  await page.reload();

  const update = page.getByRole('button', { name: 'Update now' });
  await update.waitFor();
  const notice = page.getByRole('status').filter({ has: update });
  expect(await notice.getByRole('listitem').allInnerTexts()).toEqual(['Lamps are lit by themselves']);
  await ask(page, 'script 10\nword {{repeat 3000}}');
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.waitFor();
  expect(await update.isDisabled()).toBe(true);
  await expect.poll(() => lastReply(page).innerText()).toContain('word');
  await stop.click();
  await turnEnds(page);
  await hangOn('assets/web-llm-hung.js');
  // The old worker is ended for the update.
  site.expectErrors(/ERR_FAILED/);
  await update.click();
  await update.waitFor({ state: 'hidden', timeout: 60_000 });
  await expect.poll(() => lastReply(page).innerText()).toContain('word');
  await rm(folder, { recursive: true });
});

thorough('a second tab uses the GPU model of the first tab and loads it when that tab closes', async () => {
  site = await begin('dist-e2e', [large], {});
  const { page } = site;
  const running = 'Qwen 3 4B · on this GPU · ready';
  await expect.poll(() => pill(page)).toBe(running);
  const other = await site.openTab();
  await expect.poll(() => pill(other)).toBe(running);
  const answers = async (count: number) => {
    await ask(other, 'What is 17 * 23?');
    await turnEnds(other);
    await expect.poll(() => lastReply(other).innerText()).toContain(`${large} answers.`);
    expect(await other.getByRole('article', { name: 'Hearth' }).count()).toBe(count);
  };
  await answers(1);
  await page.close();
  await answers(2);
  expect(await pill(other)).toMatch(/^Qwen 3 4B · on this GPU/);
  expect(await notices(other)).toBe('');
});

thorough('a second tab loads a different GPU model only if the user asks for it', async () => {
  site = await begin('dist-e2e', [large, small], {});
  const { page } = site;
  await expect.poll(() => pill(page)).toContain('ready');
  const other = await site.openTab();
  await choose(other, small);
  await expect.poll(() => notices(other)).toMatch(/another tab has a model on the graphics chip/);
  expect(await pill(other)).toContain('did not start');
  await ask(other, 'What is 17 * 23?');
  await turnEnds(other);
  await expect.poll(() => lastReply(other).innerText()).toContain('Your question is kept.');
  await other.getByRole('button', { name: 'Use it here too' }).first().click();
  await expect.poll(() => lastReply(other).innerText()).toContain(`${small} answers.`);
  expect(await pill(page)).toMatch(/^Qwen 3 4B/);
});

/** The browser is killed while a file is being written, read in or taken over: all of it is there afterwards, or nothing. */
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { choose, exportAll, openBackup, previewOf } from './backup-steps';
import { takesAll } from './matrix';
import { databaseIsMade, openSite, type Site } from './site';

const messages = 4000;
/** Milliseconds from the press to the kill: from its beginning to after its end. */
const delays = Array.from({ length: 25 }, (_, round) => round * 100);

let site: Site;
let file: { name: string; bytes: Buffer };

/** Messages of one chat, written past the app. */
async function writeMessages(page: Page, count: number): Promise<void> {
  await page.evaluate(async (total) => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const transaction = open.result.transaction(['chats', 'messages', 'tally'], 'readwrite');
    const chat = { id: 'big', title: 'Big', isNamed: true, createdAt: 1, updatedAt: 1, toolsOff: [] };
    transaction.objectStore('chats').put({ ...chat, leafId: `m${total - 1}` });
    for (let place = 0; place < total; place++) {
      transaction.objectStore('messages').put({
        ...{
          id: `m${place}`,
          chatId: 'big',
          parentId: place === 0 ? null : `m${place - 1}`,
          createdAt: place,
        },
        ...{ depth: place, turnEnd: 'stopped' },
        message: { role: 'user', content: [{ type: 'text', text: `Message ${place} ${'x'.repeat(300)}` }] },
      });
    }
    transaction.objectStore('tally').put({ id: 'messages', written: total, deleted: 0 });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    open.result.close();
  }, count);
}

async function counts(page: Page): Promise<{ messages: number; chats: number }> {
  return page.evaluate(async () => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const countOf = async (name: string) => {
      const request = open.result.transaction(name).objectStore(name).count();
      await new Promise((resolve) => (request.onsuccess = resolve));
      return request.result;
    };
    const counted = { messages: await countOf('messages'), chats: await countOf('chats') };
    open.result.close();
    return counted;
  });
}

async function reopened(): Promise<Page> {
  const page = await site.killAndReopen();
  await databaseIsMade(page);
  return page;
}

describe.runIf(takesAll)('killed', () => {
  beforeEach(async () => {
    const source = await openSite({ folder: 'dist-e2e' });
    await databaseIsMade(source.page);
    await writeMessages(source.page, messages);
    await openBackup(source.page);
    file = await exportAll(source.page);
    await source.close();
    site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
    await databaseIsMade(site.page);
  });
  afterEach(() => site.close());

  test('while it takes over what was read, it has all of it or nothing, and what was read is offered again', async () => {
    let taken = 0;
    for (const delay of delays) {
      let { page } = site;
      await openBackup(page);
      await choose(page, file.name, file.bytes);
      await previewOf(page).getByRole('button', { name: 'Merge' }).click();
      await page.waitForTimeout(delay);
      page = await reopened();
      const found = await counts(page);
      expect([0, messages]).toContain(found.messages);
      expect(found.chats).toBe(found.messages === 0 ? 0 : 1);
      const offered = await staged(page);
      expect(found.messages === 0 ? [messages] : [0, messages]).toContain(offered);
      if (offered > 0) await letGo(page);
      if (found.messages === 0) continue;
      taken++;
      await empty(page);
    }
    // The kills came before its end and after it.
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(delays.length);
  }, 1_200_000);

  test('while it reads a file, it has nothing of it, and offers nothing that is not whole', async () => {
    for (const delay of delays) {
      let { page } = site;
      await openBackup(page);
      await choose(page, file.name, file.bytes);
      await page.waitForTimeout(delay);
      page = await reopened();
      expect(await counts(page)).toEqual({ messages: 0, chats: 0 });
      const offered = await staged(page);
      expect([0, messages]).toContain(offered);
      if (offered > 0) await letGo(page);
    }
  }, 1_200_000);
});

/** Messages that were read in and count as whole; 0 where nothing does. */
async function staged(page: Page): Promise<number> {
  return page.evaluate(async () => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'hearth-import')) return 0;
    const open = indexedDB.open('hearth-import');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const all = async (name: string) => {
      const request = open.result.transaction(name).objectStore(name).getAll();
      await new Promise((resolve) => (request.onsuccess = resolve));
      return request.result as { table?: string; rows?: unknown[] }[];
    };
    const isWhole = (await all('staged')).length > 0;
    const batches = (await all('batches')).filter(({ table }) => table === 'messages');
    open.result.close();
    return isWhole ? batches.reduce((sum, { rows = [] }) => sum + rows.length, 0) : 0;
  });
}

/** What was read by an earlier visit is offered, and let go. */
async function letGo(page: Page): Promise<void> {
  await page.goto(`${page.url().split('#')[0] ?? ''}#/settings/backup`);
  await previewOf(page)
    .getByRole('row', { name: `Messages ${messages.toLocaleString('en')} ` })
    .waitFor();
  await previewOf(page).getByRole('button', { name: 'Cancel' }).click();
  await previewOf(page).waitFor({ state: 'hidden' });
}

async function empty(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const transaction = open.result.transaction(['chats', 'messages', 'tally'], 'readwrite');
    for (const name of ['chats', 'messages', 'tally']) transaction.objectStore(name).clear();
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    open.result.close();
    localStorage.clear();
  });
}

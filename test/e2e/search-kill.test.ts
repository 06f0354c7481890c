/** The browser is killed while the search index is being built: what is written is whole, and the next visit indexes the rest. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { thorough } from '../support/matrix';
import { databaseIsMade, openSite, type Site } from './site';

const chatsARound = 6;
const messagesAChat = 60;

let site: Site;
beforeAll(async () => {
  site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
  await databaseIsMade(site.page);
});
afterAll(() => site.close());

/** Adds new chats, each with a unique word, and deletes those of the round before the last. */
async function changeChats(page: Page, round: number): Promise<void> {
  await page.evaluate(
    async ([round, chats, messages]) => {
      const open = indexedDB.open('hearth');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const change = open.result.transaction(['chats', 'messages'], 'readwrite');
      const tables = { chats: change.objectStore('chats'), messages: change.objectStore('messages') };
      const idsOf = (of: number, chat: number) =>
        Array.from({ length: messages + 1 }, (_, at) => `round${of}-chat${chat}-${at}`);
      for (let chat = 0; chat < chats; chat++) {
        for (const id of idsOf(round - 2, chat)) {
          tables.chats.delete(id);
          tables.messages.delete(id);
        }
        const [chatId = '', ...ids] = idsOf(round, chat);
        const now = Date.now();
        const record = {
          title: `Chat ${chat} of round ${round}`,
          isNamed: true,
          createdAt: now,
          updatedAt: now,
        };
        tables.chats.put({ id: chatId, ...record, leafId: ids.at(-1), toolsOff: [] });
        for (const [at, id] of ids.entries()) {
          const words = Array.from({ length: 60 }, (_, place) => `w${(at * 7 + place * 13) % 997}`).join(' ');
          const content = [{ type: 'text', text: `zebra${round}x${chat} ${words}` }];
          const place = { id, chatId, parentId: ids[at - 1] ?? null, createdAt: now + at };
          tables.messages.put({ ...place, message: { role: 'user', content, origins: [{ door: 'typed' }] } });
        }
      }
      await new Promise((resolve) => (change.oncomplete = resolve));
      open.result.close();
    },
    [round, chatsARound, messagesAChat] as const,
  );
}

const focusBox = (page: Page) => page.getByRole('searchbox', { name: 'Search chats' }).focus();

/** Waits until the page writes the index. That may have happened already; such a round kills an idle page. */
const indexIsHeld = (page: Page) =>
  page.evaluate(async () => {
    for (let tries = 0; tries < 1000; tries++) {
      const { held = [] } = await navigator.locks.query();
      if (held.some(({ name }) => name === 'search-index')) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

/** Returns what is wrong with the index on the disk, and how many of the messages it contains. */
function lookAtIndex(page: Page): Promise<{ wrong: string[]; indexed: number; messages: number }> {
  return page.evaluate(async () => {
    const rowsOf = async (name: string, tables: string[]) => {
      // Opening a missing database without a version would create it.
      if (!(await indexedDB.databases()).some((database) => database.name === name))
        return tables.map(() => []);
      const open = indexedDB.open(name);
      await new Promise((resolve) => (open.onsuccess = resolve));
      if (!open.result.objectStoreNames.contains(tables[0] ?? '')) {
        open.result.close();
        return tables.map(() => []);
      }
      const reading = open.result.transaction(tables);
      const all = tables.map((table) => reading.objectStore(table).getAll());
      await new Promise((resolve) => (reading.oncomplete = resolve));
      open.result.close();
      return all.map(({ result }) => result as Record<string, unknown>[]);
    };
    const [segments = [], chunks = []] = await rowsOf('hearth-search', ['segments', 'chunks']);
    const [messages = []] = await rowsOf('hearth', ['messages']);
    const wrong: string[] = [];
    const seen = new Set<unknown>();
    for (const segment of segments) {
      const ids = segment['messageIds'] as string[];
      for (const id of ids) {
        if (seen.has(id)) wrong.push(`${id} is there twice`);
        seen.add(id);
      }
      const own = chunks.filter((chunk) => chunk['segment'] === segment['id']).length;
      if (own !== (segment['firsts'] as string[]).length)
        wrong.push(`segment ${String(segment['id'])} is not whole`);
    }
    const known = new Set(segments.map(({ id }) => id));
    if (chunks.some((chunk) => !known.has(chunk['segment']))) wrong.push('a chunk is of no segment');
    return { wrong, indexed: seen.size, messages: messages.length };
  });
}

/** `delay`: milliseconds after indexing has started. */
const rounds = Array.from({ length: 100 }, (_, round) => ({ round: round + 1, delay: (round % 25) * 20 }));

thorough(
  'killing the browser while the search index is built damages no segment, and the index repairs itself',
  { timeout: 3_000_000 },
  async () => {
    let unfinished = 0;
    for (const { round, delay } of rounds) {
      await changeChats(site.page, round);
      await site.page.reload();
      await focusBox(site.page);
      await indexIsHeld(site.page);
      await site.page.waitForTimeout(delay);
      const page = await site.killAndReopen();
      await databaseIsMade(page);
      const { wrong, indexed, messages } = await lookAtIndex(page);
      expect(wrong, `killed in round ${round}`).toEqual([]);
      if (indexed < messages) unfinished += 1;
    }
    console.log(`killed ${rounds.length} times, ${unfinished} of them with messages left to be read`);
    const { page } = site;
    const last = rounds.at(-1)?.round ?? 0;
    const kept = Math.min(2, rounds.length) * chatsARound * messagesAChat;
    await focusBox(page);
    const box = page.getByRole('searchbox', { name: 'Search chats' });
    await box.fill(`zebra${last}x3`);
    const hits = page.getByRole('list', { name: 'Results' }).getByRole('link');
    await expect.poll(() => hits.count(), { timeout: 60_000 }).toBeGreaterThan(0);
    await expect
      .poll(() => lookAtIndex(page), { timeout: 60_000 })
      .toEqual({ wrong: [], indexed: kept, messages: kept });
  },
);

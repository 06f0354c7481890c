/** Nothing of a temporary chat is written into any database, including what its tools did, those of a server and the tool search too. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  addServer,
  allowAddress,
  answerQuestion,
  askForCalls,
  isConnected,
  switchOn,
  turnIsOver,
} from '../../scripts/conformance/steps.js';
import { type EverythingServer, startEverything } from '../support/mcp/everything';
import { thorough } from '../support/matrix';
import { ask, dumpDatabase, openSite, type Site } from './site';

const name = 'Everything';

let server: EverythingServer;
let site: Site;
beforeAll(async () => {
  server = await startEverything();
  site = await openSite({ folder: 'dist-e2e' });
  site.expectErrors(/Failed to load resource|net::ERR/);
  await site.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await allowAddress(site.page, server.origin);
  await addServer(site.page, { url: server.url, name });
  await isConnected(site.page, name);
  await switchOn(site.page, name, 'echo');
});
afterAll(async () => {
  await site.close();
  await server.close();
});

/** Returns every row of every database of the page, as text. */
const dumpAll = (page: Page) =>
  page.evaluate(async () => {
    const dump: Record<string, string> = {};
    for (const { name: of = '' } of await indexedDB.databases()) {
      const open = indexedDB.open(of);
      await new Promise((resolve) => (open.onsuccess = resolve));
      for (const table of open.result.objectStoreNames) {
        const all = open.result.transaction(table).objectStore(table).getAll();
        await new Promise((resolve) => (all.onsuccess = resolve));
        dump[`${of}/${table}`] = JSON.stringify(all.result);
      }
      open.result.close();
    }
    return dump;
  });

/** Waits until pending writes are done. Traffic is written once a second. */
async function isWritten(page: Page): Promise<void> {
  let last = '';
  const isSame = async () => {
    const now = JSON.stringify(await dumpAll(page));
    return now === last || ((last = now), false);
  };
  await expect.poll(isSame, { interval: 1200, timeout: 20_000 }).toBe(true);
}

async function counted(page: Page) {
  const { mcpServers = '[]', toolIndex } = await dumpDatabase(page);
  const [kept] = JSON.parse(mcpServers) as { tally: { calls: number; sentBytes: number } }[];
  return { calls: kept?.tally.calls, sentBytes: kept?.tally.sentBytes ?? 0, hasIndex: toolIndex !== '[]' };
}

thorough('calls to a server tool are counted in normal chats but not in temporary ones', async () => {
  const { page } = site;
  // By then, the page has started the search index.
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('hush');
  await page.getByText('No chat has these words').first().waitFor();
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('');
  await expect.poll(async () => (await counted(page)).sentBytes).toBeGreaterThan(0);
  await isWritten(page);
  const before = await dumpAll(page);

  await page.getByRole('button', { name: 'Temporary chat' }).click();
  await page.getByRole('heading', { level: 1, name: 'Temporary chat' }).waitFor();
  const asked = { name: 'echo', arguments: { message: 'hush' } };
  await ask(page, `script\n<tool_call>${JSON.stringify(asked)}</tool_call>\n---\nDone.`);
  await answerQuestion(page);
  await turnIsOver(page);
  expect(await dumpAll(page)).toEqual(before);
  expect((await counted(page)).hasIndex).toBe(false);

  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await askForCalls(page, { tool: 'echo', input: { message: 'hush' } });
  await answerQuestion(page);
  await turnIsOver(page);
  // If the earlier call had been counted, this would show it after a second.
  await expect.poll(() => counted(page)).toMatchObject({ calls: 1, hasIndex: true });
});

/** Hostile MCP servers, in the built site: each attack ends in a message, nothing is sent that was not allowed, and the page always responds. */
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import {
  allowAddress,
  answerQuestion,
  aliasOf,
  askForCalls,
  connectServer,
  openServer,
  pressSignIn,
  questionOn,
  removeServers,
  serverOn,
  serversOn,
  toolSwitch,
} from '../../scripts/conformance/steps.js';
import { freezeMs, watchTasks } from '../../scripts/page-tasks.js';
import { oddities } from '../support/mcp/odd-servers';
import { type Oddity, type OddServer, startOddServer } from '../support/mcp/odd-server';
import { takesAll, slow } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { ask, dumpDatabase, lastReply, openSite, type Site, turnEnds } from './site';
import { goTo } from './tour';

/** Sent to every server that requires no login. It must stay between the page and the server. */
const key = 'Bearer canary-5f2e9a7c1d';
let outside: Outside;
let site: Site;
let odd: OddServer;
beforeAll(async () => {
  [outside, odd] = await Promise.all([openOutside(), startOddServer()]);
  site = await openSite({ folder: 'dist-e2e', outside });
  // The browser also logs what the network refuses.
  site.expectErrors(/Failed to load resource|net::ERR/);
  await site.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await allowAddress(site.page, odd.origin);
});
afterAll(async () => {
  await site.close();
  outside.close();
  await odd.close();
});
beforeEach(() => outside.forget());
/** Closes whatever is open, and frees the name of the tool for the next server. */
afterEach(async () => {
  await site.page.reload();
  await removeServers(site.page);
});

/** All text that the user can read, including dialogs. */
const textOf = (page: Page) => page.locator('body').innerText();

async function readEnd(oddity: Oddity, name: string): Promise<void> {
  const { page } = site;
  const says = (place: Page) =>
    expect.poll(() => textOf(place), { message: oddity.name }).toMatch(oddity.says);
  const alert = serversOn(page).getByRole('form').getByRole('alert');
  await alert.or(serverOn(page, name)).first().waitFor();
  if (oddity.ends === 'form') {
    expect(await alert.innerText()).toMatch(oddity.says);
    return;
  }
  expect(await alert.allInnerTexts()).toEqual([]);
  await openServer(page, name);
  if (oddity.ends === 'login') {
    const signIn = serverOn(page, name).getByRole('button', { name: 'Sign in', exact: true });
    await signIn.waitFor();
    if (oddity.asks) await serverOn(page, name).getByText(oddity.asks).first().waitFor();
    expect(outside.requests).toEqual([]);
    await pressSignIn(page, name);
  }
  if (oddity.ends !== 'call') return says(page);
  await readCall(oddity, name);
}

/** Calls the tool as a model would, and refuses whatever the server then asks. */
async function readCall({ calls = { tool: 'hello' }, says }: Oddity, name: string): Promise<void> {
  const { page } = site;
  await toolSwitch(page, name, calls.tool).first().check();
  await askForCalls(page, { tool: aliasOf(calls.tool), ...(calls.input && { input: calls.input }) });
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  const decline = page.getByRole('dialog').getByRole('button', { name: 'Decline', exact: true });
  await expect.poll(async () => (await questionOn(page).count()) > 0 || !(await stop.isVisible())).toBe(true);
  if ((await questionOn(page).count()) > 0) await answerQuestion(page);
  await expect
    .poll(
      async () => {
        if ((await decline.count()) > 0) await decline.click();
        return stop.isVisible();
      },
      { timeout: 50_000 },
    )
    .toBe(false);
  const result = lastReply(page).getByLabel('Result', { exact: true }).last();
  // The server's name describes its fault, so it must not match by itself.
  expect((await result.textContent())?.replaceAll(name, '')).toMatch(says);
  expect(await lastReply(page).textContent()).toContain('Done.');
}

async function chatGoesOn(): Promise<void> {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).first().click();
  await ask(page, 'Are you there?');
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('You said: Are you there?');
}

/** `npm run verify` runs only this one. Its tool is called. */
const quickName = 'an answer that is no JSON';
const chosen = takesAll ? oddities : oddities.filter(({ name }) => name === quickName);

describe('a hostile server', () => {
  slow.for(chosen)('does no harm: $name', { timeout: 120_000 }, async (oddity) => {
    const { page, context } = site;
    const url = odd.behave(oddity);
    const name = oddity.name.slice(0, 60);
    const opened: string[] = [];
    const onPage = (one: Page) => void opened.push(one.url());
    context.on('page', onPage);
    const stop = await watchTasks(context.browser());
    try {
      await connectServer(page, {
        url,
        name,
        ...(oddity.ends !== 'login' && { header: 'Authorization', key }),
      });
      await readEnd(oddity, name);
      const seen = await page.content();
      if (oddity.hides) expect(seen).not.toMatch(oddity.hides);
      expect(seen).not.toContain('canary');
    } finally {
      context.off('page', onPage);
      expect.soft(await stop()).toBeLessThan(freezeMs);
    }
    await chatGoesOn();
    const elsewhere = outside.requests.filter(({ host }) => host !== oddity.asks);
    expect(elsewhere.map(({ host, path }) => host + path)).toEqual([]);
    expect(odd.strangerHeard).toEqual([]);
    for (const address of opened) expect(address).toMatch(/^(about:blank|http:\/\/localhost:\d+\/)/);
  });
});

slow('emptying the bin leaves no API key of a removed server in the database', async () => {
  const { page } = site;
  await goTo(page, 'bin');
  await page.getByRole('button', { name: 'Empty the bin' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
  await page.getByText('The bin is empty.').waitFor();
  const dump = await dumpDatabase(page);
  const holding = Object.entries(dump).filter(([, text]) => text.includes('canary'));
  expect(holding.map(([name]) => name)).toEqual([]);
  expect(dump['traces']).toContain('hello');
  // Neither prompt markers nor invisible characters reach a prompt.
  expect(dump['traces']).not.toMatch(/<\|im_(start|end)\|>|[\u202a-\u202e\u2066-\u2069]/);
});

/**
 * The MCP reference server on this machine, in the built site: its tools are switched on one by one, requested, called, and reconnected after every
 * break.
 */
import type { Locator } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  addServer,
  aliasOf,
  allowAddress,
  answerQuestion,
  askForCalls,
  isConnected,
  openServer,
  questionOn,
  serverOn,
  switchOn,
  toolSwitch,
  turnIsOver,
} from '../../scripts/conformance/steps.js';
import { type EverythingServer, startEverything } from '../support/mcp/everything';
import { roundsOf } from './many-tools-steps';
import { everyNth, thorough, slow } from '../support/matrix';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const name = 'Everything';

let server: EverythingServer;
let site: Site;
beforeAll(async () => {
  server = await startEverything();
  site = await openSite({ folder: 'dist-e2e' });
  // The browser also logs broken connections.
  site.expectErrors(/Failed to load resource|net::ERR/);
  await site.page.getByRole('textbox', { name: 'Message' }).waitFor();
  await allowAddress(site.page, server.origin);
  await addServer(site.page, { url: server.url, name });
});
afterAll(async () => {
  await site.close();
  await server.close();
});
/** An unanswered question would cover the next test. */
afterEach(async () => {
  const { page } = site;
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  if (await stop.isVisible()) await stop.click();
});

const cardOf = (tool: string): Locator =>
  lastReply(site.page)
    .getByRole('group', { name: new RegExp(`^${aliasOf(tool)}:`) })
    .last();
const resultOf = async (tool: string) =>
  (await cardOf(tool).getByLabel('Result', { exact: true }).last().textContent()) ?? '';

/** The card is folded at first, with the whole result in it. */
const openCard = (tool: string) => cardOf(tool).getByRole('button').first().click();

/** Allows every question until the turn is over. Some calls need no permission, because they send nothing. */
async function answerWhereAsked(): Promise<void> {
  const { page } = site;
  const done = lastReply(page).getByText('Done.', { exact: true });
  await questionOn(page).or(done).first().waitFor();
  if (await questionOn(page).isVisible()) await answerQuestion(page);
  await turnIsOver(page);
}

/** Switches the tool on, calls it as a model would, allows it once and waits for the end of the turn. */
async function call(tool: string, input: object = {}): Promise<string> {
  const { page } = site;
  await switchOn(page, name, tool);
  await askForCalls(page, { tool: aliasOf(tool), input });
  await answerQuestion(page);
  await turnIsOver(page);
  return resultOf(tool);
}

test('a new MCP server shows its description, and all its tools start switched off', async () => {
  const { page } = site;
  await isConnected(page, name);
  const item = serverOn(page, name);
  expect(await item.innerText()).toContain('It calls itself');
  for (const tool of ['echo', 'get-sum', 'trigger-long-running-operation', 'trigger-elicitation-request'])
    expect(await toolSwitch(page, name, tool).isChecked()).toBe(false);
  expect(await item.innerText()).toContain('Echoes back the input string');

  await askForCalls(page, { tool: 'echo', input: { message: 'hi' } });
  await turnIsOver(page);
  expect(await questionOn(page).count()).toBe(0);
  expect(await lastReply(page).innerText()).not.toContain('Echo: hi');
});

test('a call to a server tool needs permission, and the dialog names the server and the data', async () => {
  const { page } = site;
  await switchOn(page, name, 'echo');
  await askForCalls(page, { tool: 'echo', input: { message: 'a heron' } });
  const question = questionOn(page);
  expect(await question.innerText()).toContain(name);
  expect(await question.innerText()).toContain(new URL(server.url).host);
  expect(await question.innerText()).toContain('a heron');
  await answerQuestion(page);
  await turnIsOver(page);
  expect(await resultOf('echo')).toContain('Echo: a heron');

  await askForCalls(page, { tool: 'echo', input: { message: 'a crane' } });
  await answerQuestion(page, 'Deny');
  await turnIsOver(page);
  expect(await lastReply(page).innerText()).not.toContain('Echo: a crane');
});

thorough('"Allow in this chat" covers only that server tool and that chat', async () => {
  const { page } = site;
  await switchOn(page, name, 'echo', 'get-sum');
  const twice = { tool: 'echo', input: { message: 'again' } };
  await askForCalls(
    page,
    twice,
    { ...twice, input: { message: 'and again' } },
    { tool: 'get_sum', input: { a: 2, b: 3 } },
  );
  await answerQuestion(page, 'Allow in this chat');
  await questionOn(page).getByText('get_sum').first().waitFor();
  await answerQuestion(page);
  await turnIsOver(page);
  expect(await resultOf('get-sum')).toContain('5');
  await askForCalls(page, twice);
  await answerQuestion(page);
  await turnIsOver(page);
});

describe('results of a server tool', () => {
  thorough('a structured result that fits its schema is shown', async () => {
    expect(await call('get-structured-content', { location: 'Chicago' })).toMatch(/temperature[^]*36/);
  });

  slow('a picture is shown without a network request', async () => {
    const { page } = site;
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(request.url()));
    await call('get-tiny-image');
    await openCard('get-tiny-image');
    const picture = lastReply(page).getByRole('img', { name: /Picture/ });
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    expect(await picture.getAttribute('src')).toMatch(/^(data|blob):/);
    const elsewhere = asked.filter(
      (url) => ![server.origin, site.url, 'data:', 'blob:'].some((own) => url.startsWith(own)),
    );
    expect(elsewhere).toEqual([]);
  });

  thorough('links to resources can be clicked', async () => {
    await call('get-resource-links', { count: 2 });
    await openCard('get-resource-links');
    await expect.poll(() => lastReply(site.page).innerText()).toContain('Text Resource 2');
  });

  thorough('an embedded resource is shown as text', async () => {
    expect(await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).toMatch(
      /Resource 1|This is a plaintext resource/,
    );
  });

  thorough(`a failed call shows the server's error message`, async () => {
    expect(await call('get-resource-reference', { resourceType: 'Text', resourceId: -1 })).toMatch(
      /Invalid resourceId|-1/,
    );
  });

  thorough('invalid arguments are never sent to the server', async () => {
    const { page } = site;
    await switchOn(page, name, 'get-sum');
    await askForCalls(page, { tool: 'get_sum', input: { a: 'two' } });
    await answerWhereAsked();
    expect(await resultOf('get-sum')).toMatch(/a\b|arguments/i);
  });
});

slow('a long call to a server tool shows its progress, and Stop cancels it on the server', async () => {
  const { page } = site;
  await switchOn(page, name, 'trigger-long-running-operation');
  await askForCalls(page, {
    tool: aliasOf('trigger-long-running-operation'),
    input: { duration: 60, steps: 120 },
  });
  await answerQuestion(page);
  const card = cardOf('trigger-long-running-operation');
  await expect.poll(() => card.innerText()).toMatch(/[2-9] \/ 120/);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(page);
  // The connection continues.
  expect(await call('echo', { message: 'after it' })).toContain('Echo: after it');
});

describe('a question from the server', () => {
  const dialog = () => site.page.getByRole('dialog', { name: `${name} asks` });
  async function begin() {
    await switchOn(site.page, name, 'trigger-elicitation-request');
    await askForCalls(site.page, { tool: 'trigger_elicitation_request' });
    await answerQuestion(site.page);
    await dialog().waitFor();
  }

  slow('is shown as a form with default values', async () => {
    await begin();
    expect(await dialog().innerText()).toContain('Please provide inputs for the following fields');
    expect(await dialog().getByLabel('Integer', { exact: true }).inputValue()).toBe('42');
    await dialog().getByLabel('String', { exact: true }).fill('Ada');
    await dialog().getByRole('button', { name: 'Send' }).click();
    await turnIsOver(site.page);
    const result = await resultOf('trigger-elicitation-request');
    expect(result).toContain('- Name: Ada');
    expect(result).toContain('"integer": 42');
  });

  const closed = { how: 'closed', press: 'Close', says: 'cancelled' };
  const declined = { how: 'declined', press: 'Decline', says: 'declined' };
  slow.for(everyNth(2, [closed, declined]))(
    'the user can refuse to answer: $how',
    async ({ press, says }) => {
      await begin();
      if (press === 'Close') await site.page.keyboard.press('Escape');
      else await dialog().getByRole('button', { name: press, exact: true }).click();
      await turnIsOver(site.page);
      expect(await resultOf('trigger-elicitation-request')).toContain(says);
    },
  );
});

describe('a server that disconnects', () => {
  afterEach(async () => {
    await server.start();
    await openServer(site.page, name);
    await serverOn(site.page, name).getByRole('button', { name: 'Refresh' }).click();
    await isConnected(site.page, name);
  });
  thorough('the next call works after the server has lost its session', async () => {
    expect(await call('echo', { message: 'before' })).toContain('Echo: before');
    await server.kill();
    await server.start();
    expect(await call('echo', { message: 'behind' })).toContain('Echo: behind');
  });

  thorough(
    "a disconnect during a call is reported, and the server's tools come back automatically",
    async () => {
      const { page } = site;
      await switchOn(page, name, 'trigger-long-running-operation');
      const input = { duration: 600, steps: 1200 };
      await askForCalls(page, { tool: aliasOf('trigger-long-running-operation'), input });
      await answerQuestion(page);
      await expect.poll(() => cardOf('trigger-long-running-operation').innerText()).toMatch(/\d \/ 1200/);
      await server.kill();
      await turnIsOver(page);
      expect(await resultOf('trigger-long-running-operation')).toMatch(/broke off/);
      await openServer(page, name);
      await serverOn(page, name).getByText('Not connected').waitFor();
      await server.start();
      await isConnected(page, name);
      expect(await call('echo', { message: 'back' })).toContain('Echo: back');
    },
  );

  thorough('a tool of an unavailable server reports why it fails, and the chat continues', async () => {
    const { page } = site;
    await switchOn(page, name, 'echo');
    await server.kill();
    await askForCalls(page, { tool: 'echo', input: { message: 'hello?' } });
    await answerWhereAsked();
    // If the server is already known to be unavailable, the chat does not have its tools.
    expect(await resultOf('echo')).toMatch(/cannot be used|broke off|could not be read|There is no tool/);
  });
});

slow('the model finds a server tool by searching if the prompt does not list it', async () => {
  const { page } = site;
  await switchOn(page, name, 'echo');
  await askForCalls(page, { tool: 'find_tools', input: { query: 'give back the same text' } });
  await turnIsOver(page);
  const rounds = await roundsOf(page);
  const prompts = rounds.slice(-2).map(({ prompt }) => prompt);
  // The tool is listed from the start, or found by its words.
  expect(prompts.at(-1)).toContain('echo');
});

describe('a server tool that is on', () => {
  test('can be switched off for a single chat', async () => {
    const { page } = site;
    await switchOn(page, name, 'echo');
    await page.getByRole('button', { name: 'New chat' }).first().click();
    await page
      .getByRole('main')
      .getByRole('button', { name: /^\d+ tools$/ })
      .click();
    await page.locator(':popover-open').getByRole('switch', { name: 'echo', exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await ask(
      page,
      `script\n<tool_call>{"name":"echo","arguments":{"message":"off"}}</tool_call>\n---\nDone.`,
    );
    await turnIsOver(page);
    expect(await lastReply(page).innerText()).not.toContain('Echo: off');
    await askForCalls(page, { tool: 'echo', input: { message: 'on' } });
    await answerQuestion(page);
    await turnIsOver(page);
    expect(await resultOf('echo')).toContain('Echo: on');
  });

  test('can be switched off for a persona', async () => {
    const { page } = site;
    await page.goto(`${site.url}#/personas`);
    await page.getByRole('main').getByRole('button', { name: 'New persona' }).click();
    const tools = page.getByRole('main').getByRole('group', { name: 'Tools', exact: true });
    await tools.getByRole('switch', { name: 'echo', exact: true }).uncheck();
    expect(await tools.getByRole('switch', { name: 'echo', exact: true }).isChecked()).toBe(false);
  });
});

thorough("removing a server also removes its tools' switches and permissions", async () => {
  const { page } = site;
  await switchOn(page, name, 'echo');
  await askForCalls(page, { tool: 'echo', input: { message: 'for good' } });
  const always = questionOn(page).getByRole('button', { name: /^Always allow/ });
  await always.click();
  await turnIsOver(page);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  const kept = page.getByRole('button', { name: /^Take back: .*echo/i });
  await kept.first().waitFor();

  await openServer(page, name);
  await serverOn(page, name).getByRole('button', { name: 'Remove', exact: true }).click();
  await serverOn(page, name).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await serverOn(page, name).getByRole('switch', { name: 'echo', checked: true }).waitFor();
  await serverOn(page, name).getByRole('button', { name: 'Remove', exact: true }).click();
  await serverOn(page, name).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('Nothing is allowed for more than one call.').waitFor();

  // The same server, added again, is another one.
  await addServer(page, { url: server.url, name });
  await switchOn(page, name, 'echo');
  await askForCalls(page, { tool: 'echo', input: { message: 'once more' } });
  await answerQuestion(page);
  await turnIsOver(page);
});

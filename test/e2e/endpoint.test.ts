/** A model that is elsewhere, in the built site: its answer streams through the one door, and every way it can fail ends in a chat that goes on. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInbox } from '../../src/contracts/inbox';
import { articleOf, openModels, press } from './model-steps';
import { openOutside, type Outside } from './outside';
import type { SeenRequest } from './outside-answers';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const host = 'models.example.com';
/** As src/engines/doubles/endpoint.ts sends it. */
const key = 'Bearer sk-of-the-tests-0123456789';

let outside: Outside;
let site: Site;
/** What the model was asked, in its order, with the answers still to be written. */
let asked: ReturnType<typeof createInbox<Exchange>>;

interface Exchange {
  request: SeenRequest;
  response: ServerResponse;
  /** Resolves when the page has gone away, or all was sent: true then. */
  closed: Promise<boolean>;
}

beforeAll(async () => {
  outside = await openOutside();
  site = await openSite({ folder: 'dist-e2e', outside });
  // What the network refuses, the browser writes in the console as well.
  site.expectErrors(/Failed to load resource|net::ERR/);
  outside.serve(host, (request, response) => {
    const closed = new Promise<boolean>((resolve) =>
      response.on('close', () => resolve(response.writableFinished)),
    );
    asked.push({ request, response, closed });
  });
  asked = createInbox<Exchange>();
  const { page } = site;
  await openModels(page);
  const form = page.getByRole('region', { name: 'Add a model' });
  await form.getByLabel('Model URL').fill(`https://${host}/v1/chat/completions`);
  await form.getByLabel('Model ID').fill('Elsewhere');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await press(page, 'Elsewhere', 'Load');
  await articleOf(page, 'Elsewhere').getByRole('status').getByText('Running').waitFor();
});
afterAll(async () => {
  await site.close();
  await outside.close();
});
beforeEach(async () => {
  outside.forget();
  await site.page.getByRole('button', { name: 'New chat' }).click();
});

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

/** Asks, and begins to answer. */
async function begin(text: string): Promise<Exchange> {
  const { page } = site;
  await ask(page, 'Tell me of the sea.');
  const exchange = await asked.next();
  exchange.response.writeHead(200, { 'content-type': 'text/event-stream' });
  exchange.response.write(event(text));
  await expect.poll(() => lastReply(page).innerText()).toContain(text);
  return exchange;
}

async function chatGoesOn(): Promise<void> {
  const { page } = site;
  await ask(page, 'And the shore?');
  const { response } = await asked.next();
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event('Sand and stones.') + end);
  await expect.poll(() => lastReply(page).innerText()).toContain('Sand and stones.');
  await turnEnds(page);
}

/** The newest line of the log. */
async function logged(): Promise<string> {
  const { page } = site;
  await page.getByRole('link', { name: 'Settings' }).click();
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
  const text = await row.innerText();
  await page.goBack();
  return text;
}

test('an answer is read while it comes, calls a tool, and is in the log once, with its bytes', async () => {
  const { page } = site;
  const first = await begin('The sea is');
  expect(first.request).toMatchObject({ method: 'POST', headers: { authorization: key } });
  expect(first.request.headers['referer']).toBeUndefined();
  const call = '<tool_call>{"name": "calculator", "arguments": {"expression": "6*7"}}</tool_call>';
  first.response.end(event(` wide. ${call}`) + end);
  const second = await asked.next();
  expect(second.request.body).toContain('42');
  second.response.writeHead(200, { 'content-type': 'text/event-stream' }).end(event('42 miles.') + end);
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('42 miles.');
  expect(await logged()).toMatch(/endpoint[^]*models\.example\.com[^]*Answered \(200\)/);
});

test('a key that comes back in two pieces is not shown', async () => {
  const { page } = site;
  const { response } = await begin('You sent');
  const text = event(` ${key}, did you not?`);
  response.write(text.slice(0, 60));
  await new Promise((resolve) => response.write('', resolve));
  response.end(text.slice(60) + end);
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('You sent [key], did you not?');
});

test('Stop closes the connection, and keeps what was there', async () => {
  const { page } = site;
  const { closed } = await begin('The sea is');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(page);
  expect(await closed).toBe(false);
  await expect.poll(() => lastReply(page).innerText()).toContain('The sea is');
  await expect.poll(logged).toMatch(/models\.example\.com[^]*Stopped/);
  await chatGoesOn();
});

describe('ends in a sentence, with what was there, and the chat goes on:', () => {
  test.for([
    {
      name: 'a connection that breaks in the middle',
      then: (response: ServerResponse) => void response.destroy(),
      says: /broke off/,
      log: /Could not be read/,
    },
    {
      name: 'an answer that falls silent',
      then: () => undefined,
      says: /sent nothing for 5 s/,
      log: /No answer in time/,
    },
    {
      name: 'an answer that has no end',
      then: (response: ServerResponse) => {
        const write = () => {
          if (!response.destroyed) response.write(`: ${'x'.repeat(100_000)}\n`, () => setImmediate(write));
        };
        write();
      },
      says: /sent more than 1000000 bytes/,
      log: /Broken off: too long/,
    },
  ])('$name', async ({ then, says, log }) => {
    const { page } = site;
    const { response, closed } = await begin('The sea is');
    then(response);
    await turnEnds(page);
    expect(await closed).toBe(false);
    await expect.poll(() => lastReply(page).innerText()).toMatch(says);
    await expect.poll(() => lastReply(page).innerText()).toContain('The sea is');
    await expect.poll(logged).toMatch(log);
    await chatGoesOn();
  });
});

test('a redirect is not followed: neither key nor chat reach another host', async () => {
  const { page } = site;
  await ask(page, 'Tell me of the sea.');
  const { response } = await asked.next();
  response.writeHead(307, { location: 'https://pages.example.com/story' }).end();
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toMatch(/passes this request on to another address/);
  expect(outside.requests.map((request) => request.host)).not.toContain('pages.example.com');
  await expect.poll(logged).toMatch(/Led to a refused address/);
  await chatGoesOn();
});

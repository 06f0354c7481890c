/** The only way to the network, in the built site: each failed request ends in its own message, and the chat continues. */
import type { Locator } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { takesAll, slow } from '../support/matrix';
import { openOutside, type Outside } from './outside';
import { serveFiles } from './outside-answers';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

const folder = 'dist-e2e';
let outside: Outside;
let site: Site;
beforeAll(async () => {
  outside = await openOutside();
  site = await openSite({ folder, outside });
  // The browser also logs what the network refuses.
  site.expectErrors(/Failed to load resource|CORS policy|net::ERR/);
});
afterAll(async () => {
  await site.close();
  outside.close();
});
afterEach(() => outside.forget());

const call = (name: string, input: unknown) =>
  `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`;

/** Makes the model read `url`, which the user has typed, in a new chat. Resolves to the text of the result. */
async function read(url: string): Promise<string> {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, `script\n${call('fetch_page', { url })}\n---\nThat was it.`);
  await expect.poll(() => lastReply(page).innerText(), { timeout: 30_000 }).toContain('That was it.');
  await turnEnds(page);
  return (await resultOf('fetch_page').textContent()) ?? '';
}

function resultOf(tool: string): Locator {
  return lastReply(site.page)
    .getByRole('group', { name: new RegExp(`^${tool}`) })
    .getByLabel('Result');
}

async function chatGoesOn(): Promise<void> {
  await ask(site.page, `script\n${call('calculator', { expression: '6*7' })}\n---\nStill here.`);
  await expect.poll(() => lastReply(site.page).innerText()).toContain('Still here.');
  expect(await resultOf('calculator').textContent()).toBe('42');
}

const settings = async () => {
  await site.page.getByRole('link', { name: 'Settings' }).click();
  await site.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
};

slow('a web page is read without cookies or referrer, and the request log shows only its host', async () => {
  expect(await read('https://pages.example.com/story?secret=1')).toContain('Maren Holt');
  expect(outside.requests).toMatchObject([
    { host: 'pages.example.com', path: '/story?secret=1', method: 'GET' },
  ]);
  expect(Object.keys(outside.requests[0]!.headers)).not.toEqual(expect.arrayContaining(['cookie']));
  expect(outside.requests[0]!.headers['referer']).toBeUndefined();
  await settings();
  const row = site.page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
  const text = await row.innerText();
  expect(text).toMatch(/fetch_page/);
  expect(text).toMatch(/pages\.example\.com/);
  expect(text).toMatch(/Answered \(200\)/);
  expect(text).not.toMatch(/secret|story/);
});

/** Each takes as long as the timeout, so they run only in `npm run test:all`. */
const silent = [
  {
    name: 'a server that does not respond',
    url: 'https://slow.example.com/silent',
    says: /did not answer within 10 s/,
  },
  {
    name: 'a server that stops within its response',
    url: 'https://slow.example.com/stalled',
    says: /did not finish within 10 s/,
  },
];

describe('a web page that cannot be read is reported, and the chat continues', () => {
  slow.for([
    { name: 'a private address', url: 'https://10.0.0.5/secret', says: /not on the public internet/ },
    { name: 'an unencrypted address', url: 'http://pages.example.com/story', says: /Only https/ },
    { name: 'a name of the local network', url: 'https://router.local/', says: /name of a private network/ },
    ...(takesAll ? silent : []),
    { name: 'a picture', url: 'https://types.example.com/image', says: /sent image\/gif/ },
    {
      name: 'a file without a type',
      url: 'https://types.example.com/none',
      says: /something of no known type/,
    },
    {
      name: 'a server that forbids requests from other sites',
      url: 'https://closed.example.com/',
      says: /CORS|let other pages read/i,
    },
    {
      name: 'a redirect into the private network',
      url: 'https://redirect.example.com/private',
      says: /led to an address that may not be asked/,
    },
    {
      name: 'a redirect to the metadata service of a cloud machine',
      url: 'https://redirect.example.com/metadata',
      says: /led to an address that may not be asked/,
    },
    {
      name: 'a redirect to a name of the local network',
      url: 'https://redirect.example.com/name',
      says: /led to an address that may not be asked/,
    },
    { name: 'an error page', url: 'https://pages.example.com/nowhere', says: /404/ },
  ])('the error message names the cause: $name', async ({ url, says }) => {
    expect(await read(url)).toMatch(says);
    await chatGoesOn();
  });
});

test('a forbidden address that the model made up is refused without asking the user', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).click();
  // Written so that the user has not typed it.
  const hidden = JSON.stringify({ url: 'https://10.0.0.5/made-up' }).replaceAll('/', '\\/');
  await ask(
    page,
    `script\n<tool_call>{"name":"fetch_page","arguments":${hidden}}</tool_call>\n---\nThat was it.`,
  );
  // A question would hold up the turn.
  await turnEnds(page);
  expect(await resultOf('fetch_page').textContent()).toMatch(/not on the public internet/);
  expect(outside.requests).toEqual([]);
});

slow('an endless response or a decompression bomb is cut off at the size limit', async () => {
  expect((await read('https://endless.example.com/')).length).toBeLessThan(50_000);
  expect((await read('https://bomb.example.com/')).length).toBeLessThan(50_000);
  await chatGoesOn();
});

test('redirects within the public internet are followed', async () => {
  expect(await read('https://redirect.example.com/thrice')).toContain('Maren Holt');
});

test('a redirect or a public domain name that points to this device cannot reach it', async () => {
  await read('https://redirect.example.com/loopback');
  await read('https://rebound.example.com/');
  expect(outside.requests.map(({ host }) => host)).toEqual(['redirect.example.com']);

  // The control: a page on this device reaches both.
  const tab = await site.context.newPage();
  await tab.goto(outside.plain);
  outside.forget();
  const text = await tab.evaluate(`fetch('https://rebound.example.com/').then((answer) => answer.text())`);
  expect(text).toBe('a private answer');
  expect(outside.requests.map(({ host }) => host)).toContain('rebound.example.com');
  await tab.close();
});

slow('a local address can be read only as long as the user allows it', async () => {
  const { page } = site;
  const url = `${outside.plain}/notes`;
  expect(await read(url)).toContain(`The person can allow ${outside.plain} in Settings`);
  expect(outside.requests).toEqual([]);
  await settings();
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(outside.plain);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByRole('list', { name: 'Allowed addresses' }).getByRole('listitem').waitFor();
  expect(await read(url)).toContain('a private answer');
  expect(outside.requests).toMatchObject([{ host: '127.0.0.1', path: '/notes' }]);
  // The permission does not cover redirects from outside.
  outside.forget();
  await read('https://redirect.example.com/loopback');
  expect(outside.requests.map(({ host }) => host)).toEqual(['redirect.example.com']);
  await settings();
  await page.getByRole('button', { name: `Remove ${outside.plain}` }).click();
  expect(await read(`${outside.plain}/again`)).toContain('in Settings');
});

test('Stop ends a network request at once', async () => {
  const { page } = site;
  await page.getByRole('button', { name: 'New chat' }).click();
  await ask(page, `script\n${call('fetch_page', { url: 'https://slow.example.com/drip' })}\n---\nDone.`);
  await expect.poll(() => outside.requests.length).toBe(1);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await turnEnds(page);
  await chatGoesOn();
  await settings();
  const row = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
  await expect.poll(() => row.innerText()).toMatch(/slow\.example\.com[^]*Stopped/);
});

slow('reading a page offline fails at once, and local tools still work', async () => {
  await site.context.setOffline(true);
  try {
    expect(await read('https://pages.example.com/story')).toMatch(/offline/);
    expect(outside.requests).toEqual([]);
    await chatGoesOn();
  } finally {
    await site.context.setOffline(false);
  }
});

slow(
  "with the browser's local network permission, only the address that the user allowed can be reached",
  async () => {
    outside.serve('app.example.com', serveFiles(folder));
    await site.context.grantPermissions(['local-network-access'], { origin: 'https://app.example.com' });
    const { page } = site;
    await page.goto('https://app.example.com/#/settings');
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill(outside.plain);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('list', { name: 'Allowed addresses' }).getByRole('listitem').waitFor();
    outside.forget();
    await read('https://rebound.example.com/');
    await read('https://redirect.example.com/loopback');
    // An encrypted page requests it without encryption.
    expect(await read(`${outside.plain}/notes`)).toContain('a private answer');
    const hosts = outside.requests.map(({ host }) => host).filter((host) => host !== 'app.example.com');
    expect(hosts).toEqual(['redirect.example.com', '127.0.0.1']);
    await page.goto(site.url);
  },
);

slow('the request log lists all requests, including refused ones, and can be cleared', async () => {
  const { page } = site;
  await settings();
  await page.reload();
  const table = page.getByRole('table', { name: 'Requests' });
  await table.waitFor();
  await page.getByRole('button', { name: /Show all/ }).click();
  const text = await table.innerText();
  for (const words of [
    'Not sent: refused address',
    'Led to a refused address',
    ...(takesAll ? ['No answer in time'] : []),
    'Not a kind of text',
    'Could not be read',
    'Stopped',
    'Answered with an error (404)',
  ]) {
    expect(text).toContain(words);
  }
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Nothing has left this device.').waitFor();
});

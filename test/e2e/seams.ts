/**
 * A site whose user has allowed much before: five tools of their own, a host for pages, and all searches, permanently. A listener replaces every
 * server and must not receive what the user types.
 */
import type { Locator } from 'playwright';
import { expect } from 'vitest';
import type { CustomToolContent } from '../../src/contracts/custom-tool';
import { revisionOf } from '../../src/tools/custom/custom-tool';
import { openOutside, type Outside } from './outside';
import { sendText } from './outside-answers';
import { ask, lastReply, openSite, type Site, turnEnds } from './site';

export const canary = 'zebra7k9qcanary';
export const bytes = [...Buffer.from(canary)];
export const key = 'K3y-of-the-sender-91';
/** The secret as it may appear in a request. Half of it is enough. */
export const half = canary.length / 2;
const spellings = [
  canary,
  Array.from(canary).reverse().join(''),
  bytes.map((byte) => byte.toString(16)).join(''),
  bytes.map((byte) => `%${byte.toString(16)}`).join(''),
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
  canary.slice(0, half),
  canary.slice(half),
  ...[' ', '+', '%20'].flatMap((space) => [Array.from(canary).join(space), bytes.join(space)]),
].map((spelling) => spelling.toLowerCase());

const tool = (name: string, hosts: string[], code: string): CustomToolContent => ({
  name,
  title: name,
  description: 'Asks its own server about a text.',
  hosts,
  code,
  inputSchema: { type: 'object', properties: { q: { type: 'string' }, r: { type: 'string' } } },
  class: hosts.length > 0 ? 'net-read' : 'pure',
  secrets: hosts.includes('api.example.net')
    ? [{ name: 'KEY', host: 'api.example.net', header: 'X-Api-Key' }]
    : [],
  limits: { timeMs: 5000, outputCharacters: 20_000, hostCalls: 5 },
  examples: [],
});
const asks = (host: string, rest: string) =>
  `const a = await host.fetch('https://${host}/?q=' + encodeURIComponent((args.q ?? '') + (args.r ?? '')), { auth: args.auth });\n${rest}`;
const tools = [
  tool('sender', ['api.example.net'], asks('api.example.net', 'return a.text').replace('args.auth', "'KEY'")),
  tool('echo', ['echo.example.net'], asks('echo.example.net', 'return (args.q ?? "") + (args.r ?? "")')),
  tool('thrower', ['echo.example.net'], asks('echo.example.net', 'throw new Error(a.text)')),
  tool('typer', ['echo.example.net'], asks('echo.example.net', 'return a.headers')),
  tool('join', [], 'return (args.q ?? "") + (args.r ?? "") + " END"'),
];

export interface Seams {
  site: Site;
  outside: Outside;
  /** From now on, this host responds in this way. */
  text(host: string, type: string, body: string, status?: number): void;
  expectNothingTold(): void;
  newChat(): Promise<void>;
  /** Scripts one reply of calls per round. The last reply says that it is over. */
  script(...rounds: [name: string, input: object][][]): Promise<void>;
  /** Refuses every question until the turn is over. Resolves to what the questions showed. */
  refuseAll(): Promise<string>;
  results(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openSeams(): Promise<Seams> {
  const outside = await openOutside();
  const site = await openSite({ folder: 'dist-e2e', outside });
  const { page } = site;
  for (const host of ['evil.example.net', 'always.example.net', 'en.wikipedia.org.evil.example.net']) {
    outside.serve(host, (_request, response) => sendText(response, 'text/plain', 'Thank you.'));
  }
  site.expectErrors(/Failed to load resource|CORS policy|net::ERR/);
  await allowMuch(site);

  const expectNothingTold = () => {
    const heard = outside.text().toLowerCase();
    for (const spelling of spellings) expect(heard).not.toContain(spelling);
    expect(outside.requests.filter(({ host }) => host.includes('evil'))).toEqual([]);
  };
  const dialog = page.getByRole('dialog', { name: /^Allow/ });
  return {
    site,
    outside,
    expectNothingTold,
    text: (host, type, body, status = 200) =>
      outside.serve(host, (_request, response) => sendText(response, type, body, status)),
    async newChat() {
      outside.forget();
      await page.getByRole('button', { name: 'New chat' }).click();
    },
    async script(...rounds) {
      const written = rounds.map((calls) =>
        calls
          .map(([name, input]) => `<tool_call>${JSON.stringify({ name, arguments: input })}</tool_call>`)
          .join('\n')
          // Escaped, so that the user has not typed the address.
          .replaceAll('/', '\\/'),
      );
      await ask(page, `script 0 ${canary}\n${written.join('\n---\n')}\n---\nThat is all.`);
    },
    async refuseAll() {
      const stop = page.getByRole('button', { name: 'Stop', exact: true });
      let shown = '';
      while (await stop.isVisible()) shown += await refuseOne(dialog, expectNothingTold);
      return shown;
    },
    results: () => lastReply(page).getByLabel('Result').allTextContents(),
    async close() {
      await site.close();
      outside.close();
    },
  };
}

/** Returns what a question showed, if there is one. */
async function refuseOne(dialog: Locator, look: () => void): Promise<string> {
  const isAsked = await dialog.waitFor({ timeout: 200 }).then(
    () => true,
    () => false,
  );
  if (!isAsked) return '';
  const shown = await dialog.innerText({ timeout: 500 }).catch(() => '');
  look();
  const deny = dialog.getByRole('button', { name: 'Deny' });
  await deny.click({ timeout: 500 }).catch(() => undefined);
  return shown;
}

/** Writes the permissions directly into the database. Giving them through the screen takes long and has its own tests. */
async function allowMuch({ page }: Site): Promise<void> {
  const grant = (name: string, target: string, revision = '') => ({
    id: `${name} ${target}`,
    tool: name,
    revision,
    target,
    chatId: null,
    createdAt: 1,
  });
  const rows = tools.map((content, at) => ({
    id: content.name,
    content,
    isOn: true,
    createdAt: at,
    updatedAt: at,
    versions: [],
  }));
  const grants = [
    grant('fetch_page', 'always.example.net'),
    grant('fetch_page', 'en.wikipedia.org'),
    grant('web_search', 'search:wikipedia'),
    ...(await Promise.all(
      tools.flatMap((content) =>
        content.hosts.map(async (host) => grant(content.name, host, await revisionOf(content))),
      ),
    )),
  ];
  const secret = { id: JSON.stringify(['sender', 'KEY', 'api.example.net']), toolId: 'sender', name: 'KEY' };
  await ask(page, 'Hello');
  await turnEnds(page);
  await page.evaluate(
    async ([customTools, granted, secrets]) => {
      const open = indexedDB.open('hearth');
      await new Promise((resolve) => (open.onsuccess = resolve));
      const write = open.result.transaction(['customTools', 'grants', 'toolSecrets'], 'readwrite');
      for (const row of customTools) write.objectStore('customTools').put(row);
      for (const row of granted) write.objectStore('grants').put(row);
      for (const row of secrets) write.objectStore('toolSecrets').put(row);
      await new Promise((resolve) => (write.oncomplete = resolve));
      open.result.close();
    },
    [rows, grants, [{ ...secret, host: 'api.example.net', value: key }]] as const,
  );
  await page.reload();
}

/** Every attack on the sandbox, run through the editor's own "Run". `sandbox.test.ts` shows that each is an attack. */
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attacks } from './sandbox-attacks/all';
import { stateAttacks } from './sandbox-attacks/authority';
import { everyNth, slow } from '../support/matrix';
import { listen, type Listener } from './sandbox-listener';
import { openSite, type Site } from './site';

interface Tab {
  page: Page;
  /** The name that the listener knows it by. */
  name: string;
  /** The time limit set in the editor. */
  timeMs: number;
}

/** What another page of this origin would receive, and what this page has to lose. */
interface Watched {
  heard: unknown[];
}
declare const window: Watched;

/** An attack waits more than it works, so run this many at once. */
const count = 3;
let site: Site;
let listener: Listener;
/** Tabs in which nothing runs. */
const free: Tab[] = [];
const waiting: (() => void)[] = [];

beforeAll(async () => {
  listener = await listen();
  site = await openSite({ folder: 'dist-e2e' });
  // The browser logs what the policy refuses. Here that is the proof.
  site.expectErrors(/./);
  const pages = [site.page];
  while (pages.length < count) pages.push(await site.openTab());
  for (const [index, page] of pages.entries()) {
    const name = `tab ${index}`;
    await page.evaluate(() => void (location.hash = '#/tools/new'));
    await page.getByLabel('Parameters (JSON Schema)').fill(schemaFor(name));
    await page.evaluate(() => {
      localStorage.setItem('untouched', 'yes');
      document.body.dataset['mark'] = 'untouched';
      window.heard = [];
      new BroadcastChannel('hearth').onmessage = ({ data }) => window.heard.push(data);
      addEventListener('message', ({ data }) => window.heard.push(data));
    });
    free.push({ page, name, timeMs: 5000 });
  }
}, 60_000);

afterAll(async () => {
  await site.close();
  await listener.close();
});

/** The addresses are the defaults of the parameters, so only the code remains to fill in. */
function schemaFor(name: string): string {
  const { url, module, socket, udp } = listener.addressesFor(name);
  const text = (value: string) => ({ type: 'string', default: value });
  return JSON.stringify({
    type: 'object',
    properties: {
      url: text(url),
      module: text(module),
      socket: text(socket),
      udp: { type: 'integer', default: udp },
    },
    required: ['url', 'module', 'socket', 'udp'],
  });
}

async function inTab(work: (tab: Tab) => Promise<void>): Promise<void> {
  while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  const tab = free.pop()!;
  try {
    await work(tab);
  } finally {
    free.push(tab);
    waiting.shift()?.();
  }
}

/** Resolves to the text under "Result". */
async function run(tab: Tab, code: string, timeMs = 3000): Promise<string> {
  const { page } = tab;
  await page.getByLabel('Code', { exact: true }).fill(code);
  if (tab.timeMs !== timeMs) await page.getByLabel('Time limit (ms)').fill(String(timeMs));
  tab.timeMs = timeMs;
  const region = page.getByRole('region', { name: 'Test' });
  await region.getByRole('button', { name: 'Run' }).click();
  const result = region.getByLabel('Result', { exact: true });
  await result.waitFor({ timeout: 40_000 });
  return (await result.textContent()) ?? '';
}

describe.concurrent('invariant: the code of a custom tool reaches nothing outside its sandbox', () => {
  slow.for(everyNth(120, attacks))(
    'the attack has no effect: $name',
    ({ name, code, ends, timeMs }, { expect }) =>
      inTab(async (tab) => {
        const { page } = tab;
        const result = await run(tab, code, timeMs);
        const failure = /^([A-Z_]+): /.exec(result)?.[1];
        // This tool has no network access, so its first request is refused and it cannot flood the network.
        const right = code.includes('host.fetch') && failure === 'DENIED' ? 'DENIED' : ends;
        if (right !== undefined) expect(failure ?? 'ok').toBe(right);
        if (failure === undefined) expect(result).not.toContain('LEAKED');
        else expect(result.length).toBeLessThan(2_100);
        const log = await page.getByRole('region', { name: 'Test' }).getByRole('log').allTextContents();
        expect(log.join('').length).toBeLessThanOrEqual(100_100);
        const left = () => [document.body.dataset['mark'], localStorage.getItem('untouched'), window.heard];
        expect(await page.evaluate(left), name).toEqual(['untouched', 'yes', []]);
        expect([...listener.reached]).not.toContain(tab.name);
      }),
  );

  slow.for(everyNth(6, stateAttacks))(
    'the attack leaves nothing behind for the next run: $name',
    ({ first, second }, { expect }) =>
      inTab(async (tab) => {
        await run(tab, first);
        expect(await run(tab, second)).not.toContain('LEAKED');
      }),
  );
});

test("no attack reaches the attacker's server, even after its run ends", async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect([...listener.reached]).toEqual([]);
  expect(site.context.pages()).toHaveLength(count);
});

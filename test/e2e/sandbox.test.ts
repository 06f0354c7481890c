/** Shows that the attacks are attacks: each works on a twin without a sandbox. Also tests the sandbox by itself, with answered host calls. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { build, type Plugin } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from '../../scripts/content-security-policy.js';
import { sandboxDocument } from '../../scripts/sandbox-document.js';
import { serveFolder } from '../../scripts/static-server.js';
import type { SandboxLimits, SandboxRefusal, SandboxResult } from '../../src/contracts/sandbox';
import { everyNth } from '../support/matrix';
import { attacks } from './sandbox-attacks/all';
import type { Attack } from './sandbox-attacks/attack';
import { listen, type Listener } from './sandbox-listener';
import { shareBrowser } from './site';

/** What `sandbox-page/page.ts` adds to its window. */
interface PageWindow {
  ways: {
    inSandbox: (
      code: string,
      args: unknown,
      limits: Partial<SandboxLimits>,
      stopAfterMs?: number,
    ) => Promise<{ result: SandboxResult; calls: { url: string }[]; lines: string[] }>;
    inWorker: (code: string, args: unknown) => Promise<unknown>;
    inPage: (code: string, args: unknown) => Promise<unknown>;
  };
  look: () => Promise<Record<string, unknown>>;
  restore: () => Promise<void>;
  check: (code: string, signal: AbortSignal) => Promise<SandboxRefusal | undefined>;
}
declare const window: PageWindow;

const closing: (() => Promise<unknown>)[] = [];
let listener: Listener;
let page: Page;
let twinUrl: string;

async function serveBuilt(plugins: Plugin[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  await build({
    root: join(import.meta.dirname, 'sandbox-page'),
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins,
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  });
  const server = await serveFolder(folder);
  closing.push(
    () => server.close(),
    () => rm(folder, { recursive: true }),
  );
  return server.url;
}

async function openPage(url: string): Promise<Page> {
  const opened = await (await shareBrowser()).newPage();
  await opened.goto(url);
  while (!(await opened.evaluate(() => 'ways' in window))) await opened.waitForTimeout(20);
  return opened;
}

async function attack(code: string, name = 'x', timeMs = 3000, stopAfterMs?: number) {
  const args = listener.addressesFor(name);
  return page.evaluate(
    ([code, args, timeMs, stopAfterMs]) => window.ways.inSandbox(code, args, { timeMs }, stopAfterMs),
    [code, args, timeMs, stopAfterMs] as const,
  );
}

beforeAll(async () => {
  listener = await listen();
  page = await openPage(await serveBuilt([sandboxDocument(), contentSecurityPolicy()]));
  twinUrl = await serveBuilt([sandboxDocument()]);
});

afterAll(async () => {
  await listener.close();
  for (const close of closing) await close();
});

const untouched = {
  mark: 'untouched',
  stored: true,
  database: true,
  caches: ['hearth'],
  heard: [],
  polluted: false,
  hash: '',
};

describe('code in the sandbox', () => {
  // The editor refuses such a call of a tool without network access, so it is answered here. The other attacks run in the editor.
  test.for(
    everyNth(
      12,
      attacks.filter(({ code }) => code.includes('host.')),
    ),
  )('an attack has no effect: $name', async ({ name, code, ends, timeMs }) => {
    const { result, calls, lines } = await attack(code, name, timeMs);
    if (ends !== undefined) expect(result.ok ? 'ok' : result.failure).toBe(ends);
    expect(result.ok ? result.json : '').not.toContain('LEAKED');
    expect(result.ok || result.message.length).toSatisfy((length) => length === true || length <= 2001);
    expect(result.logs.length).toBeLessThanOrEqual(50);
    expect(lines.join('').length).toBeLessThanOrEqual(100_100);
    expect(calls.length).toBeLessThanOrEqual(20);
    expect(calls.filter(({ url }) => url.includes('later'))).toEqual([]);
    expect(await page.evaluate(() => window.look())).toMatchObject(untouched);
  });

  test('Stop ends a run at once, and the next run works', async () => {
    const { result } = await attack('for (;;);', 'x', 30_000, 200);
    expect(result).toMatchObject({ ok: false, failure: 'CANCELLED' });
    expect((await attack('return 1')).result).toMatchObject({ ok: true, json: '1' });
  });

  test('queued runs that are stopped do not block other runs', async () => {
    const busy = Array.from({ length: 4 }, () => attack('await new Promise((r) => setTimeout(r, 600))'));
    const stopped = Array.from({ length: 3 }, () => attack('return 1', 'x', 3000, 50));
    const last = attack('return 2');
    for (const { result } of await Promise.all(stopped)) {
      expect(result).toMatchObject({ ok: false, failure: 'CANCELLED' });
    }
    for (const { result } of await Promise.all(busy)) expect(result).toMatchObject({ ok: true });
    expect((await last).result).toMatchObject({ ok: true, json: '2' });
  });

  test('six runs at the same time share no variables', async () => {
    const runs = Array.from({ length: 6 }, (_, index) =>
      attack(`globalThis.n ??= ${index}; await new Promise((r) => setTimeout(r, 100)); return globalThis.n`),
    );
    const results = await Promise.all(runs);
    expect(results.map(({ result }) => result.ok && result.json)).toEqual(['0', '1', '2', '3', '4', '5']);
  });

  test('after all runs, only one frame remains and no request is sent later', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect([...listener.reached]).toEqual([]);
    expect(await page.evaluate(() => window.look())).toMatchObject({ ...untouched, frames: 1 });
    expect(page.context().pages()).toHaveLength(1);
  });
});

describe('the same code without the sandbox', () => {
  let twin: Page | undefined;

  /** Returns the last twin again, with everything it had to lose, unless it has navigated away. */
  async function openTwin(): Promise<Page> {
    const isThere = await Promise.race([
      twin?.evaluate(() => window.restore().then(() => true)).catch(() => false),
      new Promise<boolean>((resolve) => setTimeout(resolve, 1000, false)),
    ]);
    if (twin && isThere === true) return twin;
    await twin?.close();
    twin = await openPage(twinUrl);
    return twin;
  }

  async function works({ name, code, twin: place }: Attack, page: Page): Promise<void> {
    const args = listener.addressesFor(name);
    listener.reached.delete('udp');
    const isReached = () =>
      listener.reached.has(name) || (code.includes('args.udp') && listener.reached.has('udp'));
    let returned: unknown;
    // A page that navigates away never answers.
    void page
      .evaluate(
        async ([code, args, way]) => {
          const value = await window.ways[way](code, args).catch(String);
          return typeof value === 'string' && value.length > 1e6 ? 'LEAKED: too much' : value;
        },
        [code, args, place === 'page' ? 'inPage' : 'inWorker'] as const,
      )
      .then((value) => (returned = value))
      .catch(() => undefined);
    const isLeaked = () => JSON.stringify(returned ?? null).includes('LEAKED');
    await expect.poll(() => isLeaked() || isReached(), { timeout: 7000, interval: 20 }).toBe(true);
  }

  const isEndless = ({ ends }: Attack) => ends === 'TIMEOUT';
  const twins = attacks.filter(({ twin: place }) => place !== undefined);
  test.for(
    everyNth(
      16,
      twins.filter((one) => !isEndless(one)),
    ),
  )('the attack succeeds: $name', async (one) => works(one, await openTwin()));

  // Each of these takes the full wait.
  describe.concurrent('with an endless loop', () => {
    let endless: Promise<Page> | undefined;
    test.for(everyNth(15, twins.filter(isEndless)))('the attack succeeds: $name', async (one) =>
      works(one, await (endless ??= openPage(twinUrl))),
    );
  });
});

describe('results and errors that the sandbox reports', () => {
  test.for([
    { code: 'return args.a + 1', json: '2' },
    { code: 'host.log("a", { b: 1 }); console.log(2); return', json: 'null', logs: ['a {"b":1}', '2'] },
    { code: 'return (await host.fetch("https://a.example")).json()', json: '{"answer":42}' },
    { code: 'return [new URL("https://a.b/c").host, btoa("x"), new Intl.NumberFormat("de").format(1234.5)]' },
    {
      code: 'const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("abc")); return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("")',
      json: '"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"',
    },
    { code: 'return (await crypto.subtle.digest("SHA-512", new Uint8Array(50000))).byteLength', json: '64' },
    { code: 'return new Date(Date.UTC(2026, 0, 1)).toISOString()', json: '"2026-01-01T00:00:00.000Z"' },
    { code: 'const args = 1; { function host() {} } return args', json: '1' },
    {
      code: 'await new Promise((done) => setTimeout(done, 5)); return crypto.randomUUID?.length ?? 36',
      json: '36',
    },
    { code: 'return "\\u2028\\ud800"', json: '"\u2028\\ud800"' },
  ])('the code runs and returns its result: $code', async ({ code, json, logs }) => {
    const { result } = await page.evaluate((code) => window.ways.inSandbox(code, { a: 1 }, {}), code);
    expect(result).toMatchObject({ ok: true, ...(json !== undefined && { json }), ...(logs && { logs }) });
  });

  test.for([
    { code: '\n\nthrow new TypeError("boo")', failure: 'THROWN', message: 'TypeError: boo', line: 3 },
    { code: 'const f = () => {\n  null.x;\n};\nf();', failure: 'THROWN', line: 2 },
    { code: 'setTimeout(() => {\nnull.x }, 0); await new Promise(() => 0)', failure: 'THROWN', line: 2 },
    { code: 'let a = 1;\nlet a = 2;\nreturn a', failure: 'SCRIPT', line: 2 },
    { code: 'return 1 +', failure: 'SCRIPT', message: 'SyntaxError: it ends in the middle', line: 1 },
    { code: 'return 1;\n}', failure: 'SCRIPT', message: 'SyntaxError: a bracket', line: 2 },
    { code: 'throw "plain"', failure: 'THROWN', message: 'plain' },
    { code: 'return host.nothing()', failure: 'THROWN', line: 1 },
  ])('faulty code fails with the right error: $code, $failure', async ({ code, ...refusal }) => {
    const { result } = await attack(code);
    const { message, ...rest } = refusal;
    expect(result).toMatchObject({ ok: false, ...rest });
    if (message !== undefined) expect(result).toHaveProperty('message', expect.stringContaining(message));
  });

  test('checking the syntax of code does not run it', async () => {
    const check = (code: string) =>
      page.evaluate((code) => window.check(code, new AbortController().signal), code);
    expect(await check('for (;;);')).toBeUndefined();
    expect(await check('throw new Error("x")')).toBeUndefined();
    expect(await check('return 1;\nlet;\n')).toMatchObject({ failure: 'SCRIPT', line: 2 });
  });
});

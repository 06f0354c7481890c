/** The built site in a real browser, as a person meets it; fails on any error in the console or breach of the policy. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright';
import { expect } from 'vitest';
import { findHeadlessShell } from '../../scripts/find-chromium.js';
import { serveFolder } from '../../scripts/static-server.js';
import type { Outside } from './outside';

export interface Site {
  url: string;
  /** Paths of the files it has sent, in their order; what the browser had already is not among them. */
  sent: readonly string[];
  page: Page;
  context: BrowserContext;
  /** Another tab of the same browser, with its errors counted too. */
  openTab(): Promise<Page>;
  /** Ends the browser as a crash would, and starts it again on the same profile. Of a site that `keepsProfile`. */
  killAndReopen(): Promise<Page>;
  /** Closes the browser, hands `between` its profile, and starts it again. Of a site that `keepsProfile`. */
  closeAndReopen(between: (profile: string) => Promise<void>): Promise<Page>;
  /** The network is cut for good: the server is gone. */
  cutNetwork(): Promise<void>;
  /** Errors that this test is about. */
  expectErrors(pattern: RegExp): void;
  close(): Promise<void>;
}

interface Options {
  /** What was built, or a copy of it. */
  folder?: string;
  /** Where on the host the site lies. */
  path?: string;
  viewport?: { width: number; height: number };
  /** A finger is what points, as on a phone. */
  hasTouch?: boolean;
  locale?: string;
  colorScheme?: 'light' | 'dark';
  /** What stands for the internet. Without it the browser reaches the real one, if there is any. */
  outside?: Outside;
  /** The host sends the headers with which a page may use several cores. */
  isIsolated?: boolean;
  /** As on a desktop, where they take room; Playwright hides them else. */
  hasScrollbars?: boolean;
  /** More arguments for Chromium. */
  args?: readonly string[];
  /** In a whole browser of its own, with its profile on the disk, so that it can be killed and come back. */
  keepsProfile?: boolean;
  /** Its service worker copies 20 MB for offline use, which takes the processor more than two seconds: only where a test needs that. */
  hasServiceWorker?: boolean;
}

/** By their arguments. What is opened in one of them has a profile of its own there, kept in memory. */
const browsers = new Map<string, Promise<Browser>>();
const keyOf = (args: readonly string[], hasScrollbars: boolean) => JSON.stringify([args, hasScrollbars]);
const isForAllFiles = (key: string) => key === keyOf([], false) || key.includes('--host-resolver-rules=');

/** Starting a browser takes a second: the plain one and those with an outside serve all files of a worker, the others one file. */
export async function shareBrowser(args: readonly string[] = [], hasScrollbars = false): Promise<Browser> {
  const key = keyOf(args, hasScrollbars);
  const running = await browsers.get(key);
  if (running?.isConnected()) return running;
  const browser = chromium.launch({
    executablePath: findHeadlessShell() ?? 'chromium',
    ...launchOptions(args, hasScrollbars),
  });
  browsers.set(key, browser);
  return browser;
}

/** After each file, by `after-each-file.ts`. */
export async function closeOwnBrowsers(): Promise<void> {
  for (const [key, starting] of browsers) {
    const browser = await starting;
    if (isForAllFiles(key)) {
      await Promise.all(browser.contexts().map((context) => context.close()));
      continue;
    }
    browsers.delete(key);
    await browser.close();
  }
}

const launchOptions = (args: readonly string[], hasScrollbars: boolean) => ({
  // Half of what loading a model costs is the second, better compilation of its engine, anew in each profile.
  args: ['--no-sandbox', '--js-flags=--liftoff-only', ...args],
  ...(hasScrollbars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
});

/** The site in a browser that has never been there. */
export async function openSite({ folder = 'dist', path = '/', ...options }: Options = {}): Promise<Site> {
  const sent: string[] = [];
  let server: Awaited<ReturnType<typeof serveFolder>> | undefined = await serveFolder(folder, {
    path,
    isIsolated: options.isIsolated ?? false,
    onAnswer: (name, status) => status === 200 && sent.push(name),
  });
  const { url } = server;
  const errors: string[] = [];
  const expected: RegExp[] = [];
  const args = [...(options.outside?.args ?? []), ...(options.args ?? [])];
  const { hasScrollbars = false } = options;
  const view = {
    viewport: options.viewport ?? { width: 1280, height: 800 },
    hasTouch: options.hasTouch ?? false,
    locale: options.locale ?? 'en-US',
    colorScheme: options.colorScheme ?? ('light' as const),
    // What moves is drawn sixty times a second, which is a fifth of what a turn costs here. Tests of parts see it move.
    reducedMotion: 'reduce' as const,
    serviceWorkers: options.hasServiceWorker ? ('allow' as const) : ('block' as const),
  };

  const profile = options.keepsProfile ? await mkdtemp(join(tmpdir(), 'hearth-')) : undefined;
  const launch = async () =>
    profile === undefined
      ? (await shareBrowser(args, hasScrollbars)).newContext(view)
      : chromium.launchPersistentContext(profile, {
          executablePath: findHeadlessShell() ?? 'chromium',
          ...launchOptions(args, hasScrollbars),
          ...view,
        });
  const openIn = async (context: BrowserContext) => {
    const page = await context.newPage();
    watch(page, errors);
    await page.goto(url);
    return page;
  };

  let context = await launch();
  const site: Site = {
    url,
    sent,
    context,
    page: await openIn(context),
    openTab: () => openIn(context),
    async killAndReopen() {
      if (profile === undefined)
        throw new Error('The browser is shared: only a site that keeps its profile may kill it.');
      await kill(context);
      context = await launch();
      site.context = context;
      site.page = await openIn(context);
      return site.page;
    },
    async closeAndReopen(between) {
      if (profile === undefined) throw new Error('Only a site that keeps its profile may be closed.');
      await context.close();
      await between(profile);
      context = await launch();
      site.context = context;
      site.page = await openIn(context);
      return site.page;
    },
    async cutNetwork() {
      await server?.close();
      server = undefined;
    },
    expectErrors(pattern) {
      expected.push(pattern);
    },
    async close() {
      await context.close();
      await server?.close();
      if (profile !== undefined) await rm(profile, { recursive: true, force: true });
      expect(errors.filter((error) => !expected.some((pattern) => pattern.test(error)))).toEqual([]);
    },
  };
  return site;
}

function watch(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(`page: ${error.message}`));
  page.on('console', (message) => {
    // A policy breach is reported as an error of the console too.
    if (message.type() !== 'error') return;
    const { url } = message.location();
    // The browser asks for the icon by itself, past the service worker, and does without it offline.
    if (!url.endsWith('/icon.svg')) errors.push(`console: ${message.text()} (${url})`);
  });
}

/**
 * No goodbye, no flush: what a power cut or the system's killer does. Of all its processes: one that went on for a moment would write to
 * the database beside the next browser.
 */
async function kill(context: BrowserContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession();
  if (!session) throw new Error('The browser cannot be reached.');
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const closed = new Promise<void>((resolve) => context.once('close', () => resolve()));
  for (const { id } of processInfo) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It went with the one before it.
    }
  }
  await closed;
  for (const { id } of processInfo) while (await isAlive(id)) await pause(5);
}

/** One that has ended and was not waited for yet has no command any more. */
async function isAlive(id: number): Promise<boolean> {
  return (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')) !== '';
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** The newest turn of Hearth. */
export function lastReply(page: Page): Locator {
  return page.getByRole('article', { name: 'Hearth' }).last();
}

/** Until no turn runs in the chat shown. */
export async function turnEnds(page: Page, stop = 'Stop'): Promise<void> {
  await page.getByRole('button', { name: stop, exact: true }).waitFor({ state: 'hidden', timeout: 30_000 });
}

/** Until all that is needed offline is on the device. */
export async function isOfflineReady(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

/** Until the app has made its tables. Who opens the database before makes an empty one. */
export async function databaseIsMade(page: Page): Promise<void> {
  const isMade = async () =>
    (await indexedDB.databases()).some(({ name, version = 0 }) => name === 'hearth' && version > 1);
  // Not `waitForFunction`, for which any promise is true.
  while (!(await page.evaluate(isMade))) await page.waitForTimeout(20);
}

/** Every table as text, by its name. Once the app has opened its database: this would make an empty one. */
export function dumpDatabase(page: Page): Promise<Record<string, string>> {
  return page.evaluate(async () => {
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const dump: Record<string, string> = {};
    for (const name of open.result.objectStoreNames) {
      const all = open.result.transaction(name).objectStore(name).getAll();
      await new Promise((resolve) => (all.onsuccess = resolve));
      dump[name] = JSON.stringify(all.result);
    }
    open.result.close();
    return dump;
  });
}

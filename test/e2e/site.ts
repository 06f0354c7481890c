/** Opens the built site in a real browser. Fails on any error in the console or violation of the policy. */
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
  /** Paths of the sent files, in order, without those that the browser has cached. */
  sent: readonly string[];
  page: Page;
  context: BrowserContext;
  /** Opens another tab of the same browser. Its errors count too. */
  openTab(): Promise<Page>;
  /** Ends the browser as a crash would and restarts it with the same profile. Needs `keepsProfile`. */
  killAndReopen(): Promise<Page>;
  /** Closes the browser, passes its profile to `between`, and restarts it. Needs `keepsProfile`. */
  closeAndReopen(between: (profile: string) => Promise<void>): Promise<Page>;
  /** Cuts the network permanently by ending the server. */
  cutNetwork(): Promise<void>;
  /** Ignores errors that this test causes on purpose. */
  expectErrors(pattern: RegExp): void;
  close(): Promise<void>;
}

interface Options {
  /** The folder of the build, or a copy of it. */
  folder?: string;
  /** The path of the site on the host. */
  path?: string;
  viewport?: { width: number; height: number };
  /** Whether the browser has a touch screen, like a phone. */
  hasTouch?: boolean;
  locale?: string;
  colorScheme?: 'light' | 'dark';
  /** Replaces the internet. Without it, the browser reaches the real one, if there is any. */
  outside?: Outside;
  /** Whether the host sends the headers that let a page use several cores. */
  isIsolated?: boolean;
  /** Returns the file that the host sends for a file, for a host that answers wrongly. */
  rewrite?: (file: string) => string;
  /** Whether scrollbars take up space, as on a desktop. Otherwise Playwright hides them. */
  hasScrollbars?: boolean;
  /** Additional arguments for Chromium. */
  args?: readonly string[];
  /** Whether to start a separate browser with its profile on the disk, so that it can be killed and restarted. */
  keepsProfile?: boolean;
  /** Whether the service worker runs. It copies 20 MB for offline use, which costs more than two seconds of processor time. */
  hasServiceWorker?: boolean;
}

/** The browsers by their arguments. Each page in one of them gets its own profile in memory. */
const browsers = new Map<string, Promise<Browser>>();
const keyOf = (args: readonly string[], hasScrollbars: boolean) => JSON.stringify([args, hasScrollbars]);
const isForAllFiles = (key: string) => key === keyOf([], false) || key.includes('--host-resolver-rules=');

/** Starting a browser takes a second, so the plain one and those with an outside serve all files of a worker. Others serve one file. */
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

/** `after-each-file.ts` calls it after each file. */
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
  // Half the cost of loading a model is the second, better compilation of its engine, which each profile repeats.
  args: ['--no-sandbox', '--js-flags=--liftoff-only', ...args],
  ...(hasScrollbars && { ignoreDefaultArgs: ['--hide-scrollbars'] }),
});

/** Opens the site in a browser that has never visited it. */
export async function openSite({ folder = 'dist', path = '/', ...options }: Options = {}): Promise<Site> {
  const sent: string[] = [];
  let server: Awaited<ReturnType<typeof serveFolder>> | undefined = await serveFolder(folder, {
    path,
    isIsolated: options.isIsolated ?? false,
    ...(options.rewrite && { rewrite: options.rewrite }),
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
    // Animations are drawn sixty times a second, which takes a fifth of a turn here. The component tests see them.
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
    // A policy violation is also reported as an error of the console.
    if (message.type() !== 'error') return;
    const { url } = message.location();
    // The browser requests the icon by itself, bypassing the service worker, and does without it offline.
    if (!url.endsWith('/icon.svg')) errors.push(`console: ${message.text()} (${url})`);
  });
}

/**
 * Kills all processes of the browser at once without flushing, like a power cut or the system. A process that survived for a moment would write to
 * the database next to the next browser.
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
      // It ended with the one before it.
    }
  }
  await closed;
  for (const { id } of processInfo) while (await isAlive(id)) await pause(5);
}

/** A process that has ended but was not waited for has no command. */
async function isAlive(id: number): Promise<boolean> {
  return (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')) !== '';
}

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** Returns the newest turn of Hearth. */
export function lastReply(page: Page): Locator {
  return page.getByRole('article', { name: 'Hearth' }).last();
}

/** Waits until no turn runs in the open chat. */
export async function turnEnds(page: Page, stop = 'Stop'): Promise<void> {
  await page.getByRole('button', { name: stop, exact: true }).waitFor({ state: 'hidden', timeout: 30_000 });
}

/** Waits until everything needed offline is on the device. */
export async function isOfflineReady(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

/** Waits until the app has created its tables. Opening the database earlier would create an empty one. */
export async function databaseIsMade(page: Page): Promise<void> {
  const isMade = async () =>
    (await indexedDB.databases()).some(({ name, version = 0 }) => name === 'hearth' && version > 1);
  // Not `waitForFunction`, which takes any promise as true.
  while (!(await page.evaluate(isMade))) await page.waitForTimeout(20);
}

/** Returns every table as text, by name. Call it after the app has opened its database, because otherwise this creates an empty one. */
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

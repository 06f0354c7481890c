/** The shipped files: how much a first visit needs, what is stored for offline use, and what must not be in them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { serveFolder } from '../../scripts/static-server.js';
import { chatRecord } from '../support/stored-chat';
import { writeRows } from './chat-steps';
import { shareBrowser } from './site';

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/**
 * Opens a page and resolves to the compressed bytes requested until an element appeared. The page itself watches for it, so requests made after that
 * do not count.
 */
async function bytesUntil(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript((wanted) => {
    // Runs before any further request starts, even on a busy machine. An animation frame may come much later.
    const observer = new MutationObserver(() => {
      if (!document.querySelector(wanted)) return;
      observer.disconnect();
      performance.mark('is there');
    });
    observer.observe(document, { childList: true, subtree: true, attributes: true });
  }, selector);
  await page.goto(url);
  await page.locator(selector).first().waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('is there').length > 0);
  const paths = await page.evaluate(() => {
    const [there] = performance.getEntriesByName('is there');
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= (there?.startTime ?? Infinity))
      .map(({ name }) => new URL(name).pathname);
  });
  expect(paths.length).toBeGreaterThan(2);
  const sizes = await Promise.all(
    ['/index.html', ...paths].map(async (path) => brotliCompressSync(await readFile(`dist${path}`)).length),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`until ${selector}: ${total} bytes, ${sizes.length} files`);
  return total;
}

test('invariant: the user can type after at most 40 kB (brotli) have loaded', async () => {
  const asked: string[] = [];
  const server = await serveFolder('dist', { onAnswer: (path) => asked.push(path) });
  const page = await (await shareBrowser()).newPage();
  try {
    expect(await bytesUntil(page, server.url, 'textarea:enabled')).toBeLessThanOrEqual(40_000);
    expect(new Set(asked.map((path) => path.startsWith('/')))).toEqual(new Set([true]));
  } finally {
    await page.close();
    await server.close();
  }
});

test('invariant: the list of chats appears after at most 95 kB of downloads, before the database code loads', async () => {
  const server = await serveFolder('dist');
  const context = await (await shareBrowser()).newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    // The store is open and has no chats.
    await page.getByText('Your chats will appear here.').waitFor();
    await writeRows(page, { chats: [chatRecord('kept', { title: 'Herons' })] });
    const next = await context.newPage();
    let letGo: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => (letGo = resolve));
    await next.route('**/open-store-*.js', async (route) => {
      await isHeld;
      await route.continue();
    });
    expect(await bytesUntil(next, server.url, 'nav a[href$="/kept"]')).toBeLessThanOrEqual(95_000);
    letGo?.();
    // From then on, the list follows the store.
    await next.getByRole('link', { name: 'Herons' }).click();
    await next.getByRole('heading', { level: 1, name: 'Herons' }).waitFor();
  } finally {
    await context.close();
    await server.close();
  }
});

test('invariant: a visit requests at most 30 files', async () => {
  const asked: string[] = [];
  const server = await serveFolder('dist', { onAnswer: (path) => asked.push(path) });
  const context = await (await shareBrowser()).newContext({ serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    const isAtRest = () => asked.some((path) => path.includes('/screens-'));
    await expect.poll(isAtRest, { timeout: 30_000 }).toBe(true);
    console.log(`a visit: ${asked.length} files`);
    expect(asked.length).toBeLessThanOrEqual(30);
  } finally {
    await context.close();
    await server.close();
  }
});

test('the MCP client is a separate file of at most 90 kB', async () => {
  const files = (await filesOf('dist')).filter((file) => /\/mcp[.-][^/]*\.js$/.test(file));
  const sizes = await Promise.all(files.map(async (file) => brotliCompressSync(await readFile(file)).length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`MCP: ${total} bytes, ${sizes.length} files`);
  expect(files.some((file) => file.includes('mcp.worker'))).toBe(true);
  expect(total).toBeLessThanOrEqual(90_000);
});

async function listPrecachedFiles(): Promise<Set<string>> {
  const worker = await readFile('dist/service-worker.js', 'utf8');
  const entries = [...worker.matchAll(/\{[^{}]*"url":"([^"]+)"[^{}]*\}/g)];
  return new Set(entries.flatMap(([entry, url = '']) => (entry.includes('"isOnDemand"') ? [] : [url])));
}

test('all code is stored for offline use except the code for downloaded models, files and MCP servers', async () => {
  const kept = await listPrecachedFiles();
  const files = (await filesOf('dist')).map((file) => file.slice('dist/'.length));
  const missing = files.filter((file) => file !== 'service-worker.js' && !kept.has(file));
  expect(missing.toSorted()).toEqual([
    expect.stringMatching(/^assets\/ask-table-[\w-]+\.js$/),
    expect.stringMatching(/^assets\/mcp\.worker-[\w-]+\.js$/),
    expect.stringMatching(/^assets\/read-document-[\w-]+\.js$/),
    expect.stringMatching(/^assets\/read-pdf-[\w-]+\.js$/),
    expect.stringMatching(/^assets\/web-llm-[\w-]+\.js$/),
    expect.stringMatching(/^assets\/wllama-[\w-]+\.wasm$/),
    'licences.txt',
  ]);
});

test('the offline copy takes at most 19 MB and contains no large file twice', async () => {
  const precached = await listPrecachedFiles();
  const kept = (await filesOf('dist')).filter(
    (file) => precached.has(file.slice('dist/'.length)) && !/\/llama-(?:relaxed|plain)-/.test(file),
  );
  const sizes = await Promise.all(kept.map(async (file) => (await readFile(file)).length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(19_000_000);
  const all = await filesOf('dist');
  const large = await Promise.all(all.map(async (file) => ({ file, size: (await readFile(file)).length })));
  const scripts = large.filter(({ file, size }) => file.endsWith('.js') && size > 1_000_000);
  expect(scripts.map(({ file }) => file)).toEqual([
    expect.stringMatching(/assets\/read-pdf-/),
    expect.stringMatching(/assets\/web-llm-/),
  ]);
});

test('the site includes the licence texts of all its dependencies', async () => {
  const text = await readFile('dist/licences.txt', 'utf8');
  expect(text).toContain(await readFile('LICENSE', 'utf8').then((own) => own.trim()));
  // Packages in the page, in each kind of worker, in the service worker, and in WebAssembly.
  const some = ['svelte', 'dexie', 'marked', '@codemirror/view', '@mlc-ai/web-llm', '@wllama/wllama'];
  const more = ['decimal.js', 'linkedom', 'boolbase', 'comlink', 'zod', 'workbox-precaching', 'vite'];
  for (const name of [...some, ...more]) expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  for (const name of ['llama.cpp', 'emscripten']) expect(text).toContain(`\n${name} (MIT)`);
});

test('the content security policy is the first element of the page', async () => {
  const page = await readFile('dist/index.html', 'utf8');
  const policy = page.indexOf('http-equiv="Content-Security-Policy"');
  expect(policy).toBeGreaterThan(0);
  expect(page.slice(0, policy)).not.toMatch(/<(script|link|style)/);
  expect(page).not.toMatch(/unsafe-inline|unsafe-eval'? |https?:/);
});

describe('test doubles', () => {
  const marks = [
    'The script asked for a crash.',
    'scripted-crash',
    'scripted-web-llm',
    'The script asked for the end of the worker.',
    'Waits so many milliseconds, and says each second how long it has waited.',
    'Scripted',
    'loseGpu',
  ];
  const read = async (folder: string) =>
    (
      await Promise.all(
        (await filesOf(folder)).filter((f) => f.endsWith('.js')).map((f) => readFile(f, 'utf8')),
      )
    ).join('\n');

  test('are included in the build for tests', async () => {
    const code = await read('dist-e2e');
    expect(marks.filter((mark) => code.includes(mark)).length).toBe(marks.length);
  });

  test('invariant: the shipped build contains no test doubles', async () => {
    const code = await read('dist');
    expect(marks.filter((mark) => code.includes(mark))).toEqual([]);
  });
});

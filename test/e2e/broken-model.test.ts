/** A model that is missing or damaged is reported in words, the question is kept, and everything works again once the file does. */
import { cp, mkdtemp, open, readdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { everyNth, thorough, slow } from '../support/matrix';
import { ask, isOfflineReady, lastReply, openSite, type Site, turnEnds } from './site';

let folder: string;
let site: Site | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
  await cp('dist', folder, { recursive: true });
});
afterEach(async () => {
  await site?.close();
  site = undefined;
  await rm(folder, { recursive: true });
});

const weights = () => join(folder, 'models/ember.gguf');
/** Returns Ember's engine, which is the smaller one. */
async function engine() {
  const assets = (await readdir(join(folder, 'assets'))).filter((file) => file.endsWith('.wasm'));
  const paths = assets.map((file) => join(folder, 'assets', file));
  const sized = await Promise.all(paths.map(async (path) => ({ path, size: (await stat(path)).size })));
  return sized.toSorted((one, other) => one.size - other.size)[0]?.path ?? '';
}

/** Changes the file without changing its size or its first bytes. */
async function spoil(path: string, from: number) {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(20_000, 0xff), 0, 20_000, from);
  await file.close();
}

const faults = [
  {
    fault: 'its file is missing',
    breakIt: () => rename(weights(), `${weights()}.away`),
    sentence: 'could not be fetched',
  },
  {
    fault: 'its file is cut off',
    breakIt: () => truncate(weights(), 1_000_000),
    sentence: 'damaged or cut off',
  },
  {
    fault: 'a page is served in its place',
    breakIt: () => writeFile(weights(), '<!doctype html><title>Not here</title>'),
    sentence: 'damaged or cut off',
  },
  {
    fault: 'the engine is missing',
    breakIt: async () => rename(await engine(), `${await engine()}.away`),
    sentence: 'could not be fetched',
  },
  {
    fault: 'its list of words is spoilt',
    breakIt: () => spoil(weights(), 20_000),
    sentence: 'damaged or cut off',
  },
];
slow.for(everyNth(8, faults))(
  'a broken built-in model is reported, and the question is answered after the repair: $fault',
  async ({ breakIt, sentence }) => {
    const whole = await engine();
    await breakIt();
    site = await openSite({ folder });
    const { page } = site;
    await ask(page, 'What is 17 * 23?');
    await turnEnds(page);
    await expect.poll(() => page.getByRole('main').innerText()).toContain(sentence);
    await expect.poll(() => lastReply(page).innerText()).toContain('Your question is kept.');
    await expect.poll(() => page.getByRole('article', { name: 'You' }).innerText()).toContain('17 * 23');

    await cp('dist/models', join(folder, 'models'), { recursive: true });
    await cp(join('dist/assets', whole.split('/').at(-1) ?? ''), whole);
    await page.getByRole('button', { name: 'Continue' }).click();
    await turnEnds(page);
    await expect.poll(() => lastReply(page).innerText()).toContain('17*23 = 391');
    site.expectErrors(/404/);
  },
);

thorough('cancelling the start of a model keeps the question, which is answered on request', async () => {
  site = await openSite({ folder });
  const { page } = site;
  // The file does not arrive before the start is cancelled.
  let letGo = () => {};
  const cancelled = new Promise<void>((resolve) => (letGo = resolve));
  await site.context.route(/ember\.gguf$/, async (route) => {
    await cancelled;
    await route.continue().catch(() => undefined);
  });
  // The open page may have loaded it already.
  await page.reload();
  await ask(page, 'What is 17 * 23?');
  // Cancel at once: the question is still on its way to the model and must not start the load again.
  await page.getByRole('button', { name: 'Cancel' }).click();
  letGo();
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('You cancelled the start of Ember');
  await page.getByRole('button', { name: 'Continue' }).click();
  await turnEnds(page);
  await expect.poll(() => lastReply(page).innerText()).toContain('17*23 = 391');
});

thorough(
  'damaged model files are not stored, and are downloaded again once the server is repaired',
  async () => {
    const whole = await engine();
    await spoil(weights(), 3_000_000);
    await spoil(whole, 1_000_000);
    site = await openSite({ folder, hasServiceWorker: true });
    const { page } = site;
    const isRegistered = async () => (await navigator.serviceWorker.getRegistration()) !== undefined;
    await expect.poll(() => page.evaluate(isRegistered), { interval: 10 }).toBe(true);
    // The browser unregisters the worker because a file differs from its checksum.
    await expect.poll(() => page.evaluate(isRegistered), { timeout: 20_000 }).toBe(false);

    await cp('dist', folder, { recursive: true });
    await page.reload();
    await isOfflineReady(page);
    await site.cutNetwork();
    await page.reload();
    await ask(page, 'What is 17 * 23?');
    await turnEnds(page);
    await expect.poll(() => lastReply(page).innerText()).toContain('17*23 = 391');
    site.expectErrors(/CompileError/);
  },
);

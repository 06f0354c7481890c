/** Which of the three builds of the engine runs, and on how many processor cores. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { thorough } from '../support/matrix';
import { addFromDisk, answers, isWhole, loadModel, openModels } from './model-steps';
import { isOfflineReady, openSite } from './site';

const diagnostics = (page: Page) => page.getByRole('region', { name: 'Diagnostics' });
const option = (page: Page) =>
  page.getByRole('checkbox', { name: 'GGUF models use several processor cores' });

/** Reports five cores to the page, however many there are. */
async function openWithCores(isIsolated: boolean) {
  const site = await openSite({ isIsolated });
  await site.page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => 5 }),
  );
  await site.page.reload();
  await openModels(site.page);
  await site.page.getByText('Advanced', { exact: true }).click();
  return site;
}

thorough('a GGUF model answers on a device with several cores', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'hearth-cores-'));
  const path = join(disk, 'from-disk.gguf');
  await cp('public/models/ember.gguf', path);
  const site = await openWithCores(true);
  const { page } = site;
  await diagnostics(page).getByText('Processor cores: 5. GGUF models use up to 5 of them.').waitFor();
  expect(await option(page).isChecked()).toBe(true);
  await addFromDisk(page, 'GGUF file', path);
  await isWhole(page, 'from-disk');
  await loadModel(page, 'from-disk');
  await answers(page);
  await site.close();
  await rm(disk, { recursive: true });
});

test("the user is informed if the site's host does not send the headers needed for several cores", async () => {
  const site = await openWithCores(false);
  const { page } = site;
  await diagnostics(page)
    .getByText('GGUF models could use 5 cores if the host of this page sent two headers')
    .waitFor();
  expect(await option(page).isDisabled()).toBe(true);
  await page.getByText('This browser or the host of this page does not allow several cores.').waitFor();
  await site.close();
});

thorough(
  'models run on one core in a browser without relaxed SIMD or shared memory, even if the host allows several',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-site-'));
    await cp('dist', folder, { recursive: true });
    // What WebKitGTK lacks.
    const hideFeatures = 'WebAssembly.validate = () => false; delete globalThis.SharedArrayBuffer;';
    for (const name of await readdir(join(folder, 'assets'))) {
      if (!name.startsWith('model.worker')) continue;
      const path = join(folder, 'assets', name);
      await writeFile(path, `${hideFeatures}${await readFile(path, 'utf8')}`);
    }
    const site = await openSite({ folder, isIsolated: true });
    const { page } = site;
    await page.addInitScript(hideFeatures);
    await page.reload();
    await answers(page);
    expect(site.sent.filter((name) => name.includes('llama-') && name.endsWith('.wasm'))).toEqual([
      expect.stringContaining('llama-plain'),
    ]);
    await openModels(page);
    await page.getByText('Advanced', { exact: true }).click();
    expect(await option(page).isDisabled()).toBe(true);
    await diagnostics(page).getByText('use one core at half speed').waitFor();
    await site.close();
    await rm(folder, { recursive: true });
  },
);

thorough('offline, a browser that was updated still runs the build that it cached before', async () => {
  const site = await openSite({ hasServiceWorker: true });
  const { page } = site;
  await isOfflineReady(page);
  await answers(page);
  const files = (await readdir('dist/assets')).filter((name) => name.startsWith('llama-plain'));
  await page.evaluate(async (names) => {
    const cache = await caches.open('later-files');
    await cache.addAll(names.map((name) => `assets/${name}`));
    for (const request of await cache.keys())
      if (request.url.includes('llama-relaxed')) await cache.delete(request);
  }, files);
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
  await site.cutNetwork();
  site.expectErrors(/Failed to load resource|ERR_/);
  await page.reload();
  await answers(page);
  await site.close();
});

/** The user's own models, in the built site: from an address, from the disk, from a record, and mirrors. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { takesAll, thorough, slow } from '../support/matrix';
import { makeModelFiles, type ModelRepository, openModelRepository } from './model-repository';
import {
  addFromDisk,
  answers,
  articleOf,
  isWhole,
  keptBytes,
  loadModel,
  openModels,
  press,
  serveGguf,
  writeModelFolder,
} from './model-steps';
import { openOutside, type Outside } from './outside';
import { isOfflineReady, lastReply, openSite, type Site } from './site';

const folder = process.env['HEARTH_DIST'] ?? 'dist';
/** A GPU adapter without 16-bit numbers. */
const args = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
const listed = 'Qwen2.5-0.5B-Instruct-q4f32_1-MLC';

let outside: Outside;
let repository: ModelRepository;
let disk: string;
let ember: Buffer;
let site: Site;

beforeAll(async () => {
  outside = await openOutside();
  repository = await openModelRepository();
  disk = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
  ember = await readFile('public/models/ember.gguf');
});
afterAll(async () => {
  outside.close();
  await repository.close();
  await rm(disk, { recursive: true, force: true });
});
beforeEach(async () => {
  site = await openSite({ folder, outside, args });
  outside.forget();
  repository.forget();
});
afterEach(async () => {
  await site.close();
  repository.stopAt = undefined;
  repository.mend();
});

const emberSize = () => `${(ember.length / 1e6).toFixed(1)} MB`;
const form = (page: Page) => page.getByRole('region', { name: 'Add a model' });
/** Records all requests to other origins than the site's. */
function watchOutside(): string[] {
  const asked: string[] = [];
  site.context.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith('blob:')) asked.push(request.url());
  });
  return asked;
}

/** Returns the model that wrote the last reply, as "Details" shows it. */
async function writerOf(page: Page): Promise<string> {
  await lastReply(page).getByRole('button', { name: 'Details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Details of this answer' });
  const text = await dialog.innerText();
  await dialog.getByRole('button', { name: 'Close' }).click();
  return text;
}

describe('a GGUF model from a URL', () => {
  slow('can be paused while downloading, and answers without a network request', async () => {
    await site.close();
    site = await openSite({ folder, outside, hasServiceWorker: takesAll });
    const host = serveGguf(outside, ember);
    const { page } = site;
    await openModels(page);
    await form(page).getByLabel('Model URL').fill(host.url);
    await form(page).getByLabel('Model ID').fill('Twin');
    await form(page).getByRole('button', { name: 'Add', exact: true }).click();
    host.stopAt = 2_000_000;
    await press(page, 'Twin', 'Download');
    await expect
      .poll(() => articleOf(page, 'Twin').getByRole('status').innerText())
      .toContain(`2 MB of ${emberSize()}`);
    await press(page, 'Twin', 'Pause');
    await articleOf(page, 'Twin').getByText(`2 MB of ${emberSize()} downloaded.`).waitFor();
    host.stopAt = undefined;
    await press(page, 'Twin', 'Resume');
    await isWhole(page, 'Twin');
    expect(host.ranges).toEqual([undefined, 'bytes=2000000-']);
    expect(host.sent).toBe(ember.length);

    if (takesAll) {
      await isOfflineReady(page);
      await site.cutNetwork();
    }
    await page.reload();
    outside.forget();
    const asked = watchOutside();
    await loadModel(page, 'Twin');
    await answers(page);
    expect(await writerOf(page)).toContain('Twin');
    expect(asked).toEqual([]);
    expect(outside.requests).toEqual([]);
  });

  thorough.each([
    { change: 'of the same size', other: () => Buffer.concat([ember.subarray(0, -1), Buffer.from('x')]) },
    { change: 'smaller than what has come', other: () => ember.subarray(0, 1_500_000) },
  ])('is downloaded again if the server now has another file $change', async ({ other }) => {
    const host = serveGguf(outside, ember);
    const { page } = site;
    await openModels(page);
    await form(page).getByLabel('Model URL').fill(host.url);
    await form(page).getByLabel('Model ID').fill('Twin');
    await form(page).getByRole('button', { name: 'Add', exact: true }).click();
    host.stopAt = 2_000_000;
    await press(page, 'Twin', 'Download');
    await articleOf(page, 'Twin').getByRole('status').getByText('2 MB of').waitFor();
    await press(page, 'Twin', 'Pause');
    await articleOf(page, 'Twin').getByRole('button', { name: 'Resume', exact: true }).waitFor();
    host.stopAt = undefined;
    host.file = other();
    await press(page, 'Twin', 'Resume');
    await isWhole(page, 'Twin');
    expect(host.ranges).toEqual([undefined, 'bytes=2000000-', undefined]);
    expect(await keptBytes(page)).toBe(host.file.length);
  });

  thorough('is refused and deleted if the downloaded file is not a GGUF file', async () => {
    const host = serveGguf(outside, Buffer.from('<!doctype html><title>Log in</title>'), 'login.example.com');
    const { page } = site;
    await openModels(page);
    await form(page).getByLabel('Model URL').fill(host.url);
    await form(page).getByLabel('Model ID').fill('Login');
    await form(page).getByRole('button', { name: 'Add', exact: true }).click();
    await press(page, 'Login', 'Download');
    await articleOf(page, 'Login')
      .getByRole('alert')
      .getByText(/something other than the file/)
      .waitFor();
    expect(await keptBytes(page)).toBe(0);
  });
});

describe('a browser that limits how a page writes files', () => {
  const browsers = [
    // GNOME Web.
    { lacks: 'any private files', hide: 'delete StorageManager.prototype.getDirectory;' },
    // Safari before version 26.
    { lacks: 'files that a page can write', hide: 'delete FileSystemFileHandle.prototype.createWritable;' },
  ];

  thorough.for(browsers)(
    'stores a model from a URL and one from the disk: it lacks $lacks',
    async ({ hide }) => {
      await site.close();
      const changed = await mkdtemp(join(tmpdir(), 'hearth-site-'));
      await cp(folder, changed, { recursive: true });
      for (const name of await readdir(join(changed, 'assets'))) {
        if (!name.includes('.worker-')) continue;
        const path = join(changed, 'assets', name);
        await writeFile(path, `${hide}${await readFile(path, 'utf8')}`);
      }
      site = await openSite({ folder: changed, outside });
      const { page } = site;
      await page.addInitScript(hide);
      await page.reload();
      await openModels(page);
      const path = join(disk, 'from-disk.gguf');
      await cp('public/models/ember.gguf', path);
      await addFromDisk(page, 'GGUF file', path);
      await isWhole(page, 'from-disk');
      const host = serveGguf(outside, ember);
      await form(page).getByLabel('Model URL').fill(host.url);
      await form(page).getByLabel('Model ID').fill('Twin');
      await form(page).getByRole('button', { name: 'Add', exact: true }).click();
      await press(page, 'Twin', 'Download');
      await isWhole(page, 'Twin');
      await page.reload();
      await loadModel(page, 'Twin');
      await answers(page);
      expect(await writerOf(page)).toContain('Twin');
      await loadModel(page, 'from-disk');
      await answers(page);
      expect(await writerOf(page)).toContain('from-disk');
      await openModels(page);
      await press(page, 'Twin', 'Delete');
      await page.getByText(`${emberSize()} of models stored here.`).waitFor();
      await rm(changed, { recursive: true });
    },
  );
});

describe('models from the disk', () => {
  thorough('a chosen GGUF file loads and answers', async () => {
    const path = join(disk, 'from-disk.gguf');
    await cp('public/models/ember.gguf', path);
    const { page } = site;
    await openModels(page);
    await addFromDisk(page, 'GGUF file', path);
    await isWhole(page, 'from-disk');
    await expect
      .poll(() => articleOf(page, 'from-disk').innerText())
      .toContain(`Complete on this device: ${emberSize()}`);
    await loadModel(page, 'from-disk');
    await answers(page);
    expect(await writerOf(page)).toContain('from-disk');
    expect(outside.requests).toEqual([]);
  });

  thorough('a file that is not a model is refused', async () => {
    const path = join(disk, 'letter.gguf');
    await writeFile(path, 'Dear Sir');
    const { page } = site;
    await openModels(page);
    await addFromDisk(page, 'GGUF file', path);
    await form(page).getByRole('alert').getByText('This is not a GGUF file.').waitFor();
  });

  thorough('a WebLLM folder is listed and starts loading without a network request', async () => {
    const { page } = site;
    await openModels(page);
    await addFromDisk(page, 'Folder', await writeModelFolder(disk, 'From-Folder-q4f32_1-MLC'));
    await isWhole(page, 'From-Folder-q4f32_1-MLC');
    await expect
      .poll(() => articleOf(page, 'From-Folder-q4f32_1-MLC').innerText())
      .toContain('Complete on this device: 1.8 MB');
    const asked = watchOutside();
    await press(page, 'From-Folder-q4f32_1-MLC', 'Use');
    await articleOf(page, 'From-Folder-q4f32_1-MLC')
      .getByRole('alert')
      .getByText(/cannot be used: it is damaged, or made for another version/)
      .waitFor();
    expect(asked).toEqual([]);
    await press(page, 'From-Folder-q4f32_1-MLC', 'Delete');
    // Nothing could restore it.
    await page.getByRole('dialog').getByRole('button', { name: 'Delete its files' }).click();
    await articleOf(page, 'From-Folder-q4f32_1-MLC').waitFor({ state: 'detached' });
    expect(await keptBytes(page)).toBe(0);
  });

  const damages = [
    {
      name: 'a damaged shard',
      change: (files: Map<string, Buffer>) => files.get('params_shard_1.bin')!.fill(0, 100, 110),
      said: /A file is damaged/,
    },
    {
      name: 'a missing shard',
      change: (files: Map<string, Buffer>) => void files.delete('params_shard_2.bin'),
      said: /files that tensor-cache.json lists are missing/,
    },
    {
      name: 'no library',
      change: (files: Map<string, Buffer>) => void files.delete('library.wasm'),
      said: /must hold the model’s library/,
    },
  ];
  thorough.for(damages)(
    'a broken WebLLM folder is refused, and its copy is deleted: a folder with $name',
    async ({ change, said }) => {
      const { page } = site;
      await openModels(page);
      await addFromDisk(
        page,
        'Folder',
        await writeModelFolder(disk, `Broken-${String(said).length}`, change),
      );
      await form(page).getByRole('alert').getByText(said).waitFor();
      expect(await keptBytes(page)).toBe(0);
    },
  );
});

thorough(
  'a model added as a JSON record downloads from a local address and can be deleted midway',
  async () => {
    const { page } = site;
    await openModels(page);
    const record = {
      model: repository.modelUrl,
      model_id: 'By-Record',
      model_lib: repository.libraryUrl,
      overrides: { context_window_size: 2048 },
    };
    await form(page).getByText('Record (JSON)').click();
    await form(page).getByRole('textbox', { name: 'Record (JSON)' }).fill(JSON.stringify(record));
    await form(page).getByRole('button', { name: 'Add record' }).click();
    repository.stopAt = 200_000;
    await press(page, 'By-Record', 'Download');
    await expect
      .poll(() => articleOf(page, 'By-Record').getByRole('status').innerText())
      .toMatch(/^6\d\d kB of 1.8 MB/);
    expect(await keptBytes(page)).toBeGreaterThan(600_000);
    await press(page, 'By-Record', 'Delete');
    await articleOf(page, 'By-Record').waitFor({ state: 'detached' });
    expect(await keptBytes(page)).toBe(0);
  },
);

thorough('a mirror site, if set, gets all requests for a model instead of the original host', async () => {
  const { page } = site;
  await openModels(page);
  await expect
    .poll(() => articleOf(page, listed).innerText())
    .toMatch(/Download: about 3\d\d(\.\d)? MB, once/);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const mirror = new URL(repository.modelUrl).origin;
  for (const host of ['huggingface.co', 'raw.githubusercontent.com']) {
    await page.getByLabel(`Mirror of ${host}`).fill(`${mirror}/`);
    await page.getByLabel(`Mirror of ${host}`).press('Tab');
  }
  await openModels(page);
  repository.stopAt = 100_000;
  await press(page, listed, 'Download');
  await expect.poll(() => articleOf(page, listed).getByRole('status').innerText()).toMatch(/of 1.8 MB/);
  await press(page, listed, 'Pause');
  await articleOf(page, listed).getByText('Download: 1.8 MB, once.').waitFor();
  repository.stopAt = undefined;
  await press(page, listed, 'Resume');
  await isWhole(page, listed);
  const names = new Set(repository.requests.map(({ name }) => name));
  expect([...names].sort()).toEqual([...makeModelFiles().keys()].sort());
  expect(outside.requests).toEqual([]);
});

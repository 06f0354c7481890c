/** A model moves to another machine, in the built site: exported to the disk, and imported in another browser. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  addFromDisk,
  answers,
  articleOf,
  isWhole,
  keptBytes,
  keptHashes,
  loadModel,
  openModels,
  press,
  writeModelFolder,
} from './model-steps';
import { thorough } from '../support/matrix';
import { openSite, type Site } from './site';

const folder = process.env['HEARTH_DIST'] ?? 'dist';
/** A GPU adapter without 16-bit numbers. */
const args = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
const listed = 'Qwen2.5-0.5B-Instruct-q4f32_1-MLC';

let disk: string;
let site: Site;
beforeAll(async () => {
  disk = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
});
afterAll(() => rm(disk, { recursive: true, force: true }));
beforeEach(async () => {
  site = await openSite({ folder, args });
});
afterEach(() => site.close());

thorough('an exported GGUF model is unchanged and can be imported again', async () => {
  const path = join(disk, 'travels.gguf');
  await cp('public/models/ember.gguf', path);
  const { page } = site;
  // Like a browser that cannot choose folders.
  await site.context.addInitScript(() => Reflect.deleteProperty(window, 'showDirectoryPicker'));
  await page.reload();
  await openModels(page);
  await addFromDisk(page, 'GGUF file', path);
  await isWhole(page, 'travels');
  const saving = page.waitForEvent('download');
  await press(page, 'travels', 'Export');
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('travels.gguf');
  const out = join(disk, 'out', 'travels.gguf');
  await saved.saveAs(out);
  expect(hashOf(await readFile(out))).toBe(hashOf(await readFile(path)));

  const other = await openSite({ folder });
  try {
    await openModels(other.page);
    await addFromDisk(other.page, 'GGUF file', out);
    await isWhole(other.page, 'travels');
    await loadModel(other.page, 'travels');
    await answers(other.page);
  } finally {
    await other.close();
  }
});

thorough('an exported catalog model is identical on another device, byte for byte', async () => {
  const { page } = site;
  await page.evaluate(() => {
    // The folder that the user chooses, which the test can read afterwards.
    Object.assign(window, { showDirectoryPicker: () => navigator.storage.getDirectory() });
  });
  await openModels(page);
  await addFromDisk(page, 'Folder', await writeModelFolder(disk, listed));
  await isWhole(page, listed);
  const before = await keptHashes(page);
  await press(page, listed, 'Export');
  await articleOf(page, listed).getByRole('status').getByText('exported').waitFor();
  const exported = await page.evaluate(async (name) => {
    const root = await navigator.storage.getDirectory();
    const files: Record<string, string> = {};
    const folder = await root.getDirectoryHandle(name);
    for await (const [file, handle] of folder.entries()) {
      const bytes = new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer());
      files[file] = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    }
    return files;
  }, listed);
  const out = join(disk, 'exported', listed);
  await mkdir(out, { recursive: true });
  for (const [file, text] of Object.entries(exported)) await writeFile(join(out, file), text, 'latin1');

  const other = await openSite({ folder, args });
  try {
    await openModels(other.page);
    await addFromDisk(other.page, 'Folder', out);
    await isWhole(other.page, listed);
    expect(await keptHashes(other.page)).toEqual(before);
    await expect
      .poll(() => articleOf(other.page, listed).innerText())
      .toContain('Complete on this device: 1.8 MB');
    await press(other.page, listed, 'Delete');
    await articleOf(other.page, listed).getByRole('button', { name: 'Download' }).waitFor();
    expect(await keptBytes(other.page)).toBe(0);
  } finally {
    await other.close();
  }
});

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

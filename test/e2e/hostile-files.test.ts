/** Hostile files, attached in the built site: nothing in them runs or is requested, the page is never blocked, and unread files are reported. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freezeMs, watchTasks } from '../../scripts/page-tasks.js';
import { type HostileFile, hostileFiles } from '../support/hostile-files';
import { everyNth, slow } from '../support/matrix';
import { pressAway } from './chat-steps';
import { openSite, type Site } from './site';

const heldUp: number[] = [];
const asked: string[] = [];

let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  page.context().on('request', (request) => asked.push(request.url()));
  page.context().on('page', (opened) => asked.push(`a page: ${opened.url()}`));
  page.on('dialog', (dialog) => asked.push(`a dialog: ${dialog.message()}`));
  await page.getByRole('button', { name: 'Attach' }).waitFor();
});
afterAll(async () => {
  console.log(
    `${heldUp.length} hostile files, longest task of the page ${Math.max(...heldUp).toFixed(0)} ms`,
  );
  await site.close();
  await rm(folder, { recursive: true });
});

const form = () =>
  site.page.locator('form').filter({ has: site.page.getByRole('textbox', { name: 'Message' }) });
/** Returns why a file cannot be attached. */
const said = () =>
  form()
    .getByRole('status')
    .filter({ has: site.page.getByRole('button', { name: /^Leave out/ }) });
const chip = () => form().getByRole('button', { name: /^Look into/ });

afterEach(async () => {
  await pressAway(form().getByRole('button', { name: /^(?:Leave out|Remove)/ }));
  await expect.poll(() => said().or(chip()).count()).toBe(0);
});

/** Passes a path if the disk can store the name, because the page would have to decode bytes. */
async function choose({ name, make }: Pick<HostileFile, 'name' | 'make'>): Promise<void> {
  const input = site.page.locator('input[type=file]');
  const buffer = Buffer.from(await make());
  const isPlain = /^[\w.]{1,40}$/.test(name);
  if (isPlain) await writeFile(join(folder, name), buffer);
  await input.setInputFiles(isPlain ? join(folder, name) : { name, mimeType: '', buffer });
}

test('the tests cover more than forty hostile files', () => {
  expect(hostileFiles.length).toBeGreaterThan(40);
  expect(new Set(hostileFiles.map(({ what }) => what)).size).toBe(hostileFiles.length);
});

slow.for(everyNth(18, hostileFiles))(
  'a hostile file is read or refused without harm: $what',
  { timeout: 90_000 },
  async ({ says, ...file }) => {
    const { page } = site;
    const longest = await watchTasks(page.context().browser());
    await choose(file);
    await said().or(chip()).first().waitFor({ timeout: 70_000 });
    const ms = await longest();
    heldUp.push(ms);
    const outcome = (await said().count()) > 0 ? await said().innerText() : 'read';
    if (says) expect(outcome).toMatch(says);
    else expect(outcome).toBe('read');
    expect(await form().innerText()).not.toMatch(/\u202E|\.\.[\\/]/);
    expect(ms).toBeLessThan(freezeMs);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    expect(asked.filter((url) => !url.startsWith(site.url) && !/^(?:blob|data):/.test(url))).toEqual([]);
  },
);

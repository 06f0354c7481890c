/** Files that are no backups, chosen in the built site: refused with a reason, without any change, and without blocking the page. */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { freezeMs, watchTasks } from '../../scripts/page-tasks.js';
import { backupRegion, carriedRows, exportAll, openBackup, stockPage } from './backup-steps';
import { everyNth, takesAll, slow } from '../support/matrix';
import { openSite, type Site } from './site';

const million = 1_000_000;
const mega = takesAll ? 400 : 40;

let folder: string;
let site: Site;
let good: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malformed-'));
  site = await openSite({ folder: 'dist-e2e' });
  const { page } = site;
  await page.addInitScript(watchReads);
  await stockPage(page);
  await openBackup(page);
  good = (await exportAll(page)).bytes;
  // Check that the watcher would notice a read.
  await page.evaluate(() => new Blob(['a']).text());
  expect(await readsOf(page)).toContain('text');
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

/** Runs in the page, not in its workers: records each time the page itself reads the bytes of a file. */
function watchReads(): void {
  const reads: string[] = [];
  Object.assign(window, { reads });
  for (const kind of [Blob.prototype, FileReader.prototype, Response.prototype] as const) {
    for (const name of Object.getOwnPropertyNames(kind)) {
      if (!/^(?:arrayBuffer|bytes|text|json|stream|readAs.*)$/.test(name)) continue;
      const own = Reflect.get(kind, name) as (...given: unknown[]) => unknown;
      Object.defineProperty(kind, name, {
        configurable: true,
        value(this: unknown, ...given: unknown[]) {
          // Responses that the app fetches itself are not the user's files.
          if (!(this instanceof Response)) reads.push(name);
          return own.apply(this, given);
        },
      });
    }
  }
}

const readsOf = (page: Page) => page.evaluate(() => (window as unknown as { reads: string[] }).reads);

/** `write` creates the file at the given path. */
const cases: { what: string; says: RegExp; write: (path: string) => Promise<void> }[] = [
  {
    what: 'the first half of a backup',
    says: /^This file is cut off/,
    write: (path) => writeFile(path, good.subarray(0, good.length / 2)),
  },
  {
    what: 'a backup with other bytes in it',
    says: /^This file holds what no backup/,
    write: (path) =>
      writeFile(
        path,
        good.map((byte, at) => (at % 500 === 77 ? byte ^ 255 : byte)),
      ),
  },
  {
    what: 'lists in lists, a million deep',
    says: /^This is not a file that Hearth can read/,
    write: (path) => writeFile(path, '['.repeat(million)),
  },
  {
    what: 'a chat without end',
    // A file of this size is refused before it is read if the browser has too little space for it.
    says: /^This file (?:is cut off|holds more than there is room for)/,
    write: async (path) => {
      const file = await open(path, 'w');
      await file.write('[{"title":"x","mapping":{"a":{"message":{"content":{"parts":["');
      for (let at = 0; at < mega; at++) await file.write('x'.repeat(million));
      await file.close();
    },
  },
  {
    what: 'lines that are no chats',
    says: /^This is not a file that Hearth can read/,
    write: async (path) => {
      const file = await open(path, 'w');
      for (let at = 0; at < mega; at++) await file.write('{"a":1}\n'.repeat(million / 8));
      await file.close();
    },
  },
  {
    what: 'an encrypted one of nothing',
    says: /^This file is encrypted/,
    write: (path) => writeFile(path, `age-encryption.org/v1\n${'-> X25519 abc\n'.repeat(100_000)}`),
  },
];

slow.for(everyNth(3, cases))(
  'a malformed import file is refused with an error and does not block the page: $what',
  { timeout: 120_000 },
  async ({ says, write }) => {
    const { page } = site;
    const path = join(folder, 'conversations.json');
    await write(path);
    const before = await carriedRows(page);
    const readBefore = await readsOf(page);
    const region = backupRegion(page);
    const longest = await watchTasks(page.context().browser());
    // Passes a path, because the page would read bytes first.
    await region.locator('input[type=file]').setInputFiles(path);
    const said = region.getByRole('alert');
    await said.getByText(says).waitFor({ timeout: 100_000 });
    const ms = await longest();
    expect(ms).toBeLessThan(freezeMs);
    expect(await said.innerText()).toMatch(/Nothing was changed/);
    expect(await readsOf(page)).toEqual(readBefore);
    expect(await carriedRows(page)).toEqual(before);
  },
);

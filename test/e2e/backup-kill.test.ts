/**
 * The browser is killed while it reads a backup, imports it, exports one, or writes one to the folder. Afterwards everything is there, or nothing.
 * Only in `npm run test:all`.
 */
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { minKeptBackups } from '../../src/backup/write-to-folder';
import { readArchive } from '../../src/backup/read-archive';
import { chatRecord, question } from '../support/stored-chat';
import { createRandom } from '../support/random';
import { backupRegion, choose, exportAll, openBackup, previewOf } from './backup-steps';
import { writeRows } from './chat-steps';
import { progressReaches } from './kill-steps';
import { thorough } from '../support/matrix';
import { databaseIsMade, openSite, type Site } from './site';

const messages = 2000;
/** The ids of the chat that is here from the start, and of the one in the file. */
const [own, other] = ['own', 'other'] as const;
const kinds = ['take', 'read', 'export', 'folder'] as const;
type Kind = (typeof kinds)[number];

/** Each kind a hundred times, at every hundredth of its progress, in a mixed order. */
const rounds = Array.from({ length: 100 * kinds.length }, (_, round) => {
  const turn = Math.floor(round / kinds.length);
  return { round, kind: kinds[round % kinds.length] ?? 'take', share: ((turn * 37 + 29) % 100) / 100 };
});

let site: Site;
let page: Page;
let file: { name: string; bytes: Buffer };
/** Number of whole backups in the folder at the last check. */
let backups = 0;
let sumOfOwn = '';
const met = new Map<Kind, { rounds: number; met: number; undone: number }>();

/** Creates a chat whose text compresses badly. */
function chatOf(id: string) {
  const random = createRandom(id.length);
  const text = () => Array.from({ length: 40 }, () => Math.floor(random() * 1e9).toString(36)).join(' ');
  return {
    chats: [chatRecord(id, { title: id, isNamed: true, leafId: `${id}-${messages - 1}` })],
    messages: Array.from({ length: messages }, (_, depth) => ({
      ...question(`${id}-${depth}`, depth === 0 ? null : `${id}-${depth - 1}`, text(), id),
      depth,
      turnEnd: 'stopped',
    })),
    tally: [{ id: 'messages', written: messages, deleted: 0 }],
  };
}

beforeAll(async () => {
  const source = await openSite({ folder: 'dist-e2e' });
  await databaseIsMade(source.page);
  await writeRows(source.page, chatOf(other));
  await openBackup(source.page);
  file = await exportAll(source.page);
  await source.close();
  site = await openSite({ folder: 'dist-e2e', keepsProfile: true });
  page = site.page;
  await databaseIsMade(page);
  await writeRows(page, chatOf(own));
  await answerChoosers();
  await openBackup(page);
  await backupRegion(page).getByRole('button', { name: 'Choose folder' }).click();
  await backupRegion(page)
    .getByText(/^Last backup: /)
    .waitFor();
  backups = await backupsIn('Backups');
  sumOfOwn = (await look()).sum;
});
afterAll(async () => {
  for (const [kind, { rounds: all, met: inside, undone }] of met)
    console.log(
      `${kind}: killed ${all} times, ${inside} of them in the midst of it; ${undone} were not done`,
    );
  await site.close();
});

/** The choosers do not open here: folders of the origin private file system replace those that a user would choose. */
const answerChoosers = () =>
  page.evaluate(() => {
    const folder = async (name: string) =>
      (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
    Object.assign(window, {
      showDirectoryPicker: () => folder('Backups'),
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
        (await folder('Exports')).getFileHandle(suggestedName, { create: true }),
    });
  });

/** Files that were read completely and found valid. */
const sound = new Set<string>();

/** Counts the whole backups in a folder. Fails for a partial one; empty files do not count. */
async function backupsIn(name: string): Promise<number> {
  const read = (only?: string) =>
    page.evaluate(
      async ([folder, wanted]) => {
        const root = await navigator.storage.getDirectory();
        const files: { name: string; sum: string; base64?: string }[] = [];
        const there = await root.getDirectoryHandle(folder, { create: true });
        for await (const [fileName, handle] of there.entries()) {
          // The browser writes this temporary file and then puts it in the place of the real one.
          if (fileName.endsWith('.crswap')) continue;
          const bytes = new Uint8Array(
            await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer(),
          );
          if (bytes.length === 0) continue;
          const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).join();
          const text = () => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
          files.push({ name: fileName, sum, ...(wanted === fileName && { base64: text() }) });
        }
        return files;
      },
      [name, only] as const,
    );
  const files = await read();
  for (const { name: fileName, sum } of files) {
    if (sound.has(sum)) continue;
    const base64 = (await read(fileName)).find((file) => file.name === fileName)?.base64 ?? '';
    const take = () => Promise.resolve();
    const options = { schema: Infinity, maxBytes: Infinity, take, onProgress: () => undefined };
    const { files: tables } = await readArchive(new Blob([Buffer.from(base64, 'base64')]), options);
    expect(tables.find(({ table }) => table === 'messages')?.rows).toBeGreaterThanOrEqual(messages);
    sound.add(sum);
  }
  return files.length;
}

/** Returns the number of messages per chat, the number of staged ones, and a sum over what was here from the start. */
async function look(): Promise<{ own: number; other: number; staged: number; sum: string }> {
  return page.evaluate(async () => {
    const rowsOf = async (name: string, table: string) => {
      // Opening a missing database without a version would create it.
      if (!(await indexedDB.databases()).some((database) => database.name === name)) return [];
      const open = indexedDB.open(name);
      await new Promise((resolve) => (open.onsuccess = resolve));
      const all = open.result.transaction(table).objectStore(table).getAll();
      await new Promise((resolve) => (all.onsuccess = resolve));
      open.result.close();
      return all.result as { chatId?: string; id?: string; table?: string; rows?: unknown[] }[];
    };
    const kept = await rowsOf('hearth', 'messages');
    const chats = await rowsOf('hearth', 'chats');
    const isWhole = (await rowsOf('hearth-import', 'staged')).length > 0;
    const batches = (await rowsOf('hearth-import', 'batches')).filter(({ table }) => table === 'messages');
    const mine = [kept.filter(({ chatId }) => chatId === 'own'), chats.filter(({ id }) => id === 'own')];
    const bytes = new TextEncoder().encode(JSON.stringify(mine));
    const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).join();
    const countOf = (id: string) =>
      chats.some((chat) => chat.id === id) ? kept.filter(({ chatId }) => chatId === id).length : 0;
    return {
      own: countOf('own'),
      other: countOf('other'),
      sum,
      staged: isWhole ? batches.reduce((count, { rows = [] }) => count + rows.length, 0) : 0,
    };
  });
}

/** Starts the action and resolves at the moment of the kill, to whether it was still running. */
const begin: Record<Kind, (share: number) => Promise<boolean>> = {
  async take(share) {
    await choose(page, file.name, file.bytes);
    await previewOf(page).getByRole('button', { name: 'Merge' }).click();
    return progressReaches(bar(), share);
  },
  async read(share) {
    await choose(page, file.name, file.bytes);
    return progressReaches(bar(), share);
  },
  async export(share) {
    await backupRegion(page).getByRole('button', { name: 'Export everything' }).click();
    return progressReaches(bar(), share);
  },
  async folder(share) {
    const reached = folderReaches(share);
    await backupRegion(page).getByRole('button', { name: 'Back up now' }).click();
    return reached;
  },
};
const bar = () => backupRegion(page).getByRole('progressbar');

/** Shares of a backup's progress. The folder shows none, so we define them: writing, reading back, then deleting old backups. */
const [writing, readingBack] = [0.7, 0.9] as const;

/**
 * Waits until the file being written has this share of the last one's length, until it is complete, or until the first old backup is deleted.
 * Resolves to whether the backup was still running then.
 */
const folderReaches = (share: number) =>
  page.evaluate(
    async ([wanted, written, readBack]) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('Backups');
      const sizes = async () => {
        const found = new Map<string, number>();
        for await (const [name, handle] of folder.entries()) {
          const file = await (handle as FileSystemFileHandle).getFile().catch(() => undefined);
          if (file && file.size > 0) found.set(name, file.size);
        }
        return found;
      };
      let isLettingGo = false;
      const plain = Reflect.get(FileSystemDirectoryHandle.prototype, 'removeEntry') as (
        ...given: unknown[]
      ) => Promise<void>;
      Object.assign(FileSystemDirectoryHandle.prototype, {
        removeEntry(this: FileSystemDirectoryHandle, ...given: unknown[]) {
          isLettingGo = true;
          return plain.apply(this, given);
        },
      });
      const before = await sizes();
      const length = Math.max(...before.values());
      const isAtWork = () =>
        [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
          textContent.includes('At work.'),
        );
      while (!isAtWork()) await new Promise((resolve) => setTimeout(resolve, 1));
      while (isAtWork()) {
        const fresh = [...(await sizes())].filter(([name]) => !before.has(name));
        const part = fresh.find(([name]) => name.endsWith('.crswap'))?.[1] ?? 0;
        const isWhole = fresh.some(([name]) => !name.endsWith('.crswap'));
        const isWritten = isWhole || (wanted < written && part >= (length * wanted) / written);
        if (wanted < readBack ? isWritten : isLettingGo) break;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return isAtWork();
    },
    [share, writing, readingBack] as const,
  );

thorough.for(rounds)(
  'killing the browser during a backup leaves no damaged file: $round, $kind, at $share of the way',
  async ({ kind, share }) => {
    await answerChoosers();
    await openBackup(page);
    const isMet = await begin[kind](share);
    page = await site.killAndReopen();
    await databaseIsMade(page);
    const after = await look();
    expect(after.own).toBe(messages);
    expect(kind === 'take' ? [0, messages] : [0]).toContain(after.other);
    expect(after.sum).toBe(sumOfOwn);
    // A file that was read completely is offered again, and nothing else. An imported one may be offered once more.
    expect(kind === 'take' && after.other === 0 ? [messages] : [0, messages]).toContain(after.staged);
    const [before, exports] = [backups, await backupsIn('Exports')];
    backups = await backupsIn('Backups');
    // If the kill came before old backups were deleted, the next backup deletes them. The newest ones and the last of the month stay.
    expect(backups).toBeGreaterThanOrEqual(Math.min(before, minKeptBackups + 1));
    const count = met.get(kind) ?? { rounds: 0, met: 0, undone: 0 };
    const isDone = { take: after.other, read: after.staged, export: exports, folder: backups };
    const wasDone = { take: 0, read: 0, export: 0, folder: before };
    met.set(kind, {
      rounds: count.rounds + 1,
      met: count.met + (isMet ? 1 : 0),
      undone: count.undone + (isDone[kind] > wasDone[kind] ? 0 : 1),
    });
    await asBefore(after.staged > 0);
  },
);

/** Discards an offered import, and deletes what was imported or exported. */
async function asBefore(isOffered: boolean): Promise<void> {
  await openBackupOf(page);
  if (isOffered) {
    await previewOf(page)
      .getByRole('row', { name: `Messages ${messages.toLocaleString('en')} ` })
      .waitFor();
    await previewOf(page).getByRole('button', { name: 'Cancel' }).click();
    await previewOf(page).waitFor({ state: 'hidden' });
  }
  await page.evaluate(async (id) => {
    await (await navigator.storage.getDirectory()).removeEntry('Exports', { recursive: true });
    const open = indexedDB.open('hearth');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const transaction = open.result.transaction(['chats', 'messages'], 'readwrite');
    transaction.objectStore('chats').delete(id);
    const theirs = IDBKeyRange.bound(`${id}-`, `${id}-\uffff`);
    transaction.objectStore('messages').delete(theirs);
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    open.result.close();
    localStorage.clear();
  }, other);
}

const openBackupOf = (shown: Page) => shown.goto(`${site.url}#/settings/backup`);

import 'fake-indexeddb/auto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createBackupScheduler } from '../../../src/app/backups';
import { writeToFolder } from '../../../src/backup/write-to-folder';
import type { BackupNotice, FolderTrouble } from '../../../src/contracts/backup';
import { canWriteTo } from '../../../src/platform/folders';
import { emptyRecord, type FolderRecord } from '../../../src/store/backup-folder';
import { backupStage } from '../../support/backup/backup-stage';
import { FakeFolder, type FolderFault } from '../../support/backup/fake-folder';
import { everyNth, thorough } from '../../support/matrix';
import { stockDatabase } from '../../support/backup/stocked-database';

// The worker's security policies need a page.
vi.mock('../../../src/platform/start-worker', () => ({}));

beforeAll(() => stockDatabase('troubles'));

/** The backup keeper with fakes. Each call advances its clock by one minute. */
function stage(passphrase = '') {
  const { remote } = backupStage('troubles');
  const folder = new FakeFolder();
  const told: BackupNotice[] = [];
  let record: FolderRecord = { ...emptyRecord, handle: folder.handle, passphrase };
  let now = Date.parse('2026-11-26T18:05:12Z');
  const keeper = createBackupScheduler({
    records: {
      load: async () => record,
      change: async (changed) => (record = { ...record, ...changed }),
    },
    watch: () => () => undefined,
    lastChange: async () => ({ at: 5, chats: 9 }),
    write: (handle, words, at) =>
      writeToFolder(remote, { folder: handle, passphrase: words, app: '0.1.0', now: at }),
    mayWrite: canWriteTo,
    canKeepFolders: true,
    alone: (task) => task(),
    mustWait: () => false,
    tell: (notice) => told.push(notice),
    onRecord: () => undefined,
    now: () => (now += 60_000),
    setTimer: () => undefined,
  });
  return { folder, told, keeper, record: () => record };
}

const faults: { fault: FolderFault; trouble: FolderTrouble }[] = [
  { fault: 'lapsed', trouble: 'permission' },
  { fault: 'denied', trouble: 'permission' },
  { fault: 'gone', trouble: 'gone' },
  { fault: 'full', trouble: 'full' },
  { fault: 'changed', trouble: 'unsound' },
  { fault: 'cut', trouble: 'unsound' },
];

describe.for(everyNth(3, faults))('a backup folder with the fault "$fault"', ({ fault, trouble }) => {
  test('is reported once, leaves earlier backups intact, and is used again once fixed', async () => {
    const { folder, told, keeper, record } = stage();
    await keeper.backUp();
    const [first = ''] = folder.files.keys();
    const bytes = folder.files.get(first);
    folder.fault = fault;
    await keeper.backUp();
    await keeper.backUp();
    expect(told).toEqual([{ type: 'trouble', trouble }]);
    expect(record()).toMatchObject({ trouble, isChanged: true, last: { name: first } });
    expect([...folder.files]).toEqual([[first, bytes]]);

    folder.fault = undefined;
    await keeper.backUp();
    expect(record()).toMatchObject({ trouble: undefined, isChanged: false });
    expect(folder.files.size).toBe(2);
    // The same fault is reported again after a success.
    folder.fault = fault;
    await keeper.backUp();
    expect(told).toHaveLength(2);
  });
});

test('a second problem with a backup folder is reported too', async () => {
  const { folder, told, keeper } = stage();
  folder.fault = 'full';
  await keeper.backUp();
  folder.fault = 'lapsed';
  await keeper.backUp();
  expect(told.map((notice) => notice.type === 'trouble' && notice.trouble)).toEqual(['full', 'permission']);
});

thorough('two backups within a second are both stored', async () => {
  const { folder } = stage();
  const { remote } = backupStage('troubles');
  const options = { folder: folder.handle, passphrase: '', app: '0.1.0', now: 1_700_000_000_000 };
  const one = await writeToFolder(remote, options);
  const kept = folder.files.get(one.name);
  folder.fault = 'full';
  await expect(writeToFolder(remote, options)).rejects.toMatchObject({ code: 'storage-full' });
  expect([...folder.files]).toEqual([[one.name, kept]]);
  folder.fault = undefined;
  await writeToFolder(remote, options);
  expect(folder.files.size).toBe(2);
});

import { describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../src/contracts/app-error';
import type { BackupNotice } from '../../../src/contracts/backup';
import {
  createBackupScheduler,
  hourMs,
  type BackupSchedulerOptions,
  minReminderGapMs,
} from '../../../src/app/backups';
import type { FolderRecord } from '../../../src/store/backup-folder';

// The worker's security policies need a page.
vi.mock('../../../src/platform/start-worker', () => ({}));

const handle = {} as FileSystemDirectoryHandle;

/** The backup keeper with a clock that the test sets, and a folder that accepts every backup. */
function stage(record: Partial<FolderRecord> = {}, parts: Partial<BackupSchedulerOptions> = {}) {
  let kept: FolderRecord = {
    id: 'folder',
    passphrase: '',
    isChanged: false,
    isTold: false,
    isReminding: true,
    ...record,
  };
  let now = 1_000_000_000_000;
  let change: () => void = () => undefined;
  const timers: { at: number; task: () => void }[] = [];
  const written: number[] = [];
  const told: BackupNotice[] = [];
  const keeper = createBackupScheduler({
    records: {
      load: async () => kept,
      change: async (changed) => (kept = { ...kept, ...changed }),
    },
    watch: (onChange) => ((change = onChange), () => undefined),
    lastChange: async () => ({ at: 5, chats: 9 }),
    write: async (_, __, at) => {
      written.push(at);
      return { at, name: `${at}`, bytes: 1 };
    },
    mayWrite: async () => true,
    alone: (task) => task(),
    mustWait: () => false,
    canKeepFolders: true,
    tell: (notice) => told.push(notice),
    onRecord: () => undefined,
    now: () => now,
    setTimer: (task, ms) => timers.push({ at: now + ms, task }),
    ...parts,
  });
  return {
    keeper,
    written,
    told,
    kept: () => kept,
    change: async () => {
      change();
      await settle();
    },
    pass: async (ms: number) => {
      const end = now + ms;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!next) break;
        timers.splice(timers.indexOf(next), 1);
        now = Math.max(now, next.at);
        next.task();
        await settle();
      }
      now = end;
    },
    start: now,
  };
}

const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
const last = (at: number) => ({ at, name: 'old', bytes: 1 });

describe('automatic backups to a folder', () => {
  test('invariant: automatic backups follow changes, at most once an hour', async () => {
    const { keeper, written, change, pass, start } = stage({ handle, last: last(10) });
    await keeper.begin();
    expect(written).toEqual([]);
    await change();
    await change();
    await pass(2 * 60_000);
    expect(written).toEqual([start + 60_000]);
    await change();
    await pass(50 * 60_000);
    expect(written).toHaveLength(1);
    await pass(20 * 60_000);
    expect(written).toEqual([start + 60_000, start + 60_000 + hourMs]);
    await pass(5 * hourMs);
    expect(written).toHaveLength(2);
  });

  test('a change that an earlier visit did not back up is backed up when Hearth starts', async () => {
    const { keeper, written } = stage({ handle, last: last(4) });
    await keeper.begin();
    expect(written).toHaveLength(1);
  });

  test('a backup waits while a chat is being answered', async () => {
    let isBusy = true;
    const { keeper, written, pass } = stage({ handle }, { mustWait: () => isBusy });
    await keeper.begin();
    await pass(10 * 60_000);
    expect(written).toEqual([]);
    isBusy = false;
    await pass(2 * 60_000);
    expect(written).toHaveLength(1);
  });

  test('another backup follows if data changes during a backup', async () => {
    let release: (() => void) | undefined;
    const { keeper, kept, change, pass } = stage(
      { handle },
      { write: (_, __, at) => new Promise((resolve) => (release = () => resolve(last(at)))) },
    );
    const begun = keeper.begin();
    await settle();
    await change();
    release?.();
    await begun;
    expect(kept().isChanged).toBe(true);
    await pass(hourMs);
    release?.();
    await settle();
    expect(kept().isChanged).toBe(false);
  });

  test.for([
    { error: new DOMException('', 'NotAllowedError'), trouble: 'permission' },
    { error: new DOMException('', 'NotFoundError'), trouble: 'gone' },
    { error: new AppError('storage-full', ''), trouble: 'full' },
    { error: new AppError('backup-damaged', ''), trouble: 'unsound' },
    { error: new AppError('backup-unwritable', 'NotAllowedError: no'), trouble: 'permission' },
    { error: new Error('who knows'), trouble: 'failed' },
  ])(
    'a lasting problem is reported only once until a backup succeeds: "$trouble"',
    async ({ error, trouble }) => {
      let isBad = true;
      const { keeper, kept, told, change, pass } = stage(
        { handle },
        { write: async (_, __, at) => (isBad ? Promise.reject(error) : last(at)) },
      );
      await keeper.begin();
      await pass(5 * hourMs);
      expect(told).toEqual([{ type: 'trouble', trouble }]);
      expect(kept()).toMatchObject({ trouble, isChanged: true });
      isBad = false;
      await pass(2 * hourMs);
      expect(kept().trouble).toBeUndefined();
      expect(kept().isChanged).toBe(false);
      isBad = true;
      await change();
      await pass(2 * hourMs);
      expect(told).toHaveLength(2);
    },
  );

  test('a folder that Hearth may no longer write to is reported', async () => {
    const { keeper, written, told } = stage({ handle }, { mayWrite: async () => false });
    await keeper.begin();
    expect(written).toEqual([]);
    expect(told).toEqual([{ type: 'trouble', trouble: 'permission' }]);
  });
});

describe('the backup reminder in browsers that cannot write to a folder', () => {
  const start = 1_000_000_000_000;
  test.for([
    { when: 'nothing was ever exported', record: {}, days: undefined, isTold: true },
    {
      when: 'the last export was long ago',
      record: { exportedAt: start - 2 * minReminderGapMs },
      days: 60,
      isTold: true,
    },
    {
      when: 'the last export was recent',
      record: { exportedAt: start - minReminderGapMs / 2 },
      isTold: false,
    },
    {
      when: 'the last reminder was recent',
      record: { remindedAt: start - minReminderGapMs / 2 },
      isTold: false,
    },
    { when: 'the user wants no reminders', record: { isReminding: false }, isTold: false },
  ])(
    'depends on earlier exports, earlier reminders and the setting: shown = $isTold if $when',
    async ({ record, days, isTold }) => {
      const { keeper, told } = stage(record, { canKeepFolders: false });
      await keeper.begin();
      expect(told).toEqual(isTold ? [{ type: 'reminder', ...(days !== undefined && { days }) }] : []);
    },
  );

  test('is not shown if there are hardly any chats', async () => {
    const { keeper, told } = stage(
      {},
      { canKeepFolders: false, lastChange: async () => ({ at: 5, chats: 1 }) },
    );
    await keeper.begin();
    expect(told).toEqual([]);
  });
});

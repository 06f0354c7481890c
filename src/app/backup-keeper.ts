/**
 * Makes automatic backups after changes, at most hourly and in one tab at a time. Without a backup folder it reminds the user now and
 * then.
 */
import type { BackupNotice, FolderTrouble } from '../contracts/backup';
import type { FolderRecord } from '../store/backup-folder';

export const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Milliseconds from a change to a backup, because changes come in groups, and until the next look if it must wait. */
const settleMs = 60_000;
/** Minimum interval between reminders. There are none while there is hardly anything to lose. */
export const remindMs = 30 * dayMs;
const worthKeeping = 3;

export interface KeeperParts {
  load: () => Promise<FolderRecord>;
  change: (changed: Partial<FolderRecord>) => Promise<FolderRecord>;
  /** Reports each stored change. Returns a function that ends it. */
  watch: (onChange: () => void) => () => void;
  /** Time of the newest chat. Undefined if there is none. */
  lastChange: () => Promise<{ at: number; chats: number } | undefined>;
  /** Writes a backup and reads it back. Rejects with an error that `toTrouble` reads. */
  write: (
    folder: FileSystemDirectoryHandle,
    passphrase: string,
    now: number,
  ) => Promise<FolderRecord['last']>;
  mayWrite: (folder: FileSystemDirectoryHandle) => Promise<boolean>;
  toTrouble: (error: unknown) => FolderTrouble;
  alone: (task: () => Promise<void>) => Promise<void>;
  /** A chat is being answered, or a restore was incomplete and the user has not decided yet. */
  mustWait: () => boolean;
  canKeepFolders: boolean;
  /** Shows a notice on any screen. */
  tell: (notice: BackupNotice) => void;
  onRecord: (record: FolderRecord) => void;
  now: () => number;
  setTimer: (task: () => void, ms: number) => void;
}

export class BackupKeeper {
  readonly #parts: KeeperParts;
  #isTimed = false;
  #isMarked = false;
  #tried = 0;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  async begin(): Promise<void> {
    const { load, change, lastChange, canKeepFolders, watch } = this.#parts;
    const record = await load();
    const newest = await lastChange();
    // A change of an earlier visit, after its last backup.
    const isBehind = newest !== undefined && newest.at > (record.last?.at ?? 0);
    if (record.handle && isBehind && !record.isChanged) await change({ isChanged: true });
    watch(() => void this.#mark().catch(() => undefined));
    if (!canKeepFolders) await this.#remind(record, newest);
    await this.look();
  }

  /** Makes a backup if one is due, and schedules the next look. */
  async look(): Promise<void> {
    const record = await this.#parts.load();
    this.#parts.onRecord(record);
    this.#isMarked = record.isChanged;
    if (!record.handle || !record.isChanged) return;
    const before = Math.max(record.last?.at ?? 0, this.#tried);
    const due = Math.max(0, before + hourMs - this.#parts.now());
    if (due > 0 || this.#parts.mustWait()) this.#lookIn(Math.max(due, settleMs));
    else await this.#parts.alone(() => this.backUp());
  }

  /** Makes a backup now. Never rejects. */
  async backUp(): Promise<void> {
    const { load, change, write, mayWrite, toTrouble, now, onRecord } = this.#parts;
    const { handle, passphrase } = await load();
    if (!handle) return;
    this.#tried = now();
    // A change during the backup counts for the next one.
    this.#isMarked = false;
    let next: FolderRecord;
    try {
      if (!(await mayWrite(handle))) next = await this.#fail('permission');
      else {
        const last = await write(handle, passphrase, now());
        next = await change({ last, trouble: undefined, isTold: false, isChanged: this.#isMarked });
      }
    } catch (error) {
      next = await this.#fail(toTrouble(error));
    }
    onRecord(next);
    if (next.isChanged) this.#lookIn(hourMs);
  }

  /** Reports a trouble once, until a backup succeeds again. */
  async #fail(trouble: FolderTrouble): Promise<FolderRecord> {
    const { load, change, tell } = this.#parts;
    const before = await load();
    if (!before.isTold || before.trouble !== trouble) tell({ type: 'trouble', trouble });
    return change({ trouble, isTold: true, isChanged: true });
  }

  async #mark(): Promise<void> {
    if (this.#isMarked) return;
    this.#isMarked = true;
    const record = await this.#parts.change({ isChanged: true });
    if (record.handle) this.#lookIn(settleMs);
  }

  #lookIn(ms: number): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#parts.setTimer(() => {
      this.#isTimed = false;
      void this.look().catch(() => undefined);
    }, ms);
  }

  async #remind(record: FolderRecord, newest: { chats: number } | undefined): Promise<void> {
    const { now, change, tell } = this.#parts;
    const { isReminding, exportedAt, remindedAt = 0 } = record;
    if (!isReminding || !newest || newest.chats < worthKeeping) return;
    if (now() - (exportedAt ?? 0) < remindMs || now() - remindedAt < remindMs) return;
    await change({ remindedAt: now() });
    const days = exportedAt === undefined ? {} : { days: Math.floor((now() - exportedAt) / dayMs) };
    tell({ type: 'reminder', ...days });
  }
}

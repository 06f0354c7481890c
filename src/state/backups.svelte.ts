/** What screens show about backups: export, import, and the folder for automatic backups. */
import { AppError } from '../contracts/app-error';
import {
  type BackupPart,
  backupParts,
  type BackupProgress,
  type ExportOutcome,
  type BackupFolderState,
  type ImportChoice,
  type ImportMode,
  type ImportPreview,
} from '../contracts/backup';
import type { ErrorCode } from '../contracts/error-code';

type OnProgress = (progress: BackupProgress) => void;

/** On failure, each function rejects with an `AppError` or the signal's reason, and changes nothing. */
export interface BackupFunctions {
  write: (
    order: { parts: readonly BackupPart[]; passphrase: string },
    onProgress: OnProgress,
    signal: AbortSignal,
  ) => Promise<ExportOutcome | undefined>;
  /** Reads a whole file into a staging area. Imports nothing yet. */
  stage: (
    file: File,
    passphrase: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ) => Promise<ImportPreview>;
  staged: () => Promise<ImportPreview | undefined>;
  apply: (choice: ImportChoice, onProgress: OnProgress) => Promise<void>;
  drop: () => Promise<void>;
}

export type BackupTask =
  | { type: 'writing' | 'reading' | 'taking'; progress: BackupProgress }
  | { type: 'preview'; preview: ImportPreview };

export type BackupOutcome =
  | ({ type: 'written' } & ExportOutcome)
  | { type: 'taken'; preview: ImportPreview; parts: readonly BackupPart[] }
  | { type: 'failed'; code: ErrorCode; detail: string };

/** A backup that can be restored. `open` resolves to undefined if the file no longer exists. */
export interface BackupCandidate {
  at: number;
  open: () => Promise<File | undefined>;
}

/** A skipped backup. `damaged`: verification failed. `unopened`: the file is missing or unreadable. */
interface SkippedBackup {
  at: number;
  reason: 'damaged' | 'unopened';
}

/** After these errors, we try to restore an older backup. After other errors, such as a full disk, an older backup would fail too. */
const reasonByErrorCode: Partial<Record<ErrorCode, SkippedBackup['reason']>> = {
  'backup-damaged': 'damaged',
  'backup-unknown': 'damaged',
  'backup-refused': 'damaged',
  'backup-unread': 'unopened',
};

export function togglePart(parts: readonly BackupPart[], part: BackupPart): readonly BackupPart[] {
  return backupParts.filter((other) => parts.includes(other) !== (other === part));
}

export class Backups {
  parts = $state.raw<readonly BackupPart[]>(backupParts.filter((part) => part !== 'keys'));
  passphrase = $state('');
  task = $state.raw<BackupTask>();
  outcome = $state.raw<BackupOutcome>();
  file = $state.raw<File>();
  /** Skipped backups, newest first. All are newer than the backup that was used. */
  skipped = $state.raw<readonly SkippedBackup[]>([]);
  readonly folder: BackupFolder;
  readonly #functions: BackupFunctions;
  #abort: AbortController | undefined;

  constructor(functions: BackupFunctions, folder: BackupFolder) {
    this.#functions = functions;
    this.folder = folder;
  }

  get isEverything(): boolean {
    return backupParts.every((part) => part === 'keys' || this.parts.includes(part));
  }

  /** The parts to export. Keys are only exported with a passphrase. */
  get partsToWrite(): readonly BackupPart[] {
    return this.passphrase === '' ? this.parts.filter((part) => part !== 'keys') : this.parts;
  }

  toggle(part: BackupPart): void {
    this.parts = togglePart(this.parts, part);
  }

  /** Offers an import that an earlier visit has staged. Never rejects. */
  async open(): Promise<void> {
    if (this.task) return;
    const preview = await this.#functions.staged().catch(() => undefined);
    if (preview) this.task ??= { type: 'preview', preview };
  }

  write(): Promise<void> {
    const order = { parts: this.partsToWrite, passphrase: this.passphrase };
    return this.#run('writing', async (onProgress, signal) => {
      const written = await this.#functions.write(order, onProgress, signal);
      return { outcome: written && { type: 'written', ...written } };
    });
  }

  read(file: File): Promise<void> {
    this.file = file;
    return this.#run('reading', async (onProgress, signal) => {
      const preview = await this.#functions.stage(file, this.passphrase, onProgress, signal);
      this.file = undefined;
      return { task: { type: 'preview', preview } };
    });
  }

  /** Stages the first intact backup. If there is none, reports the error of the last one. */
  restore(candidates: readonly BackupCandidate[]): Promise<void> {
    this.file = undefined;
    return this.#run('reading', async (onProgress, signal) => {
      for (const [place, { at, open }] of candidates.entries()) {
        const file = await open();
        try {
          if (!file) throw new AppError('backup-unread', 'It is not in the folder any more.');
          const preview = await this.#functions.stage(file, this.passphrase, onProgress, signal);
          return { task: { type: 'preview', preview } };
        } catch (error) {
          const reason = error instanceof AppError && reasonByErrorCode[error.code];
          if (!reason || place === candidates.length - 1) {
            this.file = file;
            throw error;
          }
          this.skipped = [...this.skipped, { at, reason }];
        }
      }
      return {};
    });
  }

  applyImport(mode: ImportMode, parts: readonly BackupPart[]): Promise<void> {
    const { task } = this;
    if (task?.type !== 'preview') return Promise.resolve();
    const { preview } = task;
    return this.#run('taking', async (onProgress) => {
      await this.#functions.apply({ importId: preview.importId, mode, parts }, onProgress);
      this.skipped = [];
      return { outcome: { type: 'taken', preview, parts } };
    });
  }

  /** Cancels an export, or discards a staged import. Cannot cancel an import that is being applied. */
  async cancel(): Promise<void> {
    this.#abort?.abort(new DOMException('The person has stopped it.', 'AbortError'));
    if (this.task?.type !== 'preview') return;
    // Delete the staged data first. Otherwise, after a crash here, the next visit would offer the import again.
    await this.#functions.drop().catch(() => undefined);
    this.task = undefined;
    this.skipped = [];
  }

  async #run(
    type: 'writing' | 'reading' | 'taking',
    task: (
      onProgress: OnProgress,
      signal: AbortSignal,
    ) => Promise<{ task?: BackupTask; outcome?: BackupOutcome | undefined }>,
  ): Promise<void> {
    if (this.task && this.task.type !== 'preview') return;
    const abort = new AbortController();
    this.#abort = abort;
    this.outcome = undefined;
    if (type === 'reading') this.skipped = [];
    this.task = { type, progress: { done: 0, total: 0 } };
    const onProgress = (progress: BackupProgress) => {
      if (this.#abort === abort) this.task = { type, progress };
    };
    let next: Awaited<ReturnType<typeof task>> = {};
    try {
      next = await task(onProgress, abort.signal);
    } catch (error) {
      const { code, message: detail } =
        error instanceof AppError ? error : new AppError('backup-broken', String(error));
      if (!abort.signal.aborted) next = { outcome: { type: 'failed', code, detail } };
    }
    this.#abort = undefined;
    this.task = next.task;
    this.outcome = next.outcome;
  }
}

/** These functions never reject. The state shows errors. */
export type FolderFunctions = Omit<BackupFolder, 'state' | 'isBusy'>;

export class BackupFolder {
  state = $state.raw<BackupFolderState>({ isOffered: false, isEncrypted: false, isReminding: true });
  isBusy = $state(false);
  /** Starts automatic backups. Call it once per visit, after the check for lost data. */
  readonly begin: () => Promise<void>;
  /** Lets the user choose a folder, and makes the first backup there. `passphrase`: '' for none. */
  readonly choose: (passphrase: string) => Promise<void>;
  readonly forget: () => Promise<void>;
  /** Makes a backup now. Asks for permission if the browser requires it. */
  readonly backUp: () => Promise<void>;
  readonly list: () => Promise<void>;
  readonly open: (name: string) => Promise<File | undefined>;
  readonly setReminding: (isReminding: boolean) => Promise<void>;

  constructor({ begin, choose, forget, backUp, list, open, setReminding }: FolderFunctions) {
    this.begin = begin;
    this.choose = (passphrase) => this.#while(() => choose(passphrase));
    this.forget = () => this.#while(forget);
    this.backUp = () => this.#while(backUp);
    this.list = () => this.#while(list);
    this.open = open;
    this.setReminding = setReminding;
  }

  async #while(task: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      await task();
    } finally {
      this.isBusy = false;
    }
  }
}

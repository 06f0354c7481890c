import { AppError } from '../contracts/app-error';
import {
  type BackupPart,
  backupParts,
  type BackupProgress,
  type ExportOutcome,
  type FolderState,
  type ImportMode,
  type ImportPreview,
} from '../contracts/backup';
import type { ErrorCode } from '../contracts/error-code';

/** Backups on the screen: what is being written or read, and what a file that was read would bring. Loaded with the settings. */

type Told = (progress: BackupProgress) => void;

/** All reject with an `AppError`, or with the reason of the signal, and have changed nothing then. */
export interface BackupFunctions {
  /** Undefined where the person chose no place for the file. */
  write: (
    order: { parts: readonly BackupPart[]; passphrase: string },
    onProgress: Told,
    signal: AbortSignal,
  ) => Promise<ExportOutcome | undefined>;
  /** Reads the file as a whole, and puts it down apart. */
  stage: (file: File, passphrase: string, onProgress: Told, signal: AbortSignal) => Promise<ImportPreview>;
  /** What an earlier visit read and did not take. */
  staged: () => Promise<ImportPreview | undefined>;
  apply: (choice: { mode: ImportMode; parts: readonly BackupPart[] }, onProgress: Told) => Promise<void>;
  drop: () => Promise<void>;
}

export type BackupErrand =
  | { type: 'writing' | 'reading' | 'taking'; progress: BackupProgress }
  /** A file was read, and nothing has changed yet. */
  | { type: 'preview'; preview: ImportPreview };

export type BackupOutcome =
  | ({ type: 'written' } & ExportOutcome)
  | { type: 'taken'; preview: ImportPreview; parts: readonly BackupPart[] }
  | { type: 'failed'; during: 'writing' | 'reading' | 'taking'; code: ErrorCode; detail: string };

/** A backup that may be restored. `open`: undefined where it is gone. */
export interface Candidate {
  /** When it was made; milliseconds since the epoch. */
  at: number;
  open: () => Promise<File | undefined>;
}

/** One that was passed over for an older one. `damaged`: what was read is not what was written. `unopened`: it is gone, or cannot be opened. */
export interface PassedOver {
  at: number;
  reason: 'damaged' | 'unopened';
}

/** With these an older backup is of more use than a sentence; a wrong passphrase or too little room would meet that one too. */
const passedOver: Partial<Record<ErrorCode, PassedOver['reason']>> = {
  ...{ 'backup-damaged': 'damaged', 'backup-unknown': 'damaged', 'backup-refused': 'damaged' },
  'backup-unread': 'unopened',
};

/** With it, or without it where it is there; in the order that they are shown in. */
export function toggled(parts: readonly BackupPart[], part: BackupPart): readonly BackupPart[] {
  return backupParts.filter((other) => parts.includes(other) !== (other === part));
}

export class Backups {
  /** All but the keys. */
  parts = $state.raw<readonly BackupPart[]>(backupParts.filter((part) => part !== 'keys'));
  passphrase = $state('');
  errand = $state.raw<BackupErrand>();
  outcome = $state.raw<BackupOutcome>();
  /** The file that could not be read: it is tried again with another passphrase. */
  file = $state.raw<File>();
  /** Newer than the one that was read, the newest first. */
  passedOver = $state.raw<readonly PassedOver[]>([]);
  readonly folder: BackupFolder;
  readonly #functions: BackupFunctions;
  #abort: AbortController | undefined;

  constructor(functions: BackupFunctions, folder: BackupFolder) {
    this.#functions = functions;
    this.folder = folder;
  }

  /** Whether all goes into the file but, perhaps, the keys. */
  get isEverything(): boolean {
    return backupParts.every((part) => part === 'keys' || this.parts.includes(part));
  }

  /** Keys go only into a file with a passphrase. */
  get partsWritten(): readonly BackupPart[] {
    return this.passphrase === '' ? this.parts.filter((part) => part !== 'keys') : this.parts;
  }

  toggle(part: BackupPart): void {
    this.parts = toggled(this.parts, part);
  }

  /** What an earlier visit read and did not take is offered again. Never rejects. */
  async open(): Promise<void> {
    if (this.errand) return;
    const preview = await this.#functions.staged().catch(() => undefined);
    if (preview) this.#offer(preview);
  }

  /** Something else may have begun meanwhile. */
  #offer(preview: ImportPreview): void {
    this.errand ??= { type: 'preview', preview };
  }

  write(): Promise<void> {
    const order = { parts: this.partsWritten, passphrase: this.passphrase };
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
      return { errand: { type: 'preview', preview } };
    });
  }

  /** Reads the first of some backups that is whole. Where none is, what is wrong with the last is the outcome. */
  restore(candidates: readonly Candidate[]): Promise<void> {
    this.file = undefined;
    return this.#run('reading', async (onProgress, signal) => {
      for (const [place, { at, open }] of candidates.entries()) {
        const file = await open();
        try {
          if (!file) throw new AppError('backup-unread', 'It is not in the folder any more.');
          const preview = await this.#functions.stage(file, this.passphrase, onProgress, signal);
          return { errand: { type: 'preview', preview } };
        } catch (error) {
          const reason = error instanceof AppError && passedOver[error.code];
          if (!reason || place === candidates.length - 1) {
            this.file = file;
            throw error;
          }
          this.passedOver = [...this.passedOver, { at, reason }];
        }
      }
      return {};
    });
  }

  take(mode: ImportMode, parts: readonly BackupPart[]): Promise<void> {
    const { errand } = this;
    if (errand?.type !== 'preview') return Promise.resolve();
    const { preview } = errand;
    return this.#run('taking', async (onProgress) => {
      await this.#functions.apply({ mode, parts: [...parts] }, onProgress);
      this.passedOver = [];
      return { outcome: { type: 'taken', preview, parts } };
    });
  }

  /** Ends what is being written or read, or lets go of what was read. What is being taken over cannot be stopped. */
  async cancel(): Promise<void> {
    this.#abort?.abort(new DOMException('The person has stopped it.', 'AbortError'));
    if (this.errand?.type !== 'preview') return;
    // First: an end of the visit in between would have it offered again.
    await this.#functions.drop().catch(() => undefined);
    this.errand = undefined;
    this.passedOver = [];
  }

  /** Never rejects. */
  async #run(
    type: 'writing' | 'reading' | 'taking',
    task: (
      onProgress: Told,
      signal: AbortSignal,
    ) => Promise<{ errand?: BackupErrand; outcome?: BackupOutcome | undefined }>,
  ): Promise<void> {
    if (this.errand && this.errand.type !== 'preview') return;
    const abort = new AbortController();
    this.#abort = abort;
    this.outcome = undefined;
    if (type === 'reading') this.passedOver = [];
    this.errand = { type, progress: { done: 0, total: 0 } };
    const onProgress = (progress: BackupProgress) => {
      if (this.#abort === abort) this.errand = { type, progress };
    };
    let next: { errand?: BackupErrand; outcome?: BackupOutcome | undefined } = {};
    try {
      next = await task(onProgress, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) next = { outcome: failed(type, error) };
    }
    this.#abort = undefined;
    this.errand = next.errand;
    this.outcome = next.outcome;
  }
}

function failed(during: 'writing' | 'reading' | 'taking', error: unknown): BackupOutcome {
  const { code, message: detail } =
    error instanceof AppError ? error : new AppError('backup-broken', String(error));
  return { type: 'failed', during, code, detail };
}

/** The folder of backups on the screen: which it is, how it stands, and what lies in it. */

/** Those that a person presses reject with nothing: what went wrong is in the state after it. */
export interface FolderFunctions {
  /** Backups are made by themselves from now on: once a visit, when it is known whether all is there that was stored. */
  begin: () => Promise<void>;
  /** Lets the person choose a folder, and makes the first backup there. `passphrase`: '' for none. */
  choose: (passphrase: string) => Promise<void>;
  /** No more backups; those that are there stay. */
  forget: () => Promise<void>;
  /** Asks the browser's leave where that is needed, and makes one now. */
  backUp: () => Promise<void>;
  /** What lies in it. Nothing where it cannot be read now. */
  list: () => Promise<void>;
  /** Undefined where it is gone. */
  open: (name: string) => Promise<File | undefined>;
  setReminding: (isReminding: boolean) => Promise<void>;
}

export class BackupFolder {
  state = $state.raw<FolderState>({ isOffered: false, isEncrypted: false, isReminding: true });
  /** A backup is being made, or looked for. */
  isBusy = $state(false);
  readonly #functions: FolderFunctions;

  constructor(functions: FolderFunctions) {
    this.#functions = functions;
  }

  begin(): Promise<void> {
    return this.#functions.begin();
  }

  choose(passphrase: string): Promise<void> {
    return this.#while(() => this.#functions.choose(passphrase));
  }

  forget(): Promise<void> {
    return this.#while(() => this.#functions.forget());
  }

  backUp(): Promise<void> {
    return this.#while(() => this.#functions.backUp());
  }

  list(): Promise<void> {
    return this.#while(() => this.#functions.list());
  }

  open(name: string): Promise<File | undefined> {
    return this.#functions.open(name);
  }

  setReminding(isReminding: boolean): Promise<void> {
    return this.#functions.setReminding(isReminding);
  }

  /** One thing at a time: what is pressed meanwhile does nothing. */
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

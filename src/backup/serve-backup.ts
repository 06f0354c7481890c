/** The worker's side of backups: writes a backup of the database, and imports a backup into it. */
import { AppError, writeError } from '../contracts/app-error';
import {
  type BackupManifest,
  BackupPart,
  type ExportOutcome,
  type ImportPreview,
  type BackupProgress,
} from '../contracts/backup';
import { z } from '../contracts/schema';
import type { Release } from '../platform/locks';
import { applyImport, type ImportWriter, StagedImport } from '../store/staged-import';
import { Database } from '../store/database';
import { ExportReader } from '../store/export-rows';
import { backedUpTables } from '../store/kept-tables';
import { runQuery } from '../store/storage-error';
import { decrypt, encrypt, isEncrypted } from './encryption';
import { createBlobWriter, openForWriting, throwReadingError, createTooLargeError } from './streams';
import { createRowCheck, isArchive, readArchive, type ReadArchiveOptions } from './read-archive';
import { type ChatImportOptions, readExternalChats } from './others/read-others';
import { writeArchive } from './write-archive';

const WriteRequest = z.object({
  parts: z.readonly(z.array(BackupPart)),
  passphrase: z.string(),
  app: z.string(),
  createdAt: z.number(),
  /** The file to write to. Without it, the result contains the file. */
  handle: z.optional(z.custom<FileSystemFileHandle>((value) => typeof value === 'object')),
});
export type WriteRequest = z.infer<typeof WriteRequest>;
const ReadRequest = z.object({ file: z.instanceof(Blob), name: z.string(), passphrase: z.string() });
export type ReadRequest = z.infer<typeof ReadRequest>;
const RestoreChoice = z.object({
  importId: z.string(),
  mode: z.enum(['merge', 'replace']),
  parts: z.array(BackupPart),
});

export type OnProgress = (progress: BackupProgress) => unknown;

/** `failure` is text from `writeError`, because thrown errors lose their code on the way from the worker. */
export type WorkerAnswer = { value: unknown } | { failure: string };

export type BackupWorkerApi = ReturnType<typeof serveBackup>;

/** Minimum milliseconds between progress messages. The page needs time for other work. */
const minProgressIntervalMs = 100;

export function serveBackup(options: {
  databaseName?: string;
  stageName?: string;
  /** Resolves to the free bytes on this device. Staged data needs space in addition to the existing data. */
  freeBytes: () => Promise<number>;
  /** Takes a lock that all tabs share. Resolves to undefined if another tab keeps it for long. */
  lock: (name: string) => Promise<Release | undefined>;
  workFactor?: number;
}) {
  const { databaseName = 'hearth', stageName = 'hearth-import', freeBytes, lock, workFactor } = options;
  // Open the database only while a task runs: an open database cannot be deleted.
  const withDatabase = <Value>(task: (database: Database) => Promise<Value>) =>
    useAndClose(new Database(databaseName), async (database) => {
      await runQuery(() => database.open());
      return task(database);
    });
  const withStage = <Value>(task: (stage: StagedImport) => Promise<Value>) =>
    useAndClose(new StagedImport(stageName), task);
  const withBoth = <Value>(task: (staged: StagedImport, database: Database) => Promise<Value>) =>
    withStage((staged) => withDatabase((database) => task(staged, database)));

  async function write(order: unknown, onProgress: OnProgress): Promise<ExportOutcome & { file?: Blob }> {
    const { parts, passphrase, handle, ...about } = WriteRequest.parse(order);
    const tell = throttleProgress(onProgress);
    return withDatabase(async (database) => {
      const reader = new ExportReader(database, parts);
      const total = await reader.countRows();
      let done = 0;
      const onRow = () => tell(Math.min(++done, total), total);
      const target = handle ? { writable: await openForWriting(handle) } : createBlobWriter();
      const { manifest, bytes } = await pipeArchive(
        (writable) => writeArchive(reader, writable, { ...about, parts, schema: database.verno, onRow }),
        async (plain) => (passphrase === '' ? plain : encrypt(plain, passphrase, workFactor)),
        target.writable,
      );
      const rowsOf = (name: string) => manifest.files.find(({ table }) => table === name)?.rows ?? 0;
      const { unreadable } = manifest;
      const outcome = { bytes, chats: rowsOf('chats'), messages: rowsOf('messages'), unreadable };
      return 'blob' in target ? { ...outcome, file: target.blob() } : outcome;
    });
  }

  async function stage(order: unknown, onProgress: OnProgress): Promise<ImportPreview> {
    const { file, name, passphrase } = ReadRequest.parse(order);
    return withBoth(async (staged, database) => {
      const release = await lock(stageName);
      try {
        const writer = await staged.begin();
        await fillStage(writer, {
          file,
          name,
          passphrase,
          schema: database.verno,
          onProgress: throttleProgress(onProgress),
        });
        const preview = await staged.preview(database);
        if (!preview) throw new AppError('backup-gone', 'Another tab has discarded it.');
        return preview;
      } finally {
        release?.();
      }
    });
  }

  async function fillStage(
    writer: ImportWriter,
    { file, name, passphrase, ...options }: Omit<ReadArchiveOptions, 'take' | 'maxBytes'> & ReadRequest,
  ): Promise<void> {
    try {
      const maxBytes = await freeBytes();
      const plain = await decryptIfEncrypted(file, passphrase, maxBytes);
      const found = await stageFile(plain, writer, { ...options, maxBytes });
      await writer.finish({ fileName: name, ...found });
    } catch (error) {
      await writer.discard().catch(() => undefined);
      throw error;
    }
  }

  /** Resolves to undefined if no import is complete. Deletes the remains of an import that a crash has interrupted. */
  async function readStaged(): Promise<ImportPreview | undefined> {
    return withBoth(async (staged, database) => {
      const preview = await staged.preview(database);
      // If we do not get the lock, another tab is still reading a file. Do not delete its rows.
      const release = preview ? undefined : await lock(stageName);
      if (!release) return preview;
      try {
        // The other tab may have finished while we waited.
        const finished = await staged.preview(database);
        if (!finished) await staged.discard();
        return finished;
      } finally {
        release();
      }
    });
  }

  async function apply(choice: unknown, onProgress: OnProgress): Promise<void> {
    const wanted = RestoreChoice.parse(choice);
    const tell = throttleProgress(onProgress);
    await withBoth(async (staged, database) => {
      const preview = await staged.preview(database);
      if (preview?.importId !== wanted.importId)
        throw new AppError('backup-gone', 'Another tab has discarded it.');
      const total = Object.values(preview.counts).reduce((sum, count) => sum + count.total, 0);
      await applyImport(staged, database, { ...wanted, onRows: (done) => tell(done, total) });
      await staged.discard().catch(() => undefined);
    });
  }

  async function verify(order: unknown, onProgress: OnProgress): Promise<number> {
    const { file, passphrase } = ReadRequest.parse(order);
    const { files } = await readArchive(await decryptIfEncrypted(file, passphrase, Infinity), {
      schema: new Database(databaseName).verno,
      maxBytes: Infinity,
      take: () => Promise.resolve(),
      onProgress: throttleProgress(onProgress),
    });
    return files.reduce((sum, { rows }) => sum + rows, 0);
  }

  return {
    /** Resolves to an `ExportOutcome`. If the request contains no file handle to write to, the outcome also contains the backup file. */
    write: catchFailures(write),
    /** Reads a file into a staging area; imports nothing yet. Resolves to an `ImportPreview`. */
    stage: catchFailures(stage),
    staged: catchFailures(readStaged),
    apply: catchFailures(apply),
    drop: catchFailures(() => withStage((staged) => staged.discard())),
    /** Reads and checks a whole file without storing anything. Resolves to the number of rows. */
    verify: catchFailures(verify),
  };
}

async function useAndClose<Store extends { close: () => void }, Value>(
  store: Store,
  task: (store: Store) => Promise<Value>,
): Promise<Value> {
  try {
    return await task(store);
  } finally {
    store.close();
  }
}

async function stageFile(
  file: Blob,
  writer: ImportWriter,
  options: Omit<ReadArchiveOptions, 'take'>,
): Promise<Omit<ImportPreview, 'importId' | 'counts' | 'fileName'>> {
  const isZip = await isArchive(file);
  const ours = isZip
    ? await readArchive(file, { ...options, take: writer.addBatch }).catch(ignoreUnknownFormat)
    : undefined;
  if (ours) return { source: 'hearth', createdAt: ours.createdAt, parts: ours.parts, leftOut: 0 };
  const { take, end } = stageChats(writer);
  const { source, leftOut } = await readExternalChats(file, { ...options, isArchive: isZip, take });
  await end();
  return { source, parts: ['chats'], leftOut };
}

/** Maximum rows per transaction. One transaction per short chat would be slow. */
const maxBatchRows = 200;

function stageChats(writer: ImportWriter): Pick<ChatImportOptions, 'take'> & { end: () => Promise<void> } {
  const check = createRowCheck({ parts: ['chats'] });
  // Keep the order of the tables, which puts a chat before its messages.
  const batches = backedUpTables
    .filter(({ name }) => name === 'chats' || name === 'messages')
    .map((table) => ({ table, rows: [] as object[] }));
  const flush = async () => {
    for (const { table, rows } of batches)
      while (rows.length > 0) await writer.addBatch(table, rows.splice(0, maxBatchRows));
  };
  return {
    async take({ chat, nodes }) {
      for (const { table, rows } of batches)
        for (const row of table.name === 'chats' ? [chat] : nodes) rows.push(check.row(table, row));
      if (batches.some(({ rows }) => rows.length >= maxBatchRows)) await flush();
    },
    async end() {
      await flush();
      check.end();
    },
  };
}

function ignoreUnknownFormat(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'backup-unknown') return undefined;
  throw error;
}

/** An error without a code is a bug. The page reports its text. */
function catchFailures<Given extends unknown[]>(task: (...given: Given) => Promise<unknown>) {
  return (...given: Given): Promise<WorkerAnswer> =>
    task(...given).then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: writeError(error) }),
    );
}

/** Pipes the archive through encryption into `target`. On failure, the file behind `target` does not change. */
async function pipeArchive(
  write: (writable: WritableStream<Uint8Array>) => Promise<BackupManifest>,
  seal: (plain: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
  target: WritableStream<Uint8Array>,
): Promise<{ manifest: BackupManifest; bytes: number }> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const sealed = await seal(readable);
  const writing = write(writable).catch(async (error: unknown) => {
    await writable.abort(error).catch(() => undefined);
    throw error;
  });
  const [manifest] = await Promise.all([writing, sealed.pipeThrough(counted).pipeTo(target)]);
  return { manifest, bytes };
}

/** Returns the archive unencrypted. A decrypted archive becomes a blob: the browser keeps a large one on disk. */
async function decryptIfEncrypted(file: Blob, passphrase: string, maxBytes: number): Promise<Blob> {
  if (!(await isEncrypted(file))) return file;
  if (file.size > maxBytes) throw createTooLargeError(`${file.size} bytes`);
  if (passphrase === '') throw new AppError('backup-passphrase', 'It is encrypted.');
  const { writable, blob } = createBlobWriter();
  const plain = await decrypt(file, passphrase);
  await plain.pipeTo(writable).catch(throwReadingError);
  return blob();
}

function throttleProgress(onProgress: OnProgress): (done: number, total: number) => void {
  let reportedAt = 0;
  return (done, total) => {
    const now = performance.now();
    if (now - reportedAt < minProgressIntervalMs) return;
    reportedAt = now;
    onProgress({ done, total });
  };
}

/** The worker's end: writes a backup from the database, and reads one into it. */
import { AppError, writeError } from '../contracts/app-error';
import {
  type BackupManifest,
  BackupPart,
  type ExportOutcome,
  type ImportPreview,
  type BackupProgress,
} from '../contracts/backup';
import { z } from '../contracts/schema';
import { applyImport, StagedImport } from '../store/staged-import';
import { Database } from '../store/database';
import { ExportReader } from '../store/export-rows';
import { carriedTables } from '../store/kept-tables';
import { attempt } from '../store/storage-error';
import { decrypt, encrypt, isEncrypted } from './encryption';
import { tooLarge, toReadingError } from './failures';
import { createRowCheck } from './check-rows';
import { type OtherOptions, readOthers } from './others/read-others';
import { isArchive, readArchive, type ReadOptions } from './read-archive';
import { gatherBlob, openForWriting } from './streams';
import type { Answer, BackupWorkerApi, OnProgress } from './worker-api';
import { writeArchive } from './write-archive';

const WriteOrder = z.object({
  parts: z.array(BackupPart),
  /** '' for none. */
  passphrase: z.string(),
  app: z.string(),
  createdAt: z.number(),
  /** Missing: the file is given back. */
  handle: z.optional(z.custom<FileSystemFileHandle>((value) => typeof value === 'object')),
});
const ReadOrder = z.object({ file: z.instanceof(Blob), name: z.string(), passphrase: z.string() });
const Choice = z.object({ mode: z.enum(['merge', 'replace']), parts: z.array(BackupPart) });

/** Milliseconds between two that are told: the page has other things to do. */
const progressEvery = 100;

interface ServeOptions {
  databaseName?: string;
  stageName?: string;
  /** What is put down apart takes room beside what is here: so much there is. */
  freeBytes: () => Promise<number>;
  /** Of scrypt; less only where a test would take too long. */
  workFactor?: number;
}

export function serveBackup({
  databaseName = 'hearth',
  stageName = 'hearth-import',
  freeBytes,
  workFactor,
}: ServeOptions): BackupWorkerApi {
  // Each opened for one order and closed after it: a database that is held open cannot be deleted.
  async function withDatabase<Value>(task: (database: Database) => Promise<Value>): Promise<Value> {
    const database = new Database(databaseName);
    try {
      await attempt(() => database.open());
      return await task(database);
    } finally {
      database.close();
    }
  }
  async function withStage<Value>(task: (stage: StagedImport) => Promise<Value>): Promise<Value> {
    const stage = new StagedImport(stageName);
    try {
      return await task(stage);
    } finally {
      stage.close();
    }
  }

  async function write(order: unknown, onProgress: OnProgress): Promise<ExportOutcome & { file?: Blob }> {
    const { parts, passphrase, handle, ...about } = WriteOrder.parse(order);
    const tell = paced(onProgress);
    return withDatabase(async (database) => {
      const reader = new ExportReader(database, parts);
      const total = await reader.countRows();
      let done = 0;
      const onRow = () => tell({ done: Math.min(++done, total), total });
      const target = handle ? { writable: await openForWriting(handle) } : gatherBlob();
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
    const { file, name, passphrase } = ReadOrder.parse(order);
    return withStage((staged) =>
      withDatabase(async (database) => {
        await staged.drop();
        try {
          const mostBytes = await freeBytes();
          const plain = await openPlain(file, passphrase, mostBytes);
          const found = await putDown(plain, staged, {
            ...{ schema: database.verno, mostBytes },
            onProgress: progressOf(onProgress),
          });
          await staged.finish({ fileName: name, ...found });
        } catch (error) {
          await staged.drop().catch(() => undefined);
          throw error;
        }
        const preview = await staged.preview(database);
        if (!preview) throw new AppError('storage-unavailable', 'What was read in is gone.');
        return preview;
      }),
    );
  }

  async function apply(choice: unknown, onProgress: OnProgress): Promise<void> {
    const wanted = Choice.parse(choice);
    const tell = paced(onProgress);
    await withStage((staged) =>
      withDatabase(async (database) => {
        const preview = await staged.preview(database);
        if (!preview) throw new AppError('backup-gone', 'Nothing is put down.');
        const total = Object.values(preview.counts).reduce((sum, count) => sum + count.total, 0);
        const onRows = (done: number) => tell({ done, total });
        await applyImport(staged, database, { ...wanted, onRows });
        // Taken: what is left of it would only be offered again.
        await staged.drop().catch(() => undefined);
      }),
    );
  }

  async function verify(order: unknown, onProgress: OnProgress): Promise<number> {
    const { file, passphrase } = ReadOrder.parse(order);
    const { files } = await readArchive(await openPlain(file, passphrase, Infinity), {
      schema: new Database(databaseName).verno,
      mostBytes: Infinity,
      take: () => Promise.resolve(),
      onProgress: progressOf(onProgress),
    });
    return files.reduce((sum, { rows }) => sum + rows, 0);
  }

  return {
    write: (order, onProgress) => answer(() => write(order, onProgress)),
    stage: (order, onProgress) => answer(() => stage(order, onProgress)),
    staged: () => answer(() => withStage((staged) => withDatabase((database) => staged.preview(database)))),
    apply: (choice, onProgress) => answer(() => apply(choice, onProgress)),
    drop: () => answer(() => withStage((staged) => staged.drop())),
    verify: (order, onProgress) => answer(() => verify(order, onProgress)),
  };
}

/** What is found in a backup of ours, or else in another program's file, is put down apart. */
async function putDown(
  file: Blob,
  staged: StagedImport,
  options: Omit<ReadOptions, 'take'>,
): Promise<Omit<ImportPreview, 'counts' | 'fileName'>> {
  const isZip = await isArchive(file);
  const ours = isZip
    ? await readArchive(file, { ...options, take: (table, rows) => staged.put(table, rows) }).catch(
        passUnknown,
      )
    : undefined;
  if (ours) return { source: 'hearth', createdAt: ours.createdAt, parts: ours.parts, leftOut: 0 };
  const { take, end } = takeOthers(staged);
  const { mostBytes, onProgress } = options;
  const { source, leftOut } = await readOthers(file, { isArchive: isZip, mostBytes, take, onProgress });
  await end();
  return { source, parts: ['chats'], leftOut };
}

/** Rows that are put down at once: of many short chats each would be a transaction of its own. */
const mostRowsAtOnce = 200;

/** Chats of another program, checked as those of a backup are, and put down as they come. */
function takeOthers(staged: StagedImport): Pick<OtherOptions, 'take'> & { end: () => Promise<void> } {
  const check = createRowCheck({ parts: ['chats'] });
  // In the order of the tables: a chat comes before its messages.
  const batches = carriedTables
    .filter(({ name }) => name === 'chats' || name === 'messages')
    .map((table) => ({ table, rows: [] as object[] }));
  const flush = async () => {
    for (const { table, rows } of batches)
      while (rows.length > 0) await staged.put(table, rows.splice(0, mostRowsAtOnce));
  };
  return {
    async take({ chat, nodes }) {
      for (const { table, rows } of batches)
        for (const row of table.name === 'chats' ? [chat] : nodes) rows.push(check.row(table, row));
      if (batches.some(({ rows }) => rows.length >= mostRowsAtOnce)) await flush();
    },
    async end() {
      await flush();
      check.end();
    },
  };
}

function passUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'backup-unknown') return undefined;
  throw error;
}

async function answer(task: () => Promise<unknown>): Promise<Answer> {
  try {
    return { value: await task() };
  } catch (error) {
    // What has no code is a bug: it goes to the handler of bugs, as text.
    return { failure: writeError(error) };
  }
}

/** What is written goes through the seal into the target, which is closed when all is in it, and left as it was when it fails. */
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

/** The archive itself: of an encrypted file it is unpacked into another, which the browser keeps on the disk. */
async function openPlain(file: Blob, passphrase: string, mostBytes: number): Promise<Blob> {
  if (!(await isEncrypted(file))) return file;
  if (file.size > mostBytes) throw tooLarge(`${file.size} bytes`);
  if (passphrase === '') throw new AppError('backup-passphrase', 'It is encrypted.');
  const { writable, blob } = gatherBlob();
  const plain = await decrypt(file, passphrase);
  await plain.pipeTo(writable).catch((error: unknown) => {
    throw toReadingError(error);
  });
  return blob();
}

function progressOf(onProgress: OnProgress): (done: number, total: number) => void {
  const tell = paced(onProgress);
  return (done, total) => tell({ done, total });
}

function paced(onProgress: OnProgress): (progress: BackupProgress) => void {
  let told = 0;
  return (progress) => {
    const now = performance.now();
    if (now - told < progressEvery) return;
    told = now;
    onProgress(progress);
  };
}

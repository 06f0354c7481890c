/** Reads a backup from an untrusted source. Refuses a file that differs from its manifest by even one byte. */
import { BlobReader, type Entry, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { attachmentLimits } from '../contracts/attachment';
import { AppError } from '../contracts/app-error';
import { type BackupFile, BackupManifest, backupVersion } from '../contracts/backup';
import { isRecord, read } from '../contracts/schema';
import { isTime } from '../contracts/time';
import { AttachmentRow, type BackedUpTable, backedUpTables, ResultRow } from '../store/kept-tables';
import { maxResultBytes } from '../store/results';
import {
  readBeginning,
  createDamagedBackupError,
  isZipBomb,
  readBytes,
  readJson,
  readLines,
  readWholeText,
  createRefusedBackupError,
  createTooLargeError,
  toReadingError,
  unpackEntry,
} from './streams';
import { toAttachmentFileNames, toTableFileName, manifestFileName, toResultFileName } from './write-archive';

/** Maximum number of files in an archive: one per table, result and attachment. */
const maxZipFiles = 500_000;
const maxManifestBytes = 1_000_000;

const maxBatchRows = 200;
const maxBatchCharacters = 1_000_000;

export interface ReadArchiveOptions {
  /** Version of this device's database. We refuse backups with a newer version. */
  schema: number;
  /** Maximum bytes to read, based on the free space on this device. */
  maxBytes: number;
  /** Receives checked rows, table by table. A rejection ends the reading. */
  take: (table: BackedUpTable, rows: readonly object[]) => Promise<void>;
  onProgress: (done: number, total: number) => void;
}

/** Rejects with an `AppError`. Even then, `take` may already have received some rows. */
export async function readArchive(file: Blob, options: ReadArchiveOptions): Promise<BackupManifest> {
  if (!(await isArchive(file))) throw new AppError('backup-unknown', 'It is no archive.');
  const zip = new ZipReader(new BlobReader(file), {
    useWebWorkers: false,
    strictness: 'strict',
    checkCrc32: true,
    checkOverlappingEntry: true,
  });
  try {
    const entries = checkFileNames(await readEntries(zip));
    const manifest = await readManifest(entries, options.schema);
    const total = checkFiles(manifest, entries, file.size);
    if (total > options.maxBytes) throw createTooLargeError(`${total} bytes`);
    await readTables(manifest, entries, { ...options, total });
    return manifest;
  } finally {
    await zip.close().catch(() => undefined);
  }
}

export async function isArchive(file: Blob): Promise<boolean> {
  return (await readBeginning(file, 4)) === 'PK\u0003\u0004';
}

type EntryMap = ReadonlyMap<string, FileEntry>;

function checkFileNames(all: readonly Entry[]): EntryMap {
  if (!all.some(({ filename }) => filename === manifestFileName))
    throw new AppError('backup-unknown', `It has no ${manifestFileName}.`);
  const entries = new Map<string, FileEntry>();
  for (const entry of all) {
    if (entry.directory || entry.encrypted || !isBackupFileName(entry.filename))
      throw createRefusedBackupError(`It has ${JSON.stringify(entry.filename.slice(0, 80))} in it.`);
    if (entries.has(entry.filename)) throw createRefusedBackupError(`It has ${entry.filename} in it twice.`);
    entries.set(entry.filename, entry);
  }
  return entries;
}

async function readEntries(zip: ZipReader<unknown>): Promise<Entry[]> {
  const all: Entry[] = [];
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      all.push(entry);
      if (all.length > maxZipFiles) throw createTooLargeError(`More than ${maxZipFiles} files are in it.`);
    }
  } catch (error) {
    throw toReadingError(error);
  }
  return all;
}

const isBackupFileName = (name: string) =>
  name === manifestFileName ||
  /^(?:results\/\d{6,}\.txt|attachments\/\d{6,}\.(?:bin|txt))$/.test(name) ||
  backedUpTables.some((table) => toTableFileName(table.name) === name);

async function readManifest(entries: EntryMap, schema: number): Promise<BackupManifest> {
  const entry = entries.get(manifestFileName);
  if (!entry || entry.uncompressedSize > maxManifestBytes)
    throw createRefusedBackupError('What it says of itself is too long.');
  const json = readJson(await readWholeText(unpackEntry(entry), { bytes: entry.uncompressedSize }));
  if (!isRecord(json) || json['format'] !== 'hearth-backup')
    throw new AppError('backup-unknown', 'It is a backup of another program.');
  // Check the version first: a newer version may have another structure.
  const { version, schema: written } = json;
  if (isNewerVersion(version, backupVersion) || isNewerVersion(written, schema))
    throw new AppError('backup-newer', `Version ${String(version)}, database ${String(written)}.`);
  const manifest = read(BackupManifest, json);
  if (!manifest.ok) throw createDamagedBackupError(manifest.reason);
  return manifest.value;
}

const isNewerVersion = (written: unknown, own: number) => typeof written === 'number' && written > own;

/** Checks that the archive contains exactly the files in its manifest. Returns their total size in bytes. */
function checkFiles({ files, parts }: BackupManifest, entries: EntryMap, fileBytes: number): number {
  const expected = new Set([manifestFileName]);
  for (const { name, table, bytes } of files) {
    const known = backedUpTables.find((carried) => carried.name === table);
    if (!known || name !== toTableFileName(table) || !parts.includes(known.part) || expected.has(name))
      throw createRefusedBackupError(`What it says of ${JSON.stringify(name.slice(0, 80))} cannot be.`);
    if (entries.get(name)?.uncompressedSize !== bytes)
      throw createDamagedBackupError(`${name} is missing, or of another length.`);
    expected.add(name);
  }
  const rowsOf = (wanted: string) => files.find(({ table }) => table === wanted)?.rows ?? 0;
  const [results, attachments] = [rowsOf('results'), rowsOf('attachments')];
  if (results + attachments > entries.size) throw createDamagedBackupError('Files are missing.');
  for (let place = 1; place <= results; place++) expected.add(toResultFileName(place));
  for (let place = 1; place <= attachments; place++) {
    const { file, text } = toAttachmentFileNames(place);
    expected.add(file).add(text);
  }
  if (expected.size !== entries.size || [...expected].some((name) => !entries.has(name)))
    throw createDamagedBackupError('It has other files in it than it says.');
  const total = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (isZipBomb(total, fileBytes)) throw createRefusedBackupError('It was made to burst.');
  return total;
}

async function readTables(
  manifest: BackupManifest,
  entries: EntryMap,
  { take, onProgress, total }: ReadArchiveOptions & { total: number },
): Promise<void> {
  const check = createRowCheck(manifest);
  let done = 0;
  const onBytes = (bytes: number) => onProgress((done += bytes), total);
  for (const table of backedUpTables) {
    const file = manifest.files.find(({ name }) => name === toTableFileName(table.name));
    if (!file) continue;
    const rows = readCheckedRows(table, file, entries, check, onBytes);
    for await (const batch of groupIntoBatches(rows)) await take(table, batch);
  }
  check.end();
}

interface CheckedRow {
  row: object;
  characters: number;
}

type OnBytes = (bytes: number) => void;

async function* readCheckedRows(
  table: BackedUpTable,
  file: BackupFile,
  entries: EntryMap,
  check: RowCheck,
  onBytes: OnBytes,
): AsyncGenerator<CheckedRow> {
  const entry = entries.get(file.name);
  if (!entry) return;
  const complete = rowCompleters[table.name];
  let rows = 0;
  for await (const line of readLines(unpackEntry(entry), file, onBytes)) {
    if (++rows > file.rows) throw createDamagedBackupError(`${file.name} has more rows than it says.`);
    const row = check.row(table, readJson(line));
    yield complete ? await complete(row, rows, entries, onBytes) : { row, characters: line.length };
  }
  if (rows < file.rows) throw createDamagedBackupError(`${file.name} has fewer rows than it says.`);
}

/** Adds the parts of a row that the archive stores in separate files. `place`: number of the row, from 1. */
type RowCompleter = (row: object, place: number, entries: EntryMap, onBytes: OnBytes) => Promise<CheckedRow>;

const addFileData: RowCompleter = async (row, place, entries, onBytes) => {
  const { sha256, bytes, textSha256, textBytes, ...kept } = AttachmentRow.parse(row);
  const names = toAttachmentFileNames(place);
  const [file, read] = [entries.get(names.file), entries.get(names.text)];
  // A character takes at most four bytes in UTF-8.
  if (!file || !read || bytes > attachmentLimits.bytes || textBytes > attachmentLimits.characters * 4)
    throw createRefusedBackupError('A file in it is longer than any that is kept.');
  const data = await readBytes(unpackEntry(file), { bytes, sha256 }, onBytes);
  const text = await readWholeText(unpackEntry(read), { bytes: textBytes, sha256: textSha256 }, onBytes);
  return { row: { ...kept, data, text }, characters: data.length + text.length };
};

const addResultText: RowCompleter = async (row, place, entries, onBytes) => {
  const { sha256, ...kept } = ResultRow.parse(row);
  const entry = entries.get(toResultFileName(place));
  if (!entry || kept.bytes > maxResultBytes.one)
    throw createRefusedBackupError('A result in it is longer than any that is kept.');
  const text = await readWholeText(unpackEntry(entry), { bytes: kept.bytes, sha256 }, onBytes);
  return { row: { ...kept, text }, characters: text.length };
};

const rowCompleters: Record<string, RowCompleter> = { attachments: addFileData, results: addResultText };

async function* groupIntoBatches(rows: AsyncIterable<CheckedRow>): AsyncGenerator<object[]> {
  let batch: object[] = [];
  let length = 0;
  for await (const { row, characters } of rows) {
    batch.push(row);
    length += characters;
    if (batch.length < maxBatchRows && length < maxBatchCharacters) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Maximum number of rows in a backup. The reader keeps their keys in memory. */
const maxBackupRows = 5_000_000;

type RowCheck = ReturnType<typeof createRowCheck>;

export function createRowCheck({ parts }: Pick<BackupManifest, 'parts'>) {
  const hasChats = parts.includes('chats');
  const known = new Map<string, Set<unknown>>();
  const parents = new Map<string, { parentId: string | null; chatId: string }>();
  const chatsOfAgents: unknown[] = [];
  let count = 0;
  const has = (table: string, id: unknown) => known.get(table)?.has(id) ?? false;

  function checkKey({ name, key }: BackedUpTable, row: object): void {
    const id: unknown = Reflect.get(row, key);
    const keys = known.get(name) ?? new Set();
    known.set(name, keys);
    if (keys.has(id)) throw createRefusedBackupError(`A row of ${name} is in it twice.`);
    keys.add(id);
    if (++count > maxBackupRows) throw createTooLargeError(`More than ${maxBackupRows} rows are in it.`);
  }

  function checkTimes({ name }: BackedUpTable, row: object): void {
    for (const [field, value] of Object.entries(row)) {
      if (/(?:^at|At)$/.test(field) && typeof value === 'number' && !isTime(value))
        throw createDamagedBackupError(`A row of ${name} has no real time in ${field}.`);
    }
  }

  function checkReferences(table: BackedUpTable, row: Readonly<Record<string, unknown>>): void {
    const { chatId, messageId, agentOf } = row;
    const isOfChat = table.isOfChat === true || table.name === 'messages';
    if (isOfChat && typeof chatId === 'string' && (!hasChats || !has('chats', chatId)))
      throw createRefusedBackupError(`A row of ${table.name} is of a chat that is not in it.`);
    if (table.name === 'deltas' && !has('messages', messageId))
      throw createRefusedBackupError('A checkpoint in it is of a message that is not.');
    if (table.name === 'chats' && isRecord(agentOf)) chatsOfAgents.push(agentOf['chatId']);
  }

  return {
    row(table: BackedUpTable, json: unknown): object {
      const row = read(table.schema, json);
      if (!row.ok) throw createDamagedBackupError(`A row of ${table.name} cannot be read: ${row.reason}`);
      checkTimes(table, row.value);
      checkKey(table, row.value);
      checkReferences(table, row.value as Readonly<Record<string, unknown>>);
      if (table.name === 'messages') {
        const { id, parentId, chatId } = row.value as { id: string; parentId: string | null; chatId: string };
        parents.set(id, { parentId, chatId });
      }
      return row.value;
    },
    /** Runs the checks that need all rows. Call this after the last row. */
    end() {
      if (chatsOfAgents.some((id) => !has('chats', id)))
        throw createRefusedBackupError('A chat in it belongs to none.');
      checkMessageTree(parents);
    },
  };
}

/** The parent of each message must be in the same chat, and there must be no cycles. */
function checkMessageTree(nodes: ReadonlyMap<string, { parentId: string | null; chatId: string }>): void {
  const settled = new Set<string>();
  for (const [id, { chatId }] of nodes) {
    const line = new Set<string>();
    for (let at: string | null = id; at !== null && !settled.has(at);) {
      if (line.has(at)) throw createRefusedBackupError('Messages in it stand below themselves.');
      line.add(at);
      const node = nodes.get(at);
      if (node?.chatId !== chatId)
        throw createRefusedBackupError('A message in it stands below none of its chat.');
      at = node.parentId;
    }
    for (const seen of line) settled.add(seen);
  }
}

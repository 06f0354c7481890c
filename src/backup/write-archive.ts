/** Writes a backup: a zip with a file of JSON lines per table, a file for each long result and attachment, and the manifest last. */
import { TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { type BackupFile, type BackupManifest, type BackupPart, backupVersion } from '../contracts/backup';
import type { ExportReader } from '../store/export-rows';
import type { AttachmentRow, ResultRow } from '../store/kept-tables';
import { toJsonLines, toHexHash } from './streams';

export const manifestFileName = 'manifest.json';
export const toTableFileName = (table: string) => `${table}.jsonl`;
/** `place`: number of the row, from 1. Ids are not safe as file names. */
export const toResultFileName = (place: number) => `results/${String(place).padStart(6, '0')}.txt`;

export function toAttachmentFileNames(place: number): { file: string; text: string } {
  const name = `attachments/${String(place).padStart(6, '0')}`;
  return { file: `${name}.bin`, text: `${name}.txt` };
}

/** Closes `writable` at the end. Only then is the file a valid backup. */
export async function writeArchive(
  reader: ExportReader,
  writable: WritableStream<Uint8Array>,
  options: {
    parts: readonly BackupPart[];
    app: string;
    schema: number;
    createdAt: number;
    onRow: () => void;
  },
): Promise<BackupManifest> {
  const { parts, app, schema, createdAt, onRow } = options;
  // The page's CSP forbids the library's own workers. The browser's fast built-in compression only supports level 6.
  const zip = new ZipWriter(writable, { useWebWorkers: false, level: 6, extendedTimestamp: false });
  const files: BackupFile[] = [];
  const add = async (table: string, rows: AsyncIterable<object> | Iterable<object>) => {
    const name = toTableFileName(table);
    const lines = toJsonLines(rows, onRow, (measured) => files.push({ name, table, ...measured }));
    await zip.add(name, lines);
  };
  for (const { name, rows } of reader.tables()) await add(name, rows);
  if (parts.includes('chats')) {
    await add('results', await addResults(zip, reader));
    await add('attachments', await addAttachments(zip, reader));
  }
  const head = { format: 'hearth-backup' as const, version: backupVersion, app, schema, createdAt };
  const manifest: BackupManifest = { ...head, parts: [...parts], files, unreadable: reader.unreadableCount };
  await zip.add(manifestFileName, new TextReader(JSON.stringify(manifest, null, 2)));
  await zip.close();
  return manifest;
}

/** Writes a file for each result. Returns the rows, which the caller then writes: a zip is written one file at a time. */
async function addResults(zip: ZipWriter<unknown>, reader: ExportReader): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for await (const { text, ...row } of reader.readResults()) {
    const bytes = new TextEncoder().encode(text);
    rows.push({ ...row, bytes: bytes.length, sha256: toHexHash(bytes) });
    await zip.add(toResultFileName(rows.length), new Uint8ArrayReader(bytes));
  }
  return rows;
}

async function addAttachments(zip: ZipWriter<unknown>, reader: ExportReader): Promise<AttachmentRow[]> {
  const rows: AttachmentRow[] = [];
  for await (const { text, data, ...row } of reader.readAttachments()) {
    const read = new TextEncoder().encode(text);
    const sums = { bytes: data.length, sha256: toHexHash(data) };
    rows.push({ ...row, ...sums, textBytes: read.length, textSha256: toHexHash(read) });
    const { file, text: textFile } = toAttachmentFileNames(rows.length);
    await zip.add(file, new Uint8ArrayReader(data));
    await zip.add(textFile, new Uint8ArrayReader(read));
  }
  return rows;
}

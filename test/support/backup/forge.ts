/** Takes backups apart, changes them and reassembles them, with or without correct checksums. */
import {
  BlobReader,
  TextReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from '@zip.js/zip.js/lib/zip-core-custom.js';
import { createBlobWriter, toHexHash } from '../../../src/backup/streams';
import { BackupManifest } from '../../../src/contracts/backup';

export type Files = Map<string, string>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export async function unpack(file: Blob): Promise<Files> {
  const zip = new ZipReader(new BlobReader(file), { useWebWorkers: false });
  const files: Files = new Map();
  for (const entry of await zip.getEntries())
    if (!entry.directory)
      files.set(entry.filename, decoder.decode(await entry.getData(new Uint8ArrayWriter())));
  return files;
}

/** Writes files in the map's order. */
export async function pack(files: Files): Promise<Blob> {
  const { writable, blob } = createBlobWriter();
  const zip = new ZipWriter(writable, { useWebWorkers: false });
  for (const [name, text] of files) await zip.add(name, new TextReader(text));
  await zip.close();
  return blob();
}

export const manifestOf = (files: Files): BackupManifest =>
  BackupManifest.parse(JSON.parse(files.get('manifest.json') ?? ''));

/** Changes one table and updates the manifest, so that only the rows can reveal the change. */
export function withRows(files: Files, table: string, change: (rows: string[]) => string[]): Files {
  const name = `${table}.jsonl`;
  const rows = (files.get(name) ?? '').split('\n').filter((row) => row !== '');
  const text = change(rows)
    .map((row) => `${row}\n`)
    .join('');
  return sealed(new Map([...files, [name, text]]));
}

/** Updates checksums, lengths and counts to match the files. */
function sealed(files: Files): Files {
  const manifest = manifestOf(files);
  const counted = manifest.files.map((file) => {
    const bytes = new TextEncoder().encode(files.get(file.name) ?? '');
    const rows = (files.get(file.name) ?? '').split('\n').length - 1;
    return { ...file, rows, bytes: bytes.length, sha256: toHexHash(bytes) };
  });
  const text = JSON.stringify({ ...manifest, files: counted });
  return new Map([...files].filter(([name]) => name !== 'manifest.json').concat([['manifest.json', text]]));
}

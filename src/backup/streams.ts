/** Streams of bytes and lines, for untrusted backup files. Each holds at most one chunk in memory. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { AppError } from '../contracts/app-error';
import type { BackupFile } from '../contracts/backup';

/** Maximum length of a line, in characters. A message with pictures has a few million. */
const maxLineCharacters = 64_000_000;
/** Minimum length of a chunk, in characters. Writing each line separately would be slow. */
const minChunkCharacters = 256_000;
const minBlobPartBytes = 8_000_000;

/** Writes rows as JSON lines. After the last row, calls `onEnd` with the number of bytes and rows and the hash. */
export function toJsonLines(
  rows: AsyncIterable<object> | Iterable<object>,
  onRow: () => void,
  onEnd: (measured: Pick<BackupFile, 'bytes' | 'rows' | 'sha256'>) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const sum = sha256.create();
  let [bytes, count] = [0, 0];
  function encode(text: string): Uint8Array {
    const encoded = encoder.encode(text);
    sum.update(encoded);
    bytes += encoded.length;
    return encoded;
  }
  async function* chunks() {
    let text = '';
    for await (const row of rows) {
      text += `${JSON.stringify(row, dropPrototypeKey)}\n`;
      count++;
      onRow();
      if (text.length < minChunkCharacters) continue;
      yield encode(text);
      text = '';
    }
    if (text !== '') yield encode(text);
    onEnd({ bytes, rows: count, sha256: bytesToHex(sum.digest()) });
  }
  return toStream(chunks());
}

/** Not every browser has `ReadableStream.from`. */
export function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
}

/** Drops the key `__proto__`, which a careless reader of the file could use as the object's prototype. */
function dropPrototypeKey(this: unknown, key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

export const toHexHash = (bytes: Uint8Array) => bytesToHex(sha256(bytes));

interface ExpectedFile {
  bytes: number;
  sha256?: string;
}

/** Yields the chunks of a file and reports their length. Rejects if the size or hash differs from `expected`. */
async function* readCheckedPieces(
  bytes: ReadableStream<Uint8Array>,
  expected: ExpectedFile,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const sum = expected.sha256 === undefined ? undefined : sha256.create();
  let length = 0;
  for await (const chunk of readPieces(bytes)) {
    length += chunk.length;
    if (length > expected.bytes) throw createDamagedBackupError('A file in it is longer than it says.');
    sum?.update(chunk);
    onBytes?.(chunk.length);
    yield chunk;
  }
  if (length !== expected.bytes) throw createDamagedBackupError('A file in it is shorter than it says.');
  if (sum && bytesToHex(sum.digest()) !== expected.sha256)
    throw createDamagedBackupError('A checksum in it is wrong.');
}

/** Decodes UTF-8 in chunks and reports the number of bytes. Rejects if the size or hash differs from `expected`. */
export async function* readText(...file: Parameters<typeof readCheckedPieces>): AsyncGenerator<string> {
  // Keep a byte order mark: it is part of the stored text.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of readCheckedPieces(...file)) yield decodeText(decoder, chunk);
  yield decodeText(decoder);
}

export async function readWholeText(...file: Parameters<typeof readCheckedPieces>): Promise<string> {
  const pieces: string[] = [];
  for await (const text of readText(...file)) pieces.push(text);
  return pieces.join('');
}

export async function readBytes(
  bytes: ReadableStream<Uint8Array>,
  expected: Required<ExpectedFile>,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(expected.bytes);
  let length = 0;
  for await (const chunk of readCheckedPieces(bytes, expected, onBytes)) {
    whole.set(chunk, length);
    length += chunk.length;
  }
  return whole;
}

export async function* readLines(...file: Parameters<typeof readCheckedPieces>): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  for await (const text of readText(...file)) {
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      open.push(line);
      length += line.length;
      if (length > maxLineCharacters) throw createTooLargeError('A line in it is too long.');
      if (at === lines.length - 1) continue;
      yield open.join('');
      open = [];
      length = 0;
    }
  }
  const last = open.join('');
  if (last !== '') yield last;
}

function decodeText(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw createDamagedBackupError('It is not UTF-8.');
  }
}

/** Iterates over a stream, which Safari cannot do itself. Cancels the stream if the consumer stops early. */
export async function* readPieces(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = bytes.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch(throwReadingError);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

export const readBeginning = (file: Blob, bytes: number): Promise<string> =>
  file.slice(0, bytes).text().catch(throwReadingError);

/** Collects written data in a `Blob`. The browser keeps a large one on disk. */
export function createBlobWriter(): { writable: WritableStream<Uint8Array>; blob: () => Blob } {
  const parts: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const flush = () => {
    parts.push(new Blob(held));
    held = [];
    bytes = 0;
  };
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      // Copy the chunk: the writer may reuse its memory.
      held.push(new Uint8Array(chunk));
      bytes += chunk.length;
      if (bytes >= minBlobPartBytes) flush();
    },
    close: flush,
  });
  return { writable, blob: () => new Blob(parts, { type: 'application/octet-stream' }) };
}

/** Opens a file on disk for writing. The old content stays until everything is written. All errors are `AppError`s. */
export async function openForWriting(handle: FileSystemFileHandle): Promise<WritableStream<Uint8Array>> {
  const typed = async <Value>(task: () => Promise<Value>) => {
    try {
      return await task();
    } catch (error) {
      throw toWritingError(error);
    }
  };
  const file = await typed(() => handle.createWritable());
  return new WritableStream<Uint8Array>({
    write: (chunk) => typed(() => file.write(new Uint8Array(chunk))),
    close: () => typed(() => file.close()),
    abort: (reason) => file.abort(reason),
  });
}

const maxJsonDepth = 100;

/** Parses untrusted JSON. Throws if it is invalid, nested too deeply, or has a `__proto__` key. */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw createDamagedBackupError(`A line in it is no JSON: ${String(error)}`);
  }
  checkNesting(value, maxJsonDepth);
  return value;
}

function checkNesting(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw createRefusedBackupError('It nests too deep.');
  if (Object.hasOwn(value, '__proto__'))
    throw createRefusedBackupError('It has a key that stands for the prototype.');
  for (const item of Object.values(value) as unknown[]) checkNesting(item, depth - 1);
}

/** Above both limits, an archive is a zip bomb. Text has a compression ratio of about 10, repetitive rows somewhat more. */
const [maxRatio, harmlessBytes] = [400, 64_000_000];

export const isZipBomb = (total: number, packed: number) =>
  total > harmlessBytes && total > packed * maxRatio;

/** Returns the unpacked bytes of a file. If unpacking fails, reading the stream rejects. */
export function unpackEntry(entry: FileEntry): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  entry
    .getData(writable)
    .catch((error: unknown) => writable.abort(toReadingError(error)).catch(() => undefined));
  return readable;
}

export const createUnknownFormatError = (detail: string) => new AppError('backup-unknown', detail);
export const createDamagedBackupError = (detail: string) => new AppError('backup-damaged', detail);
export const createRefusedBackupError = (detail: string) => new AppError('backup-refused', detail);
export const createTooLargeError = (detail: string) => new AppError('backup-too-large', detail);

/** Converts an error that occurs while we read a file. A disk or memory error does not mean that the file is damaged. */
export function toReadingError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return createDamagedBackupError(String(error));
  const options = { cause: error };
  // The zip library has no error type for an unsafe file name, so match the message.
  if (error.message.includes('Unsafe filename')) return createRefusedBackupError(error.message);
  if (error.name === 'NotReadableError' || error.name === 'NotFoundError' || error.name === 'NotAllowedError')
    return new AppError('backup-unread', error.message, options);
  if (error instanceof RangeError && /allocation|array length|out of memory/i.test(error.message))
    return new AppError('backup-too-large', error.message, options);
  return new AppError('backup-damaged', `${error.name}: ${error.message}`, options);
}

export function throwReadingError(error: unknown): never {
  throw toReadingError(error);
}

function toWritingError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError('backup-unwritable', String(error));
  const code = error.name === 'QuotaExceededError' ? 'storage-full' : 'backup-unwritable';
  return new AppError(code, `${error.name}: ${error.message}`, { cause: error });
}

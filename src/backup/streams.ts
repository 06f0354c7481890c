/** Streams of bytes and lines, none of which holds more than a piece of what goes through it. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { damaged, refused, tooLarge, toReadingError, toWritingError } from './failures';
import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js';

/** Characters in one line. A message with the pictures of a result is a few millions. */
const mostLineCharacters = 64_000_000;
/** Characters that are gathered before they go on: a line alone would be a step of the whole chain. */
const piece = 256_000;
/** Bytes that are held in the page's memory before the browser is given them. */
const blobPart = 8_000_000;

/** The sum and the length of what was written so far. */
interface Measured {
  bytes: number;
  rows: number;
  sha256: string;
}

/** Rows as JSON lines. `onEnd` is told their sum when all have been read. */
export function linesOf(
  rows: AsyncIterable<object>,
  onRow: () => void,
  onEnd: (measured: Measured) => void,
): ReadableStream<Uint8Array> {
  const iterator = rows[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const sum = sha256.create();
  let [bytes, count] = [0, 0];
  return new ReadableStream({
    async pull(controller) {
      let text = '';
      let isOver = false;
      while (text.length < piece && !isOver) {
        const next = await iterator.next();
        if (next.done) isOver = true;
        else {
          text += `${JSON.stringify(next.value, withoutPrototypes)}\n`;
          count++;
          onRow();
        }
      }
      const encoded = encoder.encode(text);
      sum.update(encoded);
      bytes += encoded.length;
      if (encoded.length > 0) controller.enqueue(encoded);
      if (!isOver) return;
      onEnd({ bytes, rows: count, sha256: bytesToHex(sum.digest()) });
      controller.close();
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}

/** A key that would be taken for the prototype where somebody reads the file without care is not written. */
function withoutPrototypes(this: unknown, key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

export const sumOf = (bytes: Uint8Array) => bytesToHex(sha256(bytes));

interface Expected {
  bytes: number;
  /** Missing where the archive's own sum is all there is. */
  sha256?: string;
}

/** Reads UTF-8 in pieces, and tells how long each was in bytes. Rejects where the sum or the length is another than was said. */
export async function* readText(
  bytes: ReadableStream<Uint8Array>,
  expected: Expected,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<string> {
  // What looks like a mark of the encoding is a character like any other.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const sum = expected.sha256 === undefined ? undefined : sha256.create();
  let length = 0;
  for await (const chunk of readPieces(bytes)) {
    length += chunk.length;
    if (length > expected.bytes) throw damaged('A file in it is longer than it says.');
    sum?.update(chunk);
    onBytes?.(chunk.length);
    yield decode(decoder, chunk);
  }
  yield decode(decoder);
  if (length !== expected.bytes) throw damaged('A file in it is shorter than it says.');
  if (sum && bytesToHex(sum.digest()) !== expected.sha256) throw damaged('A checksum in it is wrong.');
}

/** As `readText`, at once: for what is short. */
export async function readWhole(
  bytes: ReadableStream<Uint8Array>,
  expected: Expected,
  onBytes?: (bytes: number) => void,
): Promise<string> {
  const pieces: string[] = [];
  for await (const text of readText(bytes, expected, onBytes)) pieces.push(text);
  return pieces.join('');
}

/** As `readWhole`, of what is no text. */
export async function readBytes(
  bytes: ReadableStream<Uint8Array>,
  expected: Required<Expected>,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(expected.bytes);
  let length = 0;
  for await (const chunk of readPieces(bytes)) {
    if (length + chunk.length > whole.length) throw damaged('A file in it is longer than it says.');
    whole.set(chunk, length);
    onBytes(chunk.length);
    length += chunk.length;
  }
  if (length !== whole.length) throw damaged('A file in it is shorter than it says.');
  if (sumOf(whole) !== expected.sha256) throw damaged('A checksum in it is wrong.');
  return whole;
}

/** As `readText`, line by line, without what ends them. */
export async function* readLines(
  bytes: ReadableStream<Uint8Array>,
  expected: Expected,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  for await (const text of readText(bytes, expected, onBytes)) {
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      open.push(line);
      length += line.length;
      if (length > mostLineCharacters) throw tooLarge('A line in it is too long.');
      if (at === lines.length - 1) continue;
      yield open.join('');
      open = [];
      length = 0;
    }
  }
  const last = open.join('');
  if (last !== '') yield last;
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw damaged('It is not UTF-8.');
  }
}

/** In every browser: Safari cannot iterate a stream. Ends the stream where the reader leaves early. */
export async function* readPieces(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = bytes.getReader();
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => {
        throw toReadingError(error);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // What it was broken off for has been said by then.
    reader.cancel().catch(() => undefined);
  }
}

/** Gathers what is written into a `Blob`, which the browser keeps on the disk where it is large. */
export function gatherBlob(): { writable: WritableStream<Uint8Array>; blob: () => Blob } {
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
      // A copy: whoever wrote it may use its memory again.
      held.push(new Uint8Array(chunk));
      bytes += chunk.length;
      if (bytes >= blobPart) flush();
    },
    close: flush,
  });
  return { writable, blob: () => new Blob(parts, { type: 'application/octet-stream' }) };
}

/** A file of the disk as something to write to, whose errors are typed. What was there stays until all is written. */
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

//# Reads JSON that anybody may have written.

/** Deeper than any row of ours nests. */
const mostDepth = 100;

/** Rejects what is no JSON, nests too deep, or has a key that stands for the prototype. */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(`A line in it is no JSON: ${String(error)}`);
  }
  checkNesting(value, mostDepth);
  return value;
}

function checkNesting(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throw refused('It nests too deep.');
  if (Object.hasOwn(value, '__proto__')) throw refused('It has a key that stands for the prototype.');
  for (const item of Object.values(value) as unknown[]) checkNesting(item, depth - 1);
}

//# What every archive that is read has in common: its files are unpacked as they are read, and a bomb is known before.

/** What packs better than this, and is not small, was made to burst: text packs to a tenth, the same row over and over to less. */
const [mostRatio, harmlessBytes] = [400, 64_000_000];

/** `total`: bytes of its files, as it says; `packed`: its own. */
export const isBomb = (total: number, packed: number) => total > harmlessBytes && total > packed * mostRatio;

/** Its bytes as they are unpacked. What is wrong with them rejects in the stream. */
export function unpacked(entry: FileEntry): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  entry
    .getData(writable)
    .catch((error: unknown) => writable.abort(toReadingError(error)).catch(() => undefined));
  return readable;
}

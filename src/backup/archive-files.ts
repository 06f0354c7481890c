/** What every archive that is read has in common: its files are unpacked as they are read, and a bomb is known before. */
import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { toReadingError } from './failures';

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

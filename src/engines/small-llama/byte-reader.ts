/** Bytes that come in pieces, taken in others. */
import { AppError } from '../../contracts/app-error';
import { type GgufFile, readHead } from '../gguf/header';

export interface ByteReader {
  /** The next so many, in memory of their own. Rejects with `AppError` 'model-damaged' where there are fewer. */
  take: (count: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** Reads to the end, where it is said what is wrong with the whole. */
  finish: () => Promise<void>;
  /** The header of a GGUF file, at the beginning; it is not taken by that. */
  readHeader: () => Promise<GgufFile>;
}

export function createByteReader(source: AsyncIterable<Uint8Array<ArrayBuffer>>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  /** What has come and was not taken. */
  let held: Uint8Array<ArrayBuffer>[] = [];
  let heldBytes = 0;

  /** False at the end. */
  async function more(): Promise<boolean> {
    const next = await pieces.next();
    if (next.done) return false;
    held.push(next.value);
    heldBytes += next.value.byteLength;
    return true;
  }

  function copy(count: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(count);
    let at = 0;
    for (const piece of held) {
      if (at === count) break;
      const part = piece.subarray(0, count - at);
      bytes.set(part, at);
      at += part.byteLength;
    }
    return bytes;
  }

  function drop(count: number): void {
    let left = count;
    const after = held.findIndex((piece) => {
      if (left < piece.byteLength) return true;
      left -= piece.byteLength;
      return false;
    });
    const [first, ...others] = after === -1 ? [] : held.slice(after);
    held = first ? [first.subarray(left), ...others] : [];
    heldBytes -= count;
  }

  return {
    async take(count) {
      while (heldBytes < count) {
        if (!(await more())) throw new AppError('model-damaged', 'It is cut off.');
      }
      const bytes = copy(count);
      drop(count);
      return bytes;
    },
    async finish() {
      while (await more()) drop(heldBytes);
    },
    async readHeader() {
      let isWhole = false;
      for (let wanted = 1 << 19; ; wanted *= 2) {
        while (heldBytes < wanted && !isWhole) isWhole = !(await more());
        const gguf = readHead(copy(heldBytes).buffer, isWhole);
        if (gguf) return gguf;
      }
    },
  };
}

/** The bytes of a model's file, as llama.cpp reads them: where it wants them, and at once. */
import type { LoadOptions, ModelSpec } from '../../contracts/model';
import { openOwnFile } from '../../egress/own-files';
import { isOfSite, readWeights } from '../gguf/read-weights';

export interface Weights {
  readonly size: number;
  /** At most `size` bytes from `offset` on; a view that stays valid until the next call. */
  read: (offset: number, size: number) => Uint8Array;
  /** Frees the memory that it takes; nothing can be read any more. */
  close: () => void;
}

/** Rejects with an `AppError`. */
export async function openWeights(model: ModelSpec, options: LoadOptions): Promise<Weights> {
  const { path, bytes } = model.file;
  if (!isOfSite(path)) return onDisk(await readWeights(model, options));
  const { signal, onProgress } = options;
  const pieces = await openOwnFile(path, {
    ...{ signal, magic: 'GGUF', expectedBytes: bytes },
    onProgress: (loadedBytes) => onProgress({ step: 'weights', loadedBytes, totalBytes: bytes }),
  });
  const all = new Uint8Array(bytes);
  let at = 0;
  for await (const piece of pieces) {
    // A file that is too long is refused at its end; what is too much of it has no room here.
    all.set(piece.subarray(0, bytes - at), at);
    at = Math.min(bytes, at + piece.byteLength);
    // Where several pieces share a buffer, the others are still needed.
    if (piece.byteLength === piece.buffer.byteLength) free(piece.buffer);
  }
  return {
    size: bytes,
    read: (offset, size) => all.subarray(offset, offset + size),
    close: () => free(all.buffer),
  };
}

/** Browsers collect garbage when more memory is allocated, and a worker that has loaded its model allocates little. */
function free(buffer: ArrayBuffer): void {
  // Browsers of before 2024 lack it.
  const { transfer } = buffer as { transfer?: (this: ArrayBuffer, size: number) => unknown };
  transfer?.call(buffer, 0);
}

/** Only workers have it, so that the page's library of types does not name it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** A model is larger than the memory it may take twice: we read it in pieces, when llama.cpp asks for them. */
function onDisk(file: Blob): Weights {
  const reader = new FileReaderSync();
  return {
    size: file.size,
    read: (offset, size) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + size))),
    close: () => undefined,
  };
}

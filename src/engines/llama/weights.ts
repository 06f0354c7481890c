/** The bytes of a model's file, for llama.cpp's synchronous reads. */
import type { LoadOptions, ModelSpec } from '../../contracts/model';
import { openOwnFile } from '../../egress/own-files';
import { isOfSite, readWeights } from '../gguf/read-weights';

export interface Weights {
  readonly size: number;
  /** At most `size` bytes from `offset` on. The view is valid until the next call. */
  read: (offset: number, size: number) => Uint8Array;
  /** Frees its memory. Nothing can be read afterwards. */
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
    // A file that is too long is rejected at its end, so the surplus is dropped here.
    all.set(piece.subarray(0, bytes - at), at);
    at = Math.min(bytes, at + piece.byteLength);
    // Other pieces in a shared buffer are still needed.
    if (piece.byteLength === piece.buffer.byteLength) free(piece.buffer);
  }
  return {
    size: bytes,
    read: (offset, size) => all.subarray(offset, offset + size),
    close: () => free(all.buffer),
  };
}

/** Frees the buffer at once: browsers collect garbage when memory is allocated, and a worker with a loaded model allocates little. */
function free(buffer: ArrayBuffer): void {
  // Missing in browsers before 2024.
  const { transfer } = buffer as { transfer?: (this: ArrayBuffer, size: number) => unknown };
  transfer?.call(buffer, 0);
}

/** Only workers have it, so the page's type library lacks it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

/** Reads the file in pieces when llama.cpp asks for them, because two copies may not fit in memory. */
function onDisk(file: Blob): Weights {
  const reader = new FileReaderSync();
  return {
    size: file.size,
    read: (offset, size) => new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + size))),
    close: () => undefined,
  };
}

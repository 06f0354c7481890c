/** Reads the GGUF file of a model, from our own origin or from storage. */
import { AppError } from '../../contracts/app-error';
import type { LoadOptions, ModelSpec } from '../../contracts/model';
import { openKept } from '../../egress/kept-files';
import { readOwnFile } from '../../egress/own-files';

export async function readWeights(
  { file: { path, bytes } }: ModelSpec,
  { signal, onProgress }: LoadOptions,
): Promise<Blob> {
  if (isOfSite(path)) {
    return readOwnFile(path, {
      signal,
      magic: 'GGUF',
      expectedBytes: bytes,
      onProgress: (loadedBytes) => onProgress({ step: 'weights', loadedBytes, totalBytes: bytes }),
    });
  }
  // Validated when it was stored.
  const file = await openKept('files', path);
  if (!file) throw new AppError('model-not-downloaded', `Not on this device: ${path}`);
  return file;
}

export function isOfSite(path: string): boolean {
  return new URL(path).origin === globalThis.location.origin;
}

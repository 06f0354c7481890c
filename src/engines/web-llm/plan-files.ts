/** The files of a WebLLM model. More are known once the list of weights has arrived. */
import type { MlcRecord } from '../../contracts/model';
import { readKeptJson } from '../../egress/kept-files';
import type { FilePlan, PlannedFile } from '../engine';
import { firstFilesOf, type ModelFile, otherFilesOf } from './files';

/** Rejects with an `AppError` (`model-damaged`). */
export async function planFiles(record: MlcRecord): Promise<FilePlan> {
  const first = firstFilesOf(record);
  const known = firstPlanned(record);
  const [config, tensorCache] = await Promise.all([
    readKeptJson('webllm/config', first.config.url),
    readKeptJson('webllm/model', first.tensorCache.url),
  ]);
  if (config === undefined || tensorCache === undefined) return { files: known, isWhole: false };
  const others = otherFilesOf(record, config, tensorCache).map((file) => toPlanned(file, record));
  return { files: [...known, ...others], isWhole: true };
}

export function firstPlanned(record: MlcRecord): PlannedFile[] {
  return Object.values<ModelFile>(firstFilesOf(record)).map((file) => toPlanned(file, record));
}

export function toPlanned({ cache, url, bytes, md5 }: ModelFile, record: MlcRecord): PlannedFile {
  return {
    url,
    place: cache,
    kind: kindOf(url, record),
    ...(bytes !== undefined && { bytes }),
    ...(md5 !== undefined && { md5 }),
  };
}

function kindOf(url: string, record: MlcRecord): PlannedFile['kind'] {
  if (url === firstFilesOf(record).library.url) return 'wasm';
  return new URL(url).pathname.endsWith('.json') ? 'json' : 'bytes';
}

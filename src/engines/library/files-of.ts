/** Which files make a model whole: as far as that is known, for the list of the weights comes first. */
import type { DownloadFile } from '../../contracts/download';
import type { MlcRecord, ModelSpec } from '../../contracts/model';
import { readKeptJson } from '../../egress/kept-files';
import { firstFilesOf, type ModelFile, otherFilesOf } from '../web-llm/files';

export interface FilePlan {
  files: readonly DownloadFile[];
  /** False while only the first files are known. */
  isWhole: boolean;
}

/** `mirrors` by host: the address to ask instead of `https://host`. Rejects with `AppError` 'model-damaged'. */
export async function filesOf(
  { mlc, file }: ModelSpec,
  mirrors: Readonly<Record<string, string>>,
): Promise<FilePlan> {
  const from = (url: string) => mirrored(url, mirrors);
  if (!mlc) {
    const gguf = { url: file.path, from: from(file.path), place: 'files' as const, kind: 'gguf' as const };
    return { files: [gguf], isWhole: true };
  }
  const first = firstFilesOf(mlc);
  const plan = (one: ModelFile) => toDownload(one, mlc, from(one.url));
  const known = Object.values(first).map(plan);
  const [config, tensorCache] = await Promise.all([
    readKeptJson('webllm/config', first.config.url),
    readKeptJson('webllm/model', first.tensorCache.url),
  ]);
  if (config === undefined || tensorCache === undefined) return { files: known, isWhole: false };
  return { files: [...known, ...otherFilesOf(mlc, config, tensorCache).map(plan)], isWhole: true };
}

export function toDownload(
  { cache, url, bytes, md5 }: ModelFile,
  mlc: MlcRecord,
  from: string,
): DownloadFile {
  return {
    url,
    from,
    place: cache,
    kind: kindOf(url, mlc),
    ...(bytes !== undefined && { bytes }),
    ...(md5 !== undefined && { md5 }),
  };
}

function kindOf(url: string, mlc: MlcRecord): DownloadFile['kind'] {
  if (url === firstFilesOf(mlc).library.url) return 'wasm';
  return new URL(url).pathname.endsWith('.json') ? 'json' : 'bytes';
}

/** The same path, at the mirror. */
function mirrored(url: string, mirrors: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url);
  const mirror = mirrors[host];
  return mirror === undefined || mirror === '' ? url : mirror.replace(/\/+$/, '') + pathname + search;
}

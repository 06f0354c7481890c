/** Lists the files of a model, imports models from the disk, and exports them to it. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { AddModelResult, OwnModel } from '../../contracts/model-library';
import { openStoredFile } from '../../egress/kept-files';
import { importedNameOf } from '../imported-files';
import type { ImportContext } from '../engine';
import { engines } from '../kinds';
import { engineOf } from '../registry';
import { catalog } from './catalog';
import type { DownloadFile } from '../../contracts/egress';

/** Imports a model from a file or a folder. A model from the catalog keeps its id. Stores all files or none. */
export async function importFiles(
  files: readonly File[],
  { ids, storeFile }: Pick<ImportContext, 'ids' | 'storeFile'>,
): Promise<AddModelResult> {
  const variants = catalog.flatMap((entry) => entry.variants);
  try {
    for (const { id, files: kind } of engines) {
      const added = await kind?.fromDisk?.(
        files,
        { ids, find: (isIt) => variants.find(isIt), storeFile },
        id,
      );
      if (added) return added;
    }
    return { ok: false, problem: 'no-config' };
  } catch (error) {
    const code = error instanceof AppError ? error.code : undefined;
    if (code === 'storage-full') return { ok: false, problem: 'full' };
    if (code === 'model-damaged') return { ok: false, problem: 'damaged' };
    throw error;
  }
}

/** Resolves to the files of a complete model, named so that `importFiles` can read them. */
export async function exportFiles(spec: ModelSpec): Promise<{ name: string; file: Blob }[]> {
  const { files } = await planDownload(spec, {});
  return Promise.all(
    files.map(async ({ place, url }) => {
      const file = await openStoredFile(place, url);
      if (!file) throw new AppError('model-not-downloaded', `Not on this device: ${url}`);
      return { name: importedNameOf(url), file };
    }),
  );
}

export async function describeOwnModel(own: OwnModel, spec: ModelSpec): Promise<OwnModel> {
  const files = await exportFiles(spec);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const [weights] = files;
  const facts = weights && (await engineOf(own)?.files?.describe?.(weights.file));
  return { ...facts, ...own, bytes };
}

export type DownloadPlan = Awaited<ReturnType<typeof planDownload>>;

/** `mirrors`: addresses to use instead of `https://host`, by host. Rejects with an `AppError` (`model-damaged`). */
export async function planDownload(spec: ModelSpec, mirrors: Readonly<Record<string, string>>) {
  const kind = engineOf(spec)?.files;
  const { files, isWhole } = (await kind?.plan?.(spec)) ?? { files: kind?.first(spec) ?? [], isWhole: true };
  return { files: files.map((file) => ({ ...file, from: toMirrorUrl(file.url, mirrors) })), isWhole };
}

/** Returns the files that we know without reading any stored file list, so we can delete them even if the list is unreadable. */
export function listFirstFiles(spec: ModelSpec): DownloadFile[] {
  const first = engineOf(spec)?.files?.first(spec) ?? [];
  return first.map((file) => ({ ...file, from: file.url }));
}

function toMirrorUrl(url: string, mirrors: Readonly<Record<string, string>>): string {
  const { host, pathname, search } = new URL(url);
  const mirror = mirrors[host];
  return mirror ? mirror.replace(/\/+$/, '') + pathname + search : url;
}

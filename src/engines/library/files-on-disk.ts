/** Imports models from the disk of this device, and exports them. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { AddedModel, OwnModel } from '../../contracts/model-library';
import { openKept } from '../../egress/kept-files';
import { nameIn } from '../imported-files';
import { engineOf, engines } from '../registry';
import { catalog } from './catalog';
import { filesOf } from './files-of';

/**
 * Imports one file, or all files of a folder. Exported files of a catalog model are stored as that model's. Stores nothing if the import
 * fails. `ids`: ids in use.
 */
export async function importFiles(files: readonly File[], ids: readonly string[]): Promise<AddedModel> {
  const variants = catalog.flatMap((entry) => entry.variants);
  try {
    for (const { files: kind } of engines) {
      const added = await kind?.fromDisk?.(files, { ids, find: (isIt) => variants.find(isIt) });
      if (added) return added;
    }
    return { ok: false, problem: 'no-config' };
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (isFull) return { ok: false, problem: 'full' };
    if (error instanceof AppError && error.code === 'model-damaged') return { ok: false, problem: 'damaged' };
    throw error;
  }
}

/** The files of a complete model under the names that `importFiles` reads. */
export async function exportFiles(spec: ModelSpec): Promise<{ name: string; file: Blob }[]> {
  const { files } = await filesOf(spec, {});
  return Promise.all(
    files.map(async ({ place, url }) => {
      const file = await openKept(place, url);
      if (!file) throw new AppError('model-not-downloaded', `Not on this device: ${url}`);
      return { name: nameIn(url), file };
    }),
  );
}

/** Adds what the downloaded files say about the model. */
export async function describeOwn(own: OwnModel, spec: ModelSpec): Promise<OwnModel> {
  const files = await exportFiles(spec);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  const [weights] = files;
  const facts = weights && (await engineOf(own)?.files?.describe?.(weights.file));
  // The user's own settings win over the file's.
  return { ...facts, ...own, bytes };
}

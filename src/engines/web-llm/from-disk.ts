import type { MlcRecord } from '../../contracts/model';
import type { AddModelResult } from '../../contracts/model-library';
import { parseJson } from '../../contracts/schema';
import { verifyFile } from '../../egress/verify-file';
import type { ImportContext } from '../engine';
import { toImportedUrl, storeImportedFiles, importedNameOf } from '../imported-files';
import { firstFilesOf, otherFilesOf } from './files';

/** A model that another device exported keeps its id. Returns undefined if there is no WebLLM model. */
export async function importWebLlmFolder(
  files: readonly File[],
  { ids, find, storeFile }: ImportContext,
  engine: string,
): Promise<AddModelResult | undefined> {
  const config = files.find(({ name }) => name === 'mlc-chat-config.json');
  if (!config) return undefined;
  const folder = files.filter((file) => folderOf(file) === folderOf(config));
  const byName = new Map(folder.map((file) => [file.name, file]));
  const tensorCache = byName.get('tensor-cache.json');
  const library = folder.find(({ name }) => name.endsWith('.wasm'));
  if (!tensorCache) return { ok: false, problem: 'no-config' };
  if (!library) return { ok: false, problem: 'no-library' };
  const id = folderOf(config).split('/').at(-1) || library.name.replace(/\.wasm$/, '');
  const listed = find((variant) => variant.id === id);
  if (!listed && ids.includes(id)) return { ok: false, problem: 'known' };

  const record = listed?.mlc ?? createRecordFor(id, library.name);
  const first = firstFilesOf(record);
  const others = otherFilesOf(record, parseJson(await config.text()), parseJson(await tensorCache.text()));
  const found = [first.library, first.config, first.tensorCache, ...others].map((plan) => ({
    plan,
    file: plan.url === first.library.url ? library : byName.get(importedNameOf(plan.url)),
  }));
  const whole = found.flatMap(({ plan, file }) => (file ? [{ plan, file }] : []));
  if (whole.length < found.length) return { ok: false, problem: 'no-weights' };
  for (const { plan, file } of whole) {
    if (!(await verifyFile(file, plan)).ok) return { ok: false, problem: 'damaged' };
  }
  await storeImportedFiles(
    whole.map(({ plan: { place, url }, file }) => ({ place, url, file })),
    storeFile,
  );
  if (listed) return { ok: true, id };
  const bytes = whole.reduce((sum, { file }) => sum + file.size, 0);
  return { ok: true, id, model: { id, engine, ...record, isFromDisk: true, bytes } };
}

function createRecordFor(id: string, libraryName: string): MlcRecord {
  const modelUrl = toImportedUrl(`${id}/resolve/main/`);
  return { modelUrl, libraryUrl: modelUrl + encodeURIComponent(libraryName), overrides: {} };
}

function folderOf({ webkitRelativePath: path }: File): string {
  return path.split('/').slice(0, -1).join('/');
}

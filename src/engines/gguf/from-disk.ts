import type { AddedModel, OwnModel } from '../../contracts/model-library';
import type { KnownModels } from '../engine';
import { importedUrl, keepAll, nameIn } from '../imported-files';
import { readGgufFacts } from './facts';

/** A model that was exported on another device keeps its id. Undefined if no file is a GGUF file. */
export async function ggufFromDisk(
  files: readonly File[],
  known: KnownModels,
  engine: string,
): Promise<AddedModel | undefined> {
  const file = files.find(({ name }) => name.toLowerCase().endsWith('.gguf'));
  if (!file) return undefined;
  if ((await file.slice(0, 4).text()) !== 'GGUF') return { ok: false, problem: 'not-gguf' };
  const facts = await readGgufFacts(file);
  const listed = known.find(({ url }) => url !== undefined && isSameName(nameIn(url), file.name));
  const id = listed?.id ?? file.name.replace(/\.gguf$/i, '');
  if (!listed && known.ids.includes(id)) return { ok: false, problem: 'known' };
  const modelUrl = listed?.url ?? importedUrl(file.name);
  await keepAll([{ place: 'files', url: modelUrl, file }]);
  if (listed) return { ok: true, id };
  const model: OwnModel = { id, engine, modelUrl, overrides: {}, bytes: file.size, ...facts };
  return { ok: true, id, model: { ...model, isFromDisk: true } };
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

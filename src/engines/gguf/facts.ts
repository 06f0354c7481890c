/** Reads what a GGUF file says about its model (family and context length), and imports such files from the disk. */
import type { OwnModel, AddedModel } from '../../contracts/model-library';
import { readGguf } from './header';
import { contextSizes } from '../library/entry';
import type { KnownModels } from '../engine';
import { importedUrl, keepAll, nameIn } from '../imported-files';

type GgufFacts = Pick<OwnModel, 'family' | 'contextTokens'>;

/** Marks in a model's template, most reliable first. */
const marks: readonly (readonly [mark: RegExp, family: NonNullable<OwnModel['family']>])[] = [
  [/<\|start_header_id\|>/, 'llama3'],
  [/<\|im_start\|>/, 'chatml'],
  [/<\|end\|>/, 'phi4'],
  [/<start_of_turn>/, 'gemma'],
  [/<\|turn>/, 'gemma4'],
  [/\[SYSTEM_PROMPT\]/, 'mistral'],
  [/\[INST\]/, 'mistral-inst'],
];

/** Omits what the file does not say. Rejects with an `AppError` (`model-damaged`) if it cannot be read. */
export async function readGgufFacts(file: Blob): Promise<GgufFacts> {
  const { header } = await readGguf(file);
  const text = (key: string) => {
    const value = header.get(key);
    return typeof value === 'string' ? value : '';
  };
  const family = familyOf(text('general.name'), text('tokenizer.chat_template'));
  const trained = Number(header.get(`${text('general.architecture')}.context_length`) ?? 0);
  const contextTokens = Math.min(trained, contextSizes[0]);
  return { ...(family && { family }), ...(contextTokens >= 256 && { contextTokens }) };
}

function familyOf(name: string, template: string): OwnModel['family'] {
  // Its template looks like another family's, but its weights know their own format for tools.
  if (/^Ember\b/.test(name) && template.includes('<|end|>')) return 'ember';
  const family = marks.find(([mark]) => mark.test(template))?.[1];
  return family === 'chatml' && /hermes/i.test(name) ? 'hermes' : family;
}

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

/** Reads a GGUF file's header, which describes its model, and imports GGUF files from disk. Source: the specification, version 3. */
import { AppError } from '../../contracts/app-error';
import type { OwnModel, AddedModel } from '../../contracts/model-library';
import type { KnownModels } from '../engine';
import { importedUrl, storeAll, nameOfUrl } from '../imported-files';
import { contextSizes } from '../library/entry';

export type GgufValue = number | bigint | boolean | string | GgufValue[];

/** Reads a GGUF file's header. Rejects with an `AppError` (`model-damaged`). */
export async function readGguf(file: Blob): Promise<{ header: ReadonlyMap<string, GgufValue> }> {
  // A vocabulary may be megabytes and the file gigabytes, so read more only if the header is longer.
  for (let bytes = 1 << 20; ; bytes *= 4) {
    const beginning = await file.slice(0, bytes).arrayBuffer();
    try {
      return { header: parse(new DataView(beginning)) };
    } catch (error) {
      if (error instanceof RangeError && bytes < file.size) continue;
      throw new AppError('model-damaged', `The header cannot be read: ${String(error)}`, { cause: error });
    }
  }
}

/** Throws a `RangeError` if the header continues after the view. */
function parse(view: DataView): Map<string, GgufValue> {
  const cursor = { view, at: 0 };
  if (readBytes(cursor, 4) !== 'GGUF') throw new TypeError('not a GGUF file');
  const version = readNumber(cursor, 4);
  if (version < 2 || version > 3) throw new TypeError(`GGUF version ${version} is not known`);
  // Skip the number of tensors. Their list follows the header.
  readNumber(cursor, 8);
  const count = readNumber(cursor, 8);
  const header = new Map<string, GgufValue>();
  for (let entry = 0; entry < count; entry++) {
    const key = readText(cursor);
    header.set(key, readValue(cursor, readNumber(cursor, 4)));
  }
  return header;
}

interface Cursor {
  readonly view: DataView;
  at: number;
}

/** Scalar types by the specification's type number: width in bytes, and a function that reads one. */
const scalarReaders: Readonly<Record<number, [number, (view: DataView, at: number) => GgufValue]>> = {
  0: [1, (view, at) => view.getUint8(at)],
  1: [1, (view, at) => view.getInt8(at)],
  2: [2, (view, at) => view.getUint16(at, true)],
  3: [2, (view, at) => view.getInt16(at, true)],
  4: [4, (view, at) => view.getUint32(at, true)],
  5: [4, (view, at) => view.getInt32(at, true)],
  6: [4, (view, at) => view.getFloat32(at, true)],
  7: [1, (view, at) => view.getUint8(at) !== 0],
  10: [8, (view, at) => view.getBigUint64(at, true)],
  11: [8, (view, at) => view.getBigInt64(at, true)],
  12: [8, (view, at) => view.getFloat64(at, true)],
};
const textType = 8;
const arrayType = 9;

function readValue(cursor: Cursor, type: number): GgufValue {
  if (type === textType) return readText(cursor);
  if (type === arrayType) {
    const itemType = readNumber(cursor, 4);
    const length = readNumber(cursor, 8);
    // Every item takes at least one byte, so a longer array means a damaged file. Do not allocate memory for it.
    if (length > cursor.view.byteLength) throw new RangeError(`an array of ${length} items`);
    return Array.from({ length }, () => readValue(cursor, itemType));
  }
  const scalar = scalarReaders[type];
  if (!scalar) throw new TypeError(`value type ${type} is not known`);
  const value = scalar[1](cursor.view, cursor.at);
  cursor.at += scalar[0];
  return value;
}

function readNumber(cursor: Cursor, width: 4 | 8): number {
  const value =
    width === 4 ? cursor.view.getUint32(cursor.at, true) : Number(cursor.view.getBigUint64(cursor.at, true));
  cursor.at += width;
  return value;
}

function readText(cursor: Cursor): string {
  return readBytes(cursor, readNumber(cursor, 8));
}

const decoder = new TextDecoder();

function readBytes(cursor: Cursor, length: number): string {
  const text = decoder.decode(new Uint8Array(cursor.view.buffer, cursor.at, length));
  cursor.at += length;
  return text;
}

/** Markers in a model's chat template that reveal its family, most reliable first. */
const familyMarkers: readonly (readonly [mark: RegExp, family: NonNullable<OwnModel['family']>])[] = [
  [/<\|start_header_id\|>/, 'llama3'],
  [/<\|im_start\|>/, 'chatml'],
  [/<\|end\|>/, 'phi4'],
  [/<start_of_turn>/, 'gemma'],
  [/<\|turn>/, 'gemma4'],
  [/\[SYSTEM_PROMPT\]/, 'mistral'],
  [/\[INST\]/, 'mistral-inst'],
];

/** Omits facts that the file does not contain. Rejects with an `AppError` (`model-damaged`) if the file is unreadable. */
export async function readGgufFacts(file: Blob): Promise<Pick<OwnModel, 'family' | 'contextTokens'>> {
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
  // Ember's chat template looks like another family's, but its weights were trained on its own tool format.
  if (/^Ember\b/.test(name) && template.includes('<|end|>')) return 'ember';
  const family = familyMarkers.find(([mark]) => mark.test(template))?.[1];
  return family === 'chatml' && /hermes/i.test(name) ? 'hermes' : family;
}

/** A model exported on another device keeps its id. Returns undefined if none of the files is a GGUF file. */
export async function ggufFromDisk(
  files: readonly File[],
  known: KnownModels,
  engine: string,
): Promise<AddedModel | undefined> {
  const file = files.find(({ name }) => name.toLowerCase().endsWith('.gguf'));
  if (!file) return undefined;
  if ((await file.slice(0, 4).text()) !== 'GGUF') return { ok: false, problem: 'not-gguf' };
  const facts = await readGgufFacts(file);
  const name = file.name.toLowerCase();
  const listed = known.find(({ url }) => url !== undefined && nameOfUrl(url).toLowerCase() === name);
  const id = listed?.id ?? file.name.replace(/\.gguf$/i, '');
  if (!listed && known.ids.includes(id)) return { ok: false, problem: 'known' };
  const modelUrl = listed?.url ?? importedUrl(file.name);
  await storeAll([{ place: 'files', url: modelUrl, file }]);
  if (listed) return { ok: true, id };
  const source = { engine, modelUrl, overrides: {}, bytes: file.size, isFromDisk: true };
  return { ok: true, id, model: { id, ...source, ...facts } };
}

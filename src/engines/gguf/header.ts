/** Reads the header of a GGUF file (specification, version 3) and imports GGUF files from disk. */
import { AppError } from '../../contracts/app-error';
import type { OwnModel, AddModelResult } from '../../contracts/model-library';
import { verifyFile } from '../../egress/verify-file';
import type { ImportContext } from '../engine';
import { toImportedUrl, storeImportedFiles, importedNameOf } from '../imported-files';
import { contextLengths } from '../library/entry';

export type GgufValue = number | bigint | boolean | string | GgufValue[];

export async function readGguf(file: Blob): Promise<{ header: ReadonlyMap<string, GgufValue> }> {
  // The file may be gigabytes. Read more only if the header is longer, for example because of its vocabulary.
  for (let bytes = 1 << 20; ; bytes *= 4) {
    const beginning = await file.slice(0, bytes).arrayBuffer();
    try {
      return { header: parseHeader(new DataView(beginning)) };
    } catch (error) {
      if (error instanceof RangeError && bytes < file.size) continue;
      throw new AppError('model-damaged', `The header cannot be read: ${String(error)}`, { cause: error });
    }
  }
}

/** Throws a `RangeError` if the header is longer than the view. */
function parseHeader(view: DataView): Map<string, GgufValue> {
  const cursor = { view, at: 0 };
  if (decodeBytes(cursor, 4) !== 'GGUF') throw new TypeError('not a GGUF file');
  const version = readNumber(cursor, 4);
  if (version < 2 || version > 3) throw new TypeError(`GGUF version ${version} is not known`);
  // Skip the number of tensors.
  readNumber(cursor, 8);
  const count = readNumber(cursor, 8);
  const header = new Map<string, GgufValue>();
  for (let entry = 0; entry < count; entry++) {
    const key = readText(cursor);
    header.set(key, readValue(cursor, readNumber(cursor, 4)));
  }
  return header;
}

interface ReadCursor {
  readonly view: DataView;
  at: number;
}

/** Scalar types by type number: width in bytes, and a function that reads one value. */
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
const textTypeNumber = 8;
const arrayTypeNumber = 9;

function readValue(cursor: ReadCursor, type: number): GgufValue {
  if (type === textTypeNumber) return readText(cursor);
  if (type === arrayTypeNumber) {
    const itemType = readNumber(cursor, 4);
    const length = readNumber(cursor, 8);
    // Each item takes at least one byte. A longer array means a damaged file, so allocate no memory for it.
    if (length > cursor.view.byteLength) throw new RangeError(`an array of ${length} items`);
    return Array.from({ length }, () => readValue(cursor, itemType));
  }
  const scalar = scalarReaders[type];
  if (!scalar) throw new TypeError(`value type ${type} is not known`);
  const value = scalar[1](cursor.view, cursor.at);
  cursor.at += scalar[0];
  return value;
}

function readNumber(cursor: ReadCursor, width: 4 | 8): number {
  const value =
    width === 4 ? cursor.view.getUint32(cursor.at, true) : Number(cursor.view.getBigUint64(cursor.at, true));
  cursor.at += width;
  return value;
}

function readText(cursor: ReadCursor): string {
  return decodeBytes(cursor, readNumber(cursor, 8));
}

const utf8Decoder = new TextDecoder();

function decodeBytes(cursor: ReadCursor, length: number): string {
  const text = utf8Decoder.decode(new Uint8Array(cursor.view.buffer, cursor.at, length));
  cursor.at += length;
  return text;
}

/** Text in a model's chat template that shows its family, most reliable first. */
const familyMarkers: readonly (readonly [mark: RegExp, family: NonNullable<OwnModel['family']>])[] = [
  [/<\|start_header_id\|>/, 'llama3'],
  [/<\|im_start\|>/, 'chatml'],
  [/<\|end\|>/, 'phi4'],
  [/<start_of_turn>/, 'gemma'],
  [/<\|turn>/, 'gemma4'],
  [/\[SYSTEM_PROMPT\]/, 'mistral'],
  [/\[INST\]/, 'mistral-inst'],
];

/** Leaves out facts that the file lacks. Rejects with an `AppError` (`model-damaged`) if the file is unreadable. */
export async function readGgufFacts(
  file: Blob,
): Promise<Pick<OwnModel, 'family' | 'contextTokens' | 'isBase'>> {
  const { header } = await readGguf(file);
  const text = (key: string) => {
    const value = header.get(key);
    return typeof value === 'string' ? value : '';
  };
  const template = text('tokenizer.chat_template');
  const family = guessFamily(text('general.name'), template);
  const architecture = text('general.architecture');
  const trained = Number(header.get(`${architecture}.context_length`) ?? 0);
  const contextTokens = Math.min(trained, contextLengths[0]);
  // An embedding model has no chat template either, but it writes no text. Only embedding models pool.
  const isBase = template === '' && !header.has(`${architecture}.pooling_type`);
  return {
    ...(family && { family }),
    ...(contextTokens >= 256 && { contextTokens }),
    ...(isBase && { isBase }),
  };
}

function guessFamily(name: string, template: string): OwnModel['family'] {
  // Ember's chat template resembles that of Phi 4, but Ember was trained on its own tool format.
  if (/^Ember\b/.test(name) && template.includes('<|end|>')) return 'ember';
  const family = familyMarkers.find(([mark]) => mark.test(template))?.[1];
  return family === 'chatml' && /hermes/i.test(name) ? 'hermes' : family;
}

/** A model that another device exported keeps its id. Returns undefined if there is no GGUF file. */
export async function importGguf(
  files: readonly File[],
  { ids, find, storeFile }: ImportContext,
  engine: string,
): Promise<AddModelResult | undefined> {
  const file = files.find(({ name }) => name.toLowerCase().endsWith('.gguf'));
  if (!file) return undefined;
  if ((await file.slice(0, 4).text()) !== 'GGUF') return { ok: false, problem: 'not-gguf' };
  const facts = await readGgufFacts(file);
  const name = file.name.toLowerCase();
  const listed = find(({ url }) => url !== undefined && importedNameOf(url).toLowerCase() === name);
  const id = listed?.id ?? file.name.replace(/\.gguf$/i, '');
  if (!listed && ids.includes(id)) return { ok: false, problem: 'known' };
  const modelUrl = listed?.url ?? toImportedUrl(file.name);
  if (listed?.sha256 !== undefined) {
    const { downloadBytes: bytes, sha256 } = listed;
    const verdict = await verifyFile(file, { url: modelUrl, place: 'files', kind: 'gguf', bytes, sha256 });
    if (!verdict.ok) return { ok: false, problem: 'damaged' };
  }
  await storeImportedFiles([{ place: 'files', url: modelUrl, file }], storeFile);
  if (listed) return { ok: true, id };
  const source = { engine, modelUrl, overrides: {}, bytes: file.size, isFromDisk: true };
  return { ok: true, id, model: { id, ...source, ...facts } };
}

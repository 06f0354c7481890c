/** Reads the header of a GGUF file. Source: the GGUF specification, version 3. */
import { AppError } from '../../contracts/app-error';

export type GgufValue = number | bigint | boolean | string | GgufValue[];

export interface GgufFile {
  header: Map<string, GgufValue>;
}

/** Rejects with an `AppError` (`model-damaged`). */
export async function readGguf(file: Blob): Promise<GgufFile> {
  // A vocabulary may take megabytes and a file gigabytes, so read more only if the header needs it.
  for (let bytes = 1 << 20; ; bytes *= 4) {
    const gguf = readHead(await file.slice(0, bytes).arrayBuffer(), bytes >= file.size);
    if (gguf) return gguf;
  }
}

/** `bytes`: the beginning of a file. Undefined if the header is longer and the file continues. */
function readHead(bytes: ArrayBuffer, isWhole: boolean): GgufFile | undefined {
  try {
    return parse(new DataView(bytes));
  } catch (error) {
    if (error instanceof RangeError && !isWhole) return undefined;
    throw new AppError('model-damaged', `The header cannot be read: ${String(error)}`, { cause: error });
  }
}

function parse(view: DataView): GgufFile {
  const cursor = { view, at: 0 };
  if (readBytes(cursor, 4) !== 'GGUF') throw new TypeError('not a GGUF file');
  const version = readNumber(cursor, 4);
  if (version < 2 || version > 3) throw new TypeError(`GGUF version ${version} is not known`);
  // The number of tensors. Their list follows the header.
  readNumber(cursor, 8);
  const count = readNumber(cursor, 8);
  const header = new Map<string, GgufValue>();
  for (let entry = 0; entry < count; entry++) {
    const key = readText(cursor);
    header.set(key, readValue(cursor, readNumber(cursor, 4)));
  }
  return { header };
}

interface Cursor {
  readonly view: DataView;
  at: number;
}

/** Scalar types by their number in the specification: width in bytes, and reader. */
const scalars: Readonly<Record<number, [number, (view: DataView, at: number) => GgufValue]>> = {
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
    // Every item takes at least a byte, so a longer array is damage. Do not allocate for it.
    if (length > cursor.view.byteLength) throw new RangeError(`an array of ${length} items`);
    return Array.from({ length }, () => readValue(cursor, itemType));
  }
  const scalar = scalars[type];
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

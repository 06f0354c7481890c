/** Reads a GGUF file into parts that a test can change, and writes them back. Source: the GGUF specification, version 3. */

export interface GgufParts {
  version: number;
  /** The numbers of tensors and entries that the header claims. Default: the actual numbers. */
  said?: { tensors?: bigint; entries?: bigint };
  entries: GgufEntry[];
  tensors: GgufTensorInfo[];
  data: Uint8Array;
}

export interface GgufEntry {
  key: string;
  type: number;
  value: GgufValue;
}

/** For an array: the type of its items. `length`: the claimed length, if it is wrong. */
export type GgufValue =
  | number
  | bigint
  | string
  | { itemType: number; items: (number | bigint | string)[]; length?: bigint };

export interface GgufTensorInfo {
  name: string;
  dimensions: bigint[];
  type: number;
  offset: bigint;
}

const alignment = 32;
const textType = 8;
const arrayType = 9;
const widths: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

export function readGgufParts(bytes: Uint8Array): GgufParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder();
  let at = 4;
  const u32 = () => view.getUint32((at += 4) - 4, true);
  const u64 = () => view.getBigUint64((at += 8) - 8, true);
  const text = () => {
    const length = Number(u64());
    at += length;
    return decoder.decode(bytes.subarray(at - length, at));
  };
  const scalar = (type: number): number | bigint | string => {
    if (type === textType) return text();
    const width = widths[type]!;
    at += width;
    const from = at - width;
    if (type === 6) return view.getFloat32(from, true);
    if (type === 12) return view.getFloat64(from, true);
    if (type === 5) return view.getInt32(from, true);
    if (type === 1) return view.getInt8(from);
    if (type === 3) return view.getInt16(from, true);
    if (type === 11) return view.getBigInt64(from, true);
    if (width === 8) return view.getBigUint64(from, true);
    return width === 4
      ? view.getUint32(from, true)
      : width === 2
        ? view.getUint16(from, true)
        : view.getUint8(from);
  };
  const version = u32();
  const tensorCount = Number(u64());
  const entryCount = Number(u64());
  const entries = Array.from({ length: entryCount }, (): GgufEntry => {
    const key = text();
    const type = u32();
    if (type !== arrayType) return { key, type, value: scalar(type) };
    const itemType = u32();
    const length = Number(u64());
    return { key, type, value: { itemType, items: Array.from({ length }, () => scalar(itemType)) } };
  });
  const tensors = Array.from({ length: tensorCount }, (): GgufTensorInfo => {
    const name = text();
    const dimensions = Array.from({ length: u32() }, u64);
    return { name, dimensions, type: u32(), offset: u64() };
  });
  at = Math.ceil(at / alignment) * alignment;
  return { version, entries, tensors, data: bytes.subarray(at) };
}

export function writeGguf({
  version,
  said = {},
  entries,
  tensors,
  data,
}: GgufParts): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  const number = (width: number, write: (view: DataView) => void) => {
    const piece = new Uint8Array(width);
    write(new DataView(piece.buffer));
    pieces.push(piece);
  };
  const u32 = (value: number) => number(4, (view) => view.setUint32(0, value, true));
  const u64 = (value: bigint) => number(8, (view) => view.setBigUint64(0, value, true));
  const text = (value: string) => {
    const piece = encoder.encode(value);
    u64(BigInt(piece.length));
    pieces.push(piece);
  };
  const scalar = (type: number, value: number | bigint | string) => {
    if (type === textType) text(String(value));
    else if (type === 6) number(4, (view) => view.setFloat32(0, Number(value), true));
    else if (type === 12) number(8, (view) => view.setFloat64(0, Number(value), true));
    else {
      const width = widths[type] ?? 4;
      number(width, (view) => {
        if (width === 8) view.setBigInt64(0, BigInt.asIntN(64, BigInt(value)), true);
        else if (width === 4) view.setInt32(0, Number(value) | 0, true);
        else if (width === 2) view.setInt16(0, Number(value), true);
        else view.setInt8(0, Number(value));
      });
    }
  };
  pieces.push(encoder.encode('GGUF'));
  u32(version);
  u64(said.tensors ?? BigInt(tensors.length));
  u64(said.entries ?? BigInt(entries.length));
  for (const { key, type, value } of entries) {
    text(key);
    u32(type);
    if (typeof value !== 'object') scalar(type, value);
    else {
      u32(value.itemType);
      u64(value.length ?? BigInt(value.items.length));
      for (const item of value.items) scalar(value.itemType, item);
    }
  }
  for (const { name, dimensions, type, offset } of tensors) {
    text(name);
    u32(dimensions.length);
    for (const size of dimensions) u64(size);
    u32(type);
    u64(offset);
  }
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  pieces.push(new Uint8Array(Math.ceil(length / alignment) * alignment - length), data);
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

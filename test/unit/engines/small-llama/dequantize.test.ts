/** Ember's own file, with its weights written out in full: the same model, and nothing else in the file is moved. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createByteReader } from '../../../../src/engines/small-llama/byte-reader';
import { expandWeights } from '../../../../src/engines/small-llama/dequantize';
import { readGguf } from '../../../../src/engines/gguf/header';

const f32 = 0;
const q8 = 8;
const file = new Blob([await readFile('public/models/ember.gguf')]);
const packed = await readGguf(file);
const expanded = await expand(file);
const view = new DataView(await file.arrayBuffer());
const whole = await readAll(expanded);
const inFull = await readGguf(new Blob([whole]));

/** In pieces as a network has them, which end anywhere. */
async function* inPieces(whole: Blob, pieceBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < whole.size; at += pieceBytes) {
    yield new Uint8Array(await whole.slice(at, at + pieceBytes).arrayBuffer());
  }
}

async function expand(whole: Blob, pieceBytes = 65_537): Promise<Blob> {
  const bytes = createByteReader(inPieces(whole, pieceBytes));
  const gguf = await bytes.readHeader();
  return expandWeights({ bytes, fileBytes: whole.size, gguf });
}

/** As the engine does. */
async function readAll(given: Blob): Promise<ArrayBuffer> {
  return await new Response(given.stream()).arrayBuffer();
}

/** Of Q8_0, as the GGUF specification writes it: blocks of 32, a scale in 16 bits before them. */
function readWeight(begin: number, index: number): number {
  const block = begin + Math.floor(index / 32) * 34;
  return halfFloat(view.getUint16(block, true)) * view.getInt8(block + 2 + (index % 32));
}

/** By the bits of a float of 32: another way than the one that is tested. */
function halfFloat(bits: number): number {
  const shifted = new DataView(new ArrayBuffer(4));
  shifted.setUint32(0, ((bits & 0x8000) << 16) | ((bits & 0x7fff) << 13));
  return shifted.getFloat32(0) * 2 ** 112;
}

describe('weights in full', () => {
  test('every tensor is there, the large ones in full, and the header says what it said', () => {
    expect(packed.tensors.some(({ type }) => type === q8)).toBe(true);
    const isLarge = ({ name }: { name: string }) => name.includes('ffn_');
    expect(inFull.tensors.map(({ type }) => type)).toEqual(
      packed.tensors.map((tensor) => (isLarge(tensor) ? f32 : tensor.type)),
    );
    expect(inFull.tensors.map(({ count }) => count)).toEqual(packed.tensors.map(({ count }) => count));
    expect(inFull.header).toEqual(packed.header);
  });

  test('a weight is its scale times its eight bits, and what was in full is as it was', () => {
    packed.tensors.forEach(({ type, begin, count }, index) => {
      const { type: now, begin: to = 0 } = inFull.tensors[index] ?? {};
      if (now !== f32) {
        const bytes = Math.floor(count / 32) * 34;
        const same = Buffer.compare(
          new Uint8Array(whole, to, bytes),
          new Uint8Array(view.buffer, begin, bytes),
        );
        expect(same).toBe(0);
        return;
      }
      const written = new Float32Array(whole, to, count);
      // Every place in a block comes up, and not every block.
      for (let at = 0; at < count; at += 97) {
        const expected =
          type === q8 ? Math.fround(readWeight(begin, at)) : view.getFloat32(begin + at * 4, true);
        if (!Object.is(written[at], expected)) expect({ index, at, weight: written[at] }).toEqual(expected);
      }
    });
  });

  test('says how large it is before it is read', () => {
    expect(expanded.size).toBe(whole.byteLength);
  });
});

test('however it comes in pieces, it is the same, and half a file is none', async () => {
  const other = new Uint8Array(await readAll(await expand(file, 1_000_003)));
  expect(Buffer.compare(other, new Uint8Array(whole))).toBe(0);
  const half = await expand(file.slice(0, file.size / 2));
  await expect(readAll(half)).rejects.toMatchObject({ code: 'model-damaged' });
  await expect(expand(file.slice(0, 1000))).rejects.toMatchObject({ code: 'model-damaged' });
});

test('a half float of every kind', async () => {
  // The first block of five tensors: scales that are zero, the smallest, negative, one and large.
  const scales = [0x0000, 0x0001, 0x8400, 0x3c00, 0x7bff];
  const changed = packed.tensors.filter(({ type, name }) => type === q8 && name.includes('ffn_')).slice(0, 5);
  expect(changed).toHaveLength(scales.length);
  const made = new Uint8Array(await file.arrayBuffer());
  changed.forEach(({ begin }, at) => new DataView(made.buffer).setUint16(begin, scales[at] ?? 0, true));
  const bytes = await readAll(await expand(new Blob([made])));
  const { tensors } = await readGguf(new Blob([bytes]));
  changed.forEach((of, at) => {
    const first = new DataView(bytes).getFloat32(tensors[packed.tensors.indexOf(of)]?.begin ?? 0, true);
    expect(first).toBe(Math.fround(halfFloat(scales[at] ?? 0) * view.getInt8(of.begin + 2)));
  });
});

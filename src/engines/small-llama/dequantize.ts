/**
 * The weights of a small model written out in full, in memory, before llama.cpp reads them: its WebAssembly reads a
 * prompt from F32 more than twice as fast as from Q8_0, and from F16 at half the speed of that. The download stays
 * small. Figures: docs/decisions/2026-11-21-wllama.md.
 */
import type { GgufFile } from '../gguf/header';

/** Types of tensors, as ggml numbers them. */
const f32 = 0;
const q8 = 8;
/** A block of Q8_0: a scale in 16 bits, and after it this many weights of 8 bits each. */
const blockWeights = 32;
const blockBytes = 2 + blockWeights;

/** The file with every Q8_0 tensor as F32, four times as large; the others as they were. */
export async function expandWeights(file: Blob, { tensors, dataAt }: GgufFile): Promise<Blob> {
  const bytes = await file.arrayBuffer();
  // In the order of their positions in the file: a tensor then ends where the next begins.
  const inOrder = tensors.toSorted((one, other) => one.begin - other.begin);
  let size = dataAt;
  const placed = inOrder.map((tensor, index) => {
    const to = size;
    const end = inOrder[index + 1]?.begin ?? bytes.byteLength;
    size += tensor.type === q8 ? tensor.count * Float32Array.BYTES_PER_ELEMENT : end - tensor.begin;
    return { ...tensor, to, end };
  });

  const expanded = new ArrayBuffer(size);
  // The head keeps its length: only types and offsets change.
  new Uint8Array(expanded).set(new Uint8Array(bytes, 0, dataAt));
  const head = new DataView(expanded, 0, dataAt);
  for (const { count, type, typeAt, begin, end, to } of placed) {
    head.setUint32(typeAt, type === q8 ? f32 : type, true);
    head.setBigUint64(typeAt + 4, BigInt(to - dataAt), true);
    if (type === q8) unpack(bytes, begin, new Float32Array(expanded, to, count));
    else new Uint8Array(expanded, to).set(new Uint8Array(bytes, begin, end - begin));
  }
  return new FileInMemory(new Uint8Array(expanded));
}

/**
 * A file only by its size and its stream, which hands the bytes over once and lets go of them. Those of a plain `Blob` are kept by the browser's
 * process: all of them would go there, and come back when read.
 */
class FileInMemory extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super();
    this.#bytes = bytes;
  }

  override get size(): number {
    return this.#bytes.byteLength;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream({
      start: (controller) => {
        // The buffer itself and no copy: a reader may transfer it, and then it is empty here.
        controller.enqueue(this.#bytes);
        controller.close();
      },
    });
  }
}

/** Fills `weights`, whose length is a multiple of a block's 32. */
function unpack(bytes: ArrayBuffer, begin: number, weights: Float32Array): void {
  const packed = new Int8Array(bytes, begin, (weights.length / blockWeights) * blockBytes);
  const scales = new DataView(bytes, begin, packed.byteLength);
  let to = 0;
  for (let from = 0; from < packed.length; from += blockBytes) {
    const scale = halfFloat(scales.getUint16(from, true));
    for (let weight = from + 2; weight < from + blockBytes; weight++) {
      weights[to++] = scale * (packed[weight] ?? 0);
    }
  }
}

/** IEEE 754 binary16. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

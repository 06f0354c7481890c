/**
 * The weights of a small model written out in full before llama.cpp reads them: its WebAssembly reads a
 * prompt from F32 more than twice as fast as from Q8_0, and from F16 at half the speed of that. The download stays
 * small. It is done piece by piece while they come, so that they are whole in one place only: the memory of llama.cpp.
 * Figures: docs/decisions/2026-11-21-wllama.md.
 */
import type { GgufFile, GgufTensor } from '../gguf/header';
import type { ByteReader } from './byte-reader';
import { sweep } from './sweep';

/** Types of tensors, as ggml numbers them. */
const f32 = 0;
const q8 = 8;
/** A block of Q8_0: a scale in 16 bits, and after it this many weights of 8 bits each. */
const blockWeights = 32;
const blockBytes = 2 + blockWeights;
/** Blocks that are written out at once: 256 kB of weights in full. */
const blocksAtOnce = 2048;

/** `bytes` is the file, of which nothing was taken yet; `fileBytes` its size. */
export interface PackedFile {
  bytes: ByteReader;
  fileBytes: number;
  gguf: GgufFile;
}

/** The file with most Q8_0 tensors as F32, four times as large; the others as they were. It can be read once. */
export function expandWeights({ bytes, fileBytes, gguf: { tensors, dataAt } }: PackedFile): Blob {
  // In the order of their positions in the file: a tensor then ends where the next begins.
  const inOrder = tensors.toSorted((one, other) => one.begin - other.begin);
  let size = dataAt;
  const placed = inOrder.map((tensor, index): Placed => {
    const to = size;
    const end = inOrder[index + 1]?.begin ?? fileBytes;
    size += isExpanded(tensor) ? tensor.count * Float32Array.BYTES_PER_ELEMENT : end - tensor.begin;
    return { ...tensor, to, end };
  });
  return new FileOnce(size, writeOut(bytes, placed, dataAt));
}

/** Of its products the larger ones. What the others would gain is not worth the memory. */
function isExpanded({ name, type }: GgufTensor): boolean {
  return type === q8 && name.includes('ffn_');
}

interface Placed extends GgufTensor {
  /** Where it ends in the file, and where it begins written out. */
  end: number;
  to: number;
}

async function* writeOut(
  bytes: ByteReader,
  placed: readonly Placed[],
  dataAt: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // The head keeps its length: only types and offsets change.
  const head = await bytes.take(dataAt);
  const view = new DataView(head.buffer, head.byteOffset, dataAt);
  for (const tensor of placed) {
    view.setUint32(tensor.typeAt, isExpanded(tensor) ? f32 : tensor.type, true);
    view.setBigUint64(tensor.typeAt + 4, BigInt(tensor.to - dataAt), true);
  }
  yield head;
  for (const tensor of placed) {
    const { count, begin, end } = tensor;
    if (!isExpanded(tensor)) {
      yield await bytes.take(end - begin);
      continue;
    }
    const blocks = count / blockWeights;
    for (let at = 0; at < blocks; at += blocksAtOnce) {
      const some = Math.min(blocksAtOnce, blocks - at);
      yield new Uint8Array(unpack(await bytes.take(some * blockBytes)).buffer);
    }
    // Up to where the next one is aligned.
    await bytes.take(end - begin - blocks * blockBytes);
  }
  await bytes.finish();
  yield sweep();
}

/** A file only by its size and its stream, which hands each piece over once. Those of a plain `Blob` are kept by the browser's process. */
class FileOnce extends Blob {
  readonly #size: number;
  readonly #pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>;

  constructor(size: number, pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>) {
    super();
    this.#size = size;
    this.#pieces = pieces;
  }

  override get size(): number {
    return this.#size;
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const pieces = this.#pieces;
    return new ReadableStream(
      {
        async pull(controller) {
          const next = await pieces.next();
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        },
      },
      // Nothing is made before it is wanted.
      { highWaterMark: 0 },
    );
  }
}

/** Whole blocks. */
function unpack(bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const packed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scales = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const weights = new Float32Array((packed.length / blockBytes) * blockWeights);
  let to = 0;
  for (let from = 0; from < packed.length; from += blockBytes) {
    const scale = halfFloat(scales.getUint16(from, true));
    for (let weight = from + 2; weight < from + blockBytes; weight++) {
      weights[to++] = scale * (packed[weight] ?? 0);
    }
  }
  return weights;
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

/** Files that are damaged or not models: llama.cpp reports them, and the page survives. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../src/contracts/app-error';
import { readSiteFile } from '../../src/egress/own-files';
import { type Llama, loadLlama, GrammarError } from '../../src/engines/llama/llama';
import { type FetchedProgram, fetchProgram } from '../../src/engines/llama/program';
import { thorough, slow } from '../support/matrix';
import { type GgufParts, type GgufValue, readGgufParts, writeGguf } from '../support/gguf';

let program: FetchedProgram;
let original: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  program = await fetchProgram(1, new AbortController().signal);
  const { signal } = new AbortController();
  const options = { signal, magic: 'GGUF', onProgress: () => undefined };
  const file = await readSiteFile(new URL('/models/ember.gguf', document.baseURI).href, options);
  original = new Uint8Array(await file.arrayBuffer());
});

function load(bytes: Uint8Array, contextTokens = 256): Promise<Llama> {
  const weights = {
    size: bytes.length,
    read: (offset: number, size: number) => bytes.subarray(offset, offset + size),
    close: () => undefined,
  };
  return loadLlama(program, weights, { contextTokens, use: 'chat' });
}

/** Loads a file and asks for a token. Resolves to the error code, or to '' if the model answers. */
async function ask(bytes: Uint8Array, contextTokens?: number): Promise<string> {
  try {
    const llama = await load(bytes, contextTokens);
    llama.decode(llama.tokenize('Hello', { addsBegin: true }));
    llama.beginReply({ sampling: { temperature: 0 } });
    llama.sample();
    llama.free();
    return '';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    // A trap in the middle of a reply. The engine turns it into 'engine-crashed'.
    if (error instanceof WebAssembly.RuntimeError) return 'engine-crashed';
    throw error;
  }
}

const changed = (change: (parts: GgufParts) => void) => () => {
  const parts = readGgufParts(original);
  change(parts);
  return writeGguf(parts);
};
const set = (key: string, value: GgufValue) =>
  changed(({ entries }) => {
    const entry = entries.find((one) => one.key.endsWith(key));
    if (!entry) throw new Error(`The file has no ${key}.`);
    entry.value = value;
  });
const withTensor = (change: (tensor: GgufParts['tensors'][number]) => void, name = 'blk.0.ffn_up.weight') =>
  changed(({ tensors }) => change(tensors.find((tensor) => tensor.name === name)!));

test('a model loads from an undamaged copy of the test file and answers', async () => {
  expect(await ask(changed(() => undefined)())).toBe('');
});

describe('a GGUF file with a damaged header', () => {
  slow.for<{ name: string; file: () => Uint8Array }>([
    { name: 'without any bytes', file: () => new Uint8Array() },
    { name: 'of three bytes', file: () => original.slice(0, 3) },
    {
      name: 'with another magic number',
      file: () => new TextEncoder().encode('<!doctype html><title>Not found</title>'),
    },
    { name: 'that is all zeros', file: () => new Uint8Array(1 << 20) },
    { name: 'cut off in its entries', file: () => original.slice(0, 2000) },
    { name: 'cut off in its list of tensors', file: () => original.slice(0, 200_000) },
    { name: 'of version 0', file: changed((parts) => (parts.version = 0)) },
    { name: 'of version 9', file: changed((parts) => (parts.version = 9)) },
    {
      name: 'that claims a billion tensors',
      file: changed((parts) => (parts.said = { tensors: 1_000_000_000n })),
    },
    { name: 'that claims 2^63 tensors', file: changed((parts) => (parts.said = { tensors: 1n << 63n })) },
    {
      name: 'that claims a billion entries',
      file: changed((parts) => (parts.said = { entries: 1_000_000_000n })),
    },
    { name: 'that claims no entries', file: changed((parts) => (parts.said = { entries: 0n })) },
    {
      name: 'with a billion tokens',
      file: changed(({ entries }) => {
        const tokens = entries.find(({ key }) => key === 'tokenizer.ggml.tokens')!.value;
        if (typeof tokens === 'object') tokens.length = 1_000_000_000n;
      }),
    },
    { name: 'with an unknown type of value', file: changed(({ entries }) => (entries[0]!.type = 99)) },
    { name: 'of another architecture', file: set('general.architecture', 'clip') },
    { name: 'of an unknown architecture', file: set('general.architecture', 'x'.repeat(100_000)) },
  ])('is refused: a header $name', async ({ file }) => {
    expect(await ask(file())).toBe('model-damaged');
  });
});

describe('a GGUF file with a damaged tensor', () => {
  test.for<{ name: string; file: () => Uint8Array }>([
    { name: 'beyond the end', file: withTensor((tensor) => (tensor.offset = 1n << 40n)) },
    { name: 'at an unaligned offset', file: withTensor((tensor) => (tensor.offset += 1n)) },
    { name: 'larger than the file', file: withTensor((tensor) => (tensor.dimensions[1] = 1n << 24n)) },
    {
      name: 'whose size overflows',
      file: withTensor((tensor) => (tensor.dimensions = [1n << 40n, 1n << 40n])),
    },
    { name: 'of no weights', file: withTensor((tensor) => (tensor.dimensions = [0n, 0n])) },
    {
      name: 'of negative size',
      file: withTensor((tensor) => (tensor.dimensions = [-32n & 0xffffffffffffffffn, 1n])),
    },
    {
      name: 'of nine dimensions',
      file: withTensor((tensor) => (tensor.dimensions = Array.from({ length: 9 }, () => 32n))),
    },
    { name: 'of an unknown type', file: withTensor((tensor) => (tensor.type = 4000)) },
    { name: 'of another type', file: withTensor((tensor) => (tensor.type = 14)) },
    { name: 'that occurs twice', file: withTensor((tensor) => (tensor.name = 'blk.1.ffn_up.weight')) },
    { name: 'that is missing', file: withTensor((tensor) => (tensor.name = 'nobody')) },
    { name: 'whose data is cut off', file: () => original.slice(0, original.length / 2) },
  ])('is refused: a tensor $name', async ({ file }) => {
    expect(await ask(file())).toBe('model-damaged');
  });
});

describe('a GGUF file with a wrong number', () => {
  slow.for([
    { key: '.block_count', value: 0 },
    { key: '.block_count', value: 4_000_000_000 },
    { key: '.block_count', value: 200 },
    { key: '.attention.head_count', value: 0 },
    { key: '.attention.head_count', value: 7 },
    { key: '.attention.head_count_kv', value: 0 },
    { key: '.embedding_length', value: 0 },
    { key: '.embedding_length', value: 4_000_000_000 },
    { key: '.feed_forward_length', value: 1 },
    { key: '.rope.dimension_count', value: 4_000_000_000 },
    { key: '.context_length', value: 0 },
    { key: '.context_length', value: 4_000_000_000 },
    { key: 'tokenizer.ggml.eos_token_id', value: 4_000_000_000 },
    { key: '.vocab_size', value: 1 },
  ])('is refused, or its model still answers: $key = $value', async ({ key, value }) => {
    expect(['', 'model-damaged', 'model-garbled', 'engine-crashed', 'out-of-memory']).toContain(
      await ask(set(key, value)()),
    );
  });
});

test.each([
  ['NaN', [0xff, 0x7f], 'model-damaged'],
  ['a number so large that the model computes only NaN', [0xff, 0x7b], 'model-garbled'],
])('a bad weight scale in a GGUF file is reported as an error: %s', async (_title, half, code) => {
  const parts = readGgufParts(original);
  const data = parts.data.slice();
  // A block of Q8_0 has 34 bytes and begins with its scale.
  for (let at = 0; at + 1 < data.length; at += 34) data.set(half, at);
  expect(await ask(writeGguf({ ...parts, data }))).toBe(code);
});

thorough('a context size that does not fit into memory is reported as too large', async () => {
  expect(await ask(set('.context_length', 100_000_000)(), 100_000_000)).toBe('out-of-memory');
});

test('a GGUF file over four gigabytes is refused before it is read', async () => {
  const weights = { size: 5e9, read: () => new Uint8Array(), close: () => undefined };
  const loading = loadLlama(program, weights, { contextTokens: 256, use: 'chat' });
  await expect(loading).rejects.toMatchObject({ code: 'out-of-memory' });
});

describe('a model that runs out of memory', () => {
  const grow = Reflect.get<WebAssembly.Memory, 'grow'>(WebAssembly.Memory.prototype, 'grow');
  afterEach(() => void (WebAssembly.Memory.prototype.grow = grow));
  /** Limits the memory that llama.cpp gets from now on. */
  function limitMemory(maxBytes: number): void {
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (this.buffer.byteLength + pages * 65_536 > maxBytes) throw new RangeError('The limit is reached.');
      return grow.call(this, pages);
    };
  }

  thorough('is reported as out of memory at every memory limit that is too low', async () => {
    const answers: string[] = [];
    for (let megabytes = 17; megabytes <= 200; megabytes += 6) {
      limitMemory(megabytes * 1e6);
      answers.push(await ask(original, 2048));
    }
    expect(new Set(answers)).toEqual(new Set(['out-of-memory', '']));
    expect(answers.lastIndexOf('out-of-memory')).toBeLessThan(answers.indexOf(''));
  });

  test('keeps working if a saved conversation state does not fit into memory', async () => {
    const llama = await load(original, 2048);
    llama.decode(llama.tokenize('Hello, who are you?', { addsBegin: true }));
    const state = llama.saveState()!;
    limitMemory(0);
    const tooLarge = new Uint8Array(2 ** 30);
    expect(llama.restoreState(tooLarge)).toBe(false);
    // The cache was cleared, so this is read from its beginning.
    expect(llama.decode(llama.tokenize('Hello', { addsBegin: true }))).toBe(true);
    expect(llama.restoreState(state)).toBe(true);
    llama.free();
  });
});

// Each case takes that much memory for a moment.
thorough.for([1, 2, 3, 4])(
  'a context cache of %i GB is either created or reported as too large',
  async (gigabytes) => {
    const bytesPerToken = 2 * 2 * cacheWidth();
    const contextTokens = Math.floor((gigabytes * 2 ** 30) / bytesPerToken);
    expect(['', 'out-of-memory']).toContain(
      await ask(set('.context_length', contextTokens)(), contextTokens),
    );
  },
);

/** Returns the size of one token's keys, in numbers, over all layers. */
function cacheWidth(): number {
  const { entries } = readGgufParts(original);
  const read = (key: string) => Number(entries.find((entry) => entry.key.endsWith(key))?.value);
  return (
    (read('.block_count') * read('.embedding_length') * read('.head_count_kv')) /
    read('.attention.head_count')
  );
}

test('an invalid grammar causes an error, and the model can answer the next question', async () => {
  const llama = await load(original);
  llama.decode(llama.tokenize('Hello', { addsBegin: true }));
  expect(() => llama.beginReply({ sampling: { temperature: 0 }, grammar: 'root ::= ((' })).toThrow(
    GrammarError,
  );
  llama.beginReply({ sampling: { temperature: 0 }, grammar: 'root ::= "yes"' });
  const token = llama.sample();
  expect(token).toBeDefined();
  expect('yes').toContain(new TextDecoder().decode(llama.pieceOf(token ?? 0)));
});

/**
 * llama.cpp runs the architectures of the catalog's GGUF models. No weights are available to tests, so each model here is tiny and random, with
 * Ember's vocabulary. Tensors and keys: llama.cpp's src/models.
 */
import { beforeAll, expect, test } from 'vitest';
import { readSiteFile } from '../../src/egress/own-files';
import { loadLlama } from '../../src/engines/llama/llama';
import { type FetchedProgram, fetchProgram } from '../../src/engines/llama/program';
import { createRandomGenerator } from '../../src/engines/gguf/sampler';
import { type GgufEntry, type GgufParts, readGgufParts, writeGguf } from '../support/gguf';

const width = 64;
const head = 16;
const inner = 128;
const layers = 2;
const u32 = 4;
const f32 = 6;

interface Architecture {
  name: string;
  /** Keys without the architecture's prefix: type and value. */
  keys: Record<string, [type: number, value: GgufEntry['value']]>;
  norm?: string;
  /** Whether llama.cpp can drop only the last tokens. A layer with a running state cannot go back, so the prompt is read again. */
  dropsSome: boolean;
  /** Tensors of one layer, beyond those that every architecture here has. */
  tensorsOf: (layer: number) => Record<string, number[]>;
}

const attention = {
  'attn_q.weight': [width, width],
  'attn_k.weight': [width, width / 2],
  'attn_v.weight': [width, width / 2],
  'attn_output.weight': [width, width],
};
const twoKeyHeads: Architecture['keys'] = { 'attention.head_count_kv': [u32, 2] };

const architectures: Architecture[] = [
  {
    name: 'llama',
    dropsSome: true,
    keys: twoKeyHeads,
    tensorsOf: () => ({ ...attention, 'ffn_norm.weight': [width] }),
  },
  {
    name: 'granite',
    dropsSome: true,
    keys: { ...twoKeyHeads, logit_scale: [f32, 4], 'attention.scale': [f32, 1 / head] },
    tensorsOf: () => ({ ...attention, 'ffn_norm.weight': [width] }),
  },
  {
    name: 'gemma3',
    dropsSome: true,
    keys: {
      ...twoKeyHeads,
      'attention.key_length': [u32, head],
      'attention.value_length': [u32, head],
      'attention.sliding_window': [u32, 32],
    },
    tensorsOf: () => ({
      ...attention,
      'attn_q_norm.weight': [head],
      'attn_k_norm.weight': [head],
      'post_attention_norm.weight': [width],
      'ffn_norm.weight': [width],
      'post_ffw_norm.weight': [width],
    }),
  },
  {
    name: 'lfm2',
    dropsSome: false,
    // The first layer is a convolution, which has no key heads.
    keys: {
      'attention.head_count_kv': [9, { itemType: u32, items: [0, 2] }],
      'shortconv.l_cache': [u32, 3],
    },
    norm: 'token_embd_norm.weight',
    tensorsOf: (layer) => ({
      'ffn_norm.weight': [width],
      ...(layer === 0
        ? {
            'shortconv.conv.weight': [3, width],
            'shortconv.in_proj.weight': [width, 3 * width],
            'shortconv.out_proj.weight': [width, width],
          }
        : { ...attention, 'attn_q_norm.weight': [head], 'attn_k_norm.weight': [head] }),
    }),
  },
  {
    name: 'qwen35',
    dropsSome: false,
    // Every second layer is attention, the others are a gated delta net.
    keys: {
      ...twoKeyHeads,
      'attention.key_length': [u32, head],
      'attention.value_length': [u32, head],
      full_attention_interval: [u32, 2],
      'rope.dimension_sections': [9, { itemType: 5, items: [3, 3, 2, 0] }],
      'ssm.conv_kernel': [u32, 4],
      'ssm.inner_size': [u32, width],
      'ssm.state_size': [u32, head],
      'ssm.time_step_rank': [u32, 4],
      'ssm.group_count': [u32, 2],
    },
    tensorsOf: (layer) => ({
      'post_attention_norm.weight': [width],
      ...(layer === 0
        ? {
            'attn_qkv.weight': [width, 2 * 2 * head + width],
            'attn_gate.weight': [width, width],
            'ssm_conv1d.weight': [4, 2 * 2 * head + width],
            'ssm_dt.bias': [4],
            ssm_a: [4],
            'ssm_beta.weight': [width, 4],
            'ssm_alpha.weight': [width, 4],
            'ssm_norm.weight': [head],
            'ssm_out.weight': [width, width],
          }
        : {
            ...attention,
            'attn_q.weight': [width, 2 * width],
            'attn_q_norm.weight': [head],
            'attn_k_norm.weight': [head],
          }),
    }),
  },
];

let program: FetchedProgram;
let ember: GgufParts;
beforeAll(async () => {
  const { signal } = new AbortController();
  program = await fetchProgram(1, signal);
  const options = { signal, magic: 'GGUF', onProgress: () => undefined };
  const file = await readSiteFile(new URL('/models/ember.gguf', document.baseURI).href, options);
  ember = readGgufParts(new Uint8Array(await file.arrayBuffer()));
});

function writeModel({ name, keys, norm = 'output_norm.weight', tensorsOf }: Architecture): Uint8Array {
  const vocabulary = ember.entries.find(({ key }) => key === 'tokenizer.ggml.tokens')!.value;
  const words = typeof vocabulary === 'object' ? vocabulary.items.length : 0;
  const entry = (key: string, [type, value]: [number, GgufEntry['value']]): GgufEntry => ({
    key,
    type,
    value,
  });
  const common: Architecture['keys'] = {
    context_length: [u32, 512],
    embedding_length: [u32, width],
    block_count: [u32, layers],
    feed_forward_length: [u32, inner],
    'attention.head_count': [u32, width / head],
    'attention.layer_norm_rms_epsilon': [f32, 1e-5],
    'rope.dimension_count': [u32, head],
    'rope.freq_base': [f32, 10_000],
    vocab_size: [u32, words],
  };
  const tensors: Record<string, number[]> = { 'token_embd.weight': [width, words], [norm]: [width] };
  for (let layer = 0; layer < layers; layer++) {
    const ofLayer = {
      'attn_norm.weight': [width],
      ...tensorsOf(layer),
      'ffn_gate.weight': [width, inner],
      'ffn_up.weight': [width, inner],
      'ffn_down.weight': [inner, width],
    };
    for (const [tensor, dimensions] of Object.entries(ofLayer))
      tensors[`blk.${layer}.${tensor}`] = dimensions;
  }
  const random = createRandomGenerator(1);
  let offset = 0;
  const infos = Object.entries(tensors).map(([tensor, dimensions]) => {
    const count = dimensions.reduce((product, dimension) => product * dimension, 1);
    const info = { name: tensor, dimensions: dimensions.map(BigInt), type: 0, offset: BigInt(offset), count };
    offset += Math.ceil((count * 4) / 32) * 32;
    return info;
  });
  const data = new Uint8Array(offset);
  for (const { offset: at, count } of infos) {
    new Float32Array(data.buffer, Number(at), count).forEach(
      (_, index, all) => (all[index] = random() - 0.5),
    );
  }
  return writeGguf({
    version: 3,
    entries: [
      entry('general.architecture', [8, name]),
      ...Object.entries({ ...common, ...keys }).map(([key, value]) => entry(`${name}.${key}`, value)),
      ...ember.entries.filter(({ key }) => key.startsWith('tokenizer.ggml.')),
    ],
    tensors: infos,
    data,
  });
}

test.for(architectures)(
  'a model of this architecture reads a prompt and continues it: $name',
  async (one) => {
    const bytes = writeModel(one);
    const weights = {
      size: bytes.length,
      read: (offset: number, size: number) => bytes.subarray(offset, offset + size),
      close: () => undefined,
    };
    const llama = await loadLlama(program, weights, { contextTokens: 256, use: 'chat' });
    const prompt = llama.tokenize('How are you today? It is a fine day.', { addsBegin: true });
    const read = (tokens: readonly number[]) => {
      llama.decode(tokens);
      llama.beginReply({ sampling: { temperature: 0 } });
      return llama.sample();
    };
    const first = read(prompt);
    expect(first).toBeDefined();
    expect(llama.keep(prompt.length - 2)).toBe(one.dropsSome);
    // Reading in two parts must lead to the same token, so the state of the layers is right.
    llama.keep(0);
    llama.decode(prompt.slice(0, 5));
    expect(read(prompt.slice(5))).toBe(first);
    llama.free();
  },
);

/** What web-llm 0.2.86 says of the models that we offer. Written by scripts/make-catalog.js, not by hand. */
export interface WebLlmRecord {
  id: string;
  modelUrl: string;
  libraryUrl: string;
  /** Without the context, which is chosen. */
  overrides: Record<string, unknown>;
  /** On the GPU, with a context of 4,096 tokens. */
  memoryMb: number;
  /** The largest buffer; 0 where it is not said. */
  bufferBytes: number;
}

export const webLlmVersion = '0.2.86';

export const webLlmRecords = {
  'Qwen3-8B': {
    f16: {
      id: 'Qwen3-8B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-8B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-8B-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 5695.78,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen3-8B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-8B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-8B-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 6852.55,
      bufferBytes: 0,
    },
  },
  'Hermes-3-Llama-3.1-8B': {
    f16: {
      id: 'Hermes-3-Llama-3.1-8B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.1-8B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3_1-8B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 4876.13,
      bufferBytes: 0,
    },
    f32: {
      id: 'Hermes-3-Llama-3.1-8B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.1-8B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3_1-8B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 5779.27,
      bufferBytes: 0,
    },
  },
  'Qwen3-4B': {
    f16: {
      id: 'Qwen3-4B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-4B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-4B-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 3431.59,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen3-4B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-4B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-4B-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 4327.71,
      bufferBytes: 0,
    },
  },
  'Phi-4-mini-instruct': {
    f16: {
      id: 'Phi-4-mini-instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Phi-4-mini-instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Phi-4-mini-instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 3437.58,
      bufferBytes: 0,
    },
    f32: {
      id: 'Phi-4-mini-instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Phi-4-mini-instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Phi-4-mini-instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 4220.59,
      bufferBytes: 0,
    },
  },
  'Hermes-3-Llama-3.2-3B': {
    f16: {
      id: 'Hermes-3-Llama-3.2-3B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.2-3B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 2263.69,
      bufferBytes: 0,
    },
    f32: {
      id: 'Hermes-3-Llama-3.2-3B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.2-3B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 2951.51,
      bufferBytes: 0,
    },
  },
  'Llama-3.2-3B-Instruct': {
    f16: {
      id: 'Llama-3.2-3B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-3B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 2263.69,
      bufferBytes: 0,
    },
    f32: {
      id: 'Llama-3.2-3B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-3B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 2951.51,
      bufferBytes: 0,
    },
  },
  'Qwen3.5-2B': {
    f16: {
      id: 'Qwen3.5-2B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-2B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-2B-q4f16_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 2245.44,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen3.5-2B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-2B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-2B-q4f32_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 2591.55,
      bufferBytes: 0,
    },
  },
  'Qwen3-1.7B': {
    f16: {
      id: 'Qwen3-1.7B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-1.7B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-1.7B-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 2036.66,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen3-1.7B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-1.7B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-1.7B-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 2635.44,
      bufferBytes: 0,
    },
  },
  'Qwen2.5-1.5B-Instruct': {
    f16: {
      id: 'Qwen2.5-1.5B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-1.5B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-1.5B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 1629.75,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen2.5-1.5B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-1.5B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-1.5B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 1888.97,
      bufferBytes: 0,
    },
  },
  'Llama-3.2-1B-Instruct': {
    f16: {
      id: 'Llama-3.2-1B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-1B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 879.04,
      bufferBytes: 0,
    },
    f32: {
      id: 'Llama-3.2-1B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-1B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-1B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 1128.82,
      bufferBytes: 0,
    },
  },
  'Qwen3-0.6B': {
    f16: {
      id: 'Qwen3-0.6B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-0.6B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-0.6B-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 1403.34,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen3-0.6B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-0.6B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-0.6B-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 1924.98,
      bufferBytes: 0,
    },
  },
  'Qwen2.5-0.5B-Instruct': {
    f16: {
      id: 'Qwen2.5-0.5B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-0.5B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-0.5B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 944.62,
      bufferBytes: 0,
    },
    f32: {
      id: 'Qwen2.5-0.5B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-0.5B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-0.5B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      overrides: {},
      memoryMb: 1060.2,
      bufferBytes: 0,
    },
  },
} satisfies Record<string, Record<'f16' | 'f32', WebLlmRecord>>;

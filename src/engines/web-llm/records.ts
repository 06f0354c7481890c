/** What web-llm 0.2.86 says of the models that we offer. Written by scripts/make-catalog.js, not by hand. */
export interface WebLlmRecord {
  id: string;
  modelUrl: string;
  libraryUrl: string;
  /** Without the context, which is chosen. */
  overrides?: Record<string, unknown>;
  /** On the GPU, with a context of 4,096 tokens. */
  memoryMb: number;
  /** The largest buffer, where it is said. */
  bufferBytes?: number;
}

export const webLlmVersion = '0.2.86';

export const webLlmRecords = {
  'Qwen3.5-9B': {
    f16: {
      id: 'Qwen3.5-9B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-9B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-9B-q4f16_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 6433.01,
    },
    f32: {
      id: 'Qwen3.5-9B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-9B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-9B-q4f32_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 7544.74,
    },
  },
  'Qwen3-8B': {
    f16: {
      id: 'Qwen3-8B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-8B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-8B-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 5695.78,
    },
    f32: {
      id: 'Qwen3-8B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-8B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-8B-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 6852.55,
    },
  },
  'Hermes-3-Llama-3.1-8B': {
    f16: {
      id: 'Hermes-3-Llama-3.1-8B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.1-8B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3_1-8B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 4876.13,
    },
    f32: {
      id: 'Hermes-3-Llama-3.1-8B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.1-8B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3_1-8B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 5779.27,
    },
  },
  'Qwen3.5-4B': {
    f16: {
      id: 'Qwen3.5-4B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-4B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-4B-q4f16_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 3867.82,
    },
    f32: {
      id: 'Qwen3.5-4B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-4B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-4B-q4f32_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 4680.36,
    },
  },
  'Qwen3-4B': {
    f16: {
      id: 'Qwen3-4B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-4B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-4B-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 3431.59,
    },
    f32: {
      id: 'Qwen3-4B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-4B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-4B-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 4327.71,
    },
  },
  'Phi-4-mini-instruct': {
    f16: {
      id: 'Phi-4-mini-instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Phi-4-mini-instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Phi-4-mini-instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 3437.58,
    },
    f32: {
      id: 'Phi-4-mini-instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Phi-4-mini-instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Phi-4-mini-instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 4220.59,
    },
  },
  'gemma-4-E2B-it': {
    f16: {
      id: 'gemma-4-E2B-it-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/gemma-4-E2B-it-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/gemma-4-E2B-it-q4f16_1_cs512-webgpu.wasm',
      memoryMb: 3387.37,
      bufferBytes: 201326592,
    },
    f32: {
      id: 'gemma-4-E2B-it-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/gemma-4-E2B-it-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/gemma-4-E2B-it-q4f32_1_cs512-webgpu.wasm',
      memoryMb: 3862.72,
      bufferBytes: 201326592,
    },
  },
  'Ministral-3-3B-Instruct-2512-BF16': {
    f16: {
      id: 'Ministral-3-3B-Instruct-2512-BF16-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Ministral-3-3B-Instruct-2512-BF16-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Ministral-3-3B-Instruct-2512-BF16-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 2863.69,
    },
    f32: {
      id: 'Ministral-3-3B-Instruct-2512-BF16-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Ministral-3-3B-Instruct-2512-BF16-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Ministral-3-3B-Instruct-2512-BF16-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 3532.37,
    },
  },
  'Hermes-3-Llama-3.2-3B': {
    f16: {
      id: 'Hermes-3-Llama-3.2-3B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.2-3B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 2263.69,
    },
    f32: {
      id: 'Hermes-3-Llama-3.2-3B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Hermes-3-Llama-3.2-3B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 2951.51,
    },
  },
  'Llama-3.2-3B-Instruct': {
    f16: {
      id: 'Llama-3.2-3B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-3B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 2263.69,
    },
    f32: {
      id: 'Llama-3.2-3B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-3B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-3B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 2951.51,
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
    },
    f32: {
      id: 'Qwen3.5-2B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-2B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-2B-q4f32_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 2591.55,
    },
  },
  'Qwen3-1.7B': {
    f16: {
      id: 'Qwen3-1.7B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-1.7B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-1.7B-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 2036.66,
    },
    f32: {
      id: 'Qwen3-1.7B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-1.7B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-1.7B-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 2635.44,
    },
  },
  'Qwen3.5-0.8B': {
    f16: {
      id: 'Qwen3.5-0.8B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-0.8B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-0.8B-q4f16_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 1629.49,
    },
    f32: {
      id: 'Qwen3.5-0.8B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3.5-0.8B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3.5-0.8B-q4f32_1_cs1k-webgpu.wasm',
      overrides: { max_history_size: 1 },
      memoryMb: 1894.19,
    },
  },
  'Qwen2.5-1.5B-Instruct': {
    f16: {
      id: 'Qwen2.5-1.5B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-1.5B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-1.5B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 1629.75,
    },
    f32: {
      id: 'Qwen2.5-1.5B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-1.5B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-1.5B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 1888.97,
    },
  },
  'Llama-3.2-1B-Instruct': {
    f16: {
      id: 'Llama-3.2-1B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-1B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-1B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 879.04,
    },
    f32: {
      id: 'Llama-3.2-1B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Llama-3.2-1B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Llama-3.2-1B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 1128.82,
    },
  },
  'Qwen3-0.6B': {
    f16: {
      id: 'Qwen3-0.6B-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-0.6B-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-0.6B-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 1403.34,
    },
    f32: {
      id: 'Qwen3-0.6B-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen3-0.6B-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen3-0.6B-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 1924.98,
    },
  },
  'Qwen2.5-0.5B-Instruct': {
    f16: {
      id: 'Qwen2.5-0.5B-Instruct-q4f16_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-0.5B-Instruct-q4f16_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-0.5B-Instruct-q4f16_1_cs1k-webgpu.wasm',
      memoryMb: 944.62,
    },
    f32: {
      id: 'Qwen2.5-0.5B-Instruct-q4f32_1-MLC',
      modelUrl: 'https://huggingface.co/mlc-ai/Qwen2.5-0.5B-Instruct-q4f32_1-MLC',
      libraryUrl:
        'https://raw.githubusercontent.com/mlc-ai/binary-mlc-llm-libs/main/web-llm-models/v0_2_86/base/Qwen2-0.5B-Instruct-q4f32_1_cs1k-webgpu.wasm',
      memoryMb: 1060.2,
    },
  },
} satisfies Record<string, Record<'f16' | 'f32', WebLlmRecord>>;

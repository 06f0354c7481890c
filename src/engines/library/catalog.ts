/** The models that Hearth offers for download, best first: web-llm's records plus our annotations. */
import { chatMl, gemma4, hermesChatMl, llama3, mistral, phi4 } from './templates';
import type { CatalogEntry, ThinkingMarkers, ModelVariant } from './entry';
import { webLlmLibraries, type WebLlmRecord, webLlmRecords } from '../web-llm/records';

/** Average bits per weight: 4 bits of its own, and 1/32 of a scale factor (16 or 32 bits) that 32 weights share. */
const bitsPerWeight = { f16: 4.5, f32: 5 };
/** Approximate bytes of tokenizer, file lists and compiled library together. */
const nonWeightFilesBytes = 18_000_000;

/** A model with more parameters understands a tool from its description, so its prompt contains fewer examples. */
const maxSmallModelParameters = 3.3e9;

type CatalogAnnotation = Omit<CatalogEntry, 'engine' | 'variants' | 'id'>;

function webLlmEntry(name: keyof typeof webLlmRecords, annotation: CatalogAnnotation): CatalogEntry {
  const record: WebLlmRecord = webLlmRecords[name];
  const { memoryMb, library = name, prefillChunk = 'cs1k', overrides = {}, bufferBytes = 0 } = record;
  const variantOf = (precision: 'f16' | 'f32'): ModelVariant => {
    const id = `${name}-q4${precision}_1-MLC`;
    const libraryUrl = `${webLlmLibraries}${library}-q4${precision}_1_${prefillChunk}-webgpu.wasm`;
    return {
      id,
      precision,
      downloadBytes: Math.round((annotation.parameters * bitsPerWeight[precision]) / 8) + nonWeightFilesBytes,
      memoryMb: memoryMb[precision],
      bufferBytes,
      mlc: { modelUrl: `https://huggingface.co/mlc-ai/${id}`, libraryUrl, overrides },
    };
  };
  const teaching = annotation.parameters > maxSmallModelParameters && { teaching: { mostExamples: 1 } };
  const variants: CatalogEntry['variants'] = [variantOf('f16'), variantOf('f32')];
  return { id: name, engine: 'web-llm', variants, ...annotation, ...teaching };
}

/** `file`: owner, repository and file on Hugging Face. `memoryMb`: for a context of 4,096 tokens. `id`: the file's name by default. */
function ggufEntry(
  file: `${string}/${string}/${string}`,
  downloadBytes: number,
  memoryMb: number,
  annotation: CatalogAnnotation,
  id = file.split('/')[2] ?? '',
): CatalogEntry {
  const [owner, repository, name] = file.split('/');
  const url = `https://huggingface.co/${owner}/${repository}/resolve/main/${name}.gguf`;
  return {
    id,
    engine: 'llama',
    variants: [{ id, precision: 'gguf', bufferBytes: 0, url, downloadBytes, memoryMb }],
    ...annotation,
    name: `${annotation.name} (CPU)`,
  };
}

const qwenLanguages = ['en', 'zh', 'de', 'fr', 'es', 'ja', 'ko', 'ru', 'ar'];
const llamaLanguages = ['en', 'de', 'fr', 'it', 'pt', 'es', 'hi', 'th'];

/** Qwen 3 decides itself whether to think, unless its reply begins with an empty thought. */
const qwen3Thinking: ThinkingMarkers = {
  on: '',
  off: '<think>\n\n</think>\n\n',
  sampling: { temperature: 0.6, topP: 0.95 },
};

const qwenCommon = { format: 'hermes', template: chatMl, licence: 'Apache-2.0', languages: qwenLanguages };
const qwen3Common = {
  ...qwenCommon,
  family: 'Qwen 3',
  thinking: qwen3Thinking,
  sampling: { temperature: 0.7, topP: 0.8 },
};
const qwen35Common = {
  ...qwen3Common,
  family: 'Qwen 3.5',
  format: 'function-tag',
  thinking: { ...qwen3Thinking, on: '<think>\n' },
};
const qwen25Common = { ...qwenCommon, family: 'Qwen 2.5', sampling: { temperature: 0.3, topP: 0.8 } };
const llama32Common = {
  family: 'Llama 3.2',
  format: 'json',
  template: llama3,
  sampling: { temperature: 0.3, topP: 0.9 },
  licence: 'Llama 3.2 Community',
  languages: llamaLanguages,
};
const hermes3Common = {
  family: 'Hermes 3',
  format: 'hermes',
  template: hermesChatMl,
  sampling: { temperature: 0.5, topP: 0.9 },
  languages: ['en'],
};

const qwen25Tiny: CatalogAnnotation = {
  ...qwen25Common,
  name: 'Qwen 2.5 0.5B',
  parameters: 494_032_768,
  cache: { layers: 24, heads: 2, width: 64 },
  about: {
    en: 'The smallest download: short answers and single tool calls on nearly any device.',
    zh: '下载最小：几乎任何设备都能用，适合简短回答和单次工具调用。',
  },
};
const qwen25Small: CatalogAnnotation = {
  ...qwen25Common,
  name: 'Qwen 2.5 1.5B',
  parameters: 1_543_714_304,
  cache: { layers: 28, heads: 2, width: 128 },
  about: {
    en: 'Light for what it can: tool calls, summaries and Chinese with little memory.',
    zh: '占用少而能力不错：工具调用、摘要和中文，所需内存不多。',
  },
};
const qwen3Small: CatalogAnnotation = {
  ...qwen3Common,
  name: 'Qwen 3 0.6B',
  parameters: 596_049_920,
  cache: { layers: 28, heads: 8, width: 128 },
  about: {
    en: 'Small, and can think aloud: simple questions and tool calls.',
    zh: '小巧，可以先思考再回答：适合简单问题和工具调用。',
  },
};

const qwen35Tiny: CatalogAnnotation = {
  ...qwen35Common,
  name: 'Qwen 3.5 0.8B',
  parameters: 753_000_000,
  cache: { layers: 6, heads: 2, width: 256 },
  about: {
    en: 'Small and new: simple questions and tool calls, with a cache that stays small.',
    zh: '小巧的新一代模型：简单问题和工具调用，占用内存小。',
  },
};
const qwen35Small: CatalogAnnotation = {
  ...qwen35Common,
  name: 'Qwen 3.5 2B',
  parameters: 1_880_000_000,
  cache: { layers: 6, heads: 2, width: 256 },
  about: {
    en: 'New, with a cache that stays small in long chats.',
    zh: '新一代模型，长对话时占用内存仍然很小。',
  },
};

export const catalog: readonly CatalogEntry[] = [
  webLlmEntry('Qwen3.5-9B', {
    ...qwen35Common,
    name: 'Qwen 3.5 9B',
    parameters: 8_950_000_000,
    // Count only 8 of the layers: the cache of the others does not grow with the context.
    cache: { layers: 8, heads: 4, width: 256 },
    about: {
      en: 'The most able here: long tool chains, analysis and writing, with long chats at little cost.',
      zh: '此处最强：多步工具调用、分析和写作，长对话也省内存。',
    },
  }),
  webLlmEntry('Qwen3-8B', {
    ...qwen3Common,
    name: 'Qwen 3 8B',
    parameters: 8_190_735_360,
    cache: { layers: 36, heads: 8, width: 128 },
    about: {
      en: 'Long tool chains, analysis and writing, for a graphics chip with much memory.',
      zh: '擅长多步工具调用、分析和写作，需要大显存的显卡。',
    },
  }),
  webLlmEntry('Hermes-3-Llama-3.1-8B', {
    ...hermes3Common,
    name: 'Hermes 3 8B',
    parameters: 8_030_261_248,
    cache: { layers: 32, heads: 8, width: 128 },
    licence: 'Llama 3.1 Community',
    about: {
      en: 'Trained for tool calls and long instructions, in English.',
      zh: '专为工具调用和长指令训练，以英文为主。',
    },
  }),
  webLlmEntry('Qwen3.5-4B', {
    ...qwen35Common,
    name: 'Qwen 3.5 4B',
    parameters: 4_210_000_000,
    cache: { layers: 8, heads: 4, width: 256 },
    about: {
      en: 'The best choice for most laptops: tool calls, reasoning and writing, also in long chats.',
      zh: '多数笔记本的首选：工具调用、推理和写作，也适合长对话。',
    },
  }),
  webLlmEntry('Qwen3-4B', {
    ...qwen3Common,
    name: 'Qwen 3 4B',
    parameters: 4_022_468_096,
    cache: { layers: 36, heads: 8, width: 128 },
    about: {
      en: 'A good choice for a laptop with 8 GB: calls tools reliably, reasons and writes well.',
      zh: '适合 8 GB 内存的笔记本：工具调用可靠，推理和写作都不错。',
    },
  }),
  webLlmEntry('Phi-4-mini-instruct', {
    family: 'Phi 4',
    name: 'Phi 4 mini',
    format: 'phi',
    template: phi4,
    sampling: { temperature: 0.3, topP: 0.9 },
    licence: 'MIT',
    languages: qwenLanguages,
    parameters: 3_836_021_760,
    cache: { layers: 32, heads: 8, width: 128 },
    about: { en: 'Strong in mathematics and reasoning for its size.', zh: '就其大小而言，数学和推理很强。' },
  }),
  webLlmEntry('gemma-4-E2B-it', {
    family: 'Gemma 4',
    name: 'Gemma 4 E2B',
    format: 'gemma',
    template: gemma4,
    sampling: { temperature: 1, topP: 0.95 },
    licence: 'Apache-2.0',
    languages: ['en', 'zh', 'de', 'fr', 'es', 'ja', 'ko', 'pt', 'hi'],
    // Nearly half of these are in lookup tables. They count, because they are part of the download.
    parameters: 5_100_000_000,
    cache: { layers: 15, heads: 1, width: 256 },
    about: {
      en: 'Questions, writing and tool calls in very many languages.',
      zh: '支持极多语言的问答、写作和工具调用。',
    },
  }),
  webLlmEntry('Ministral-3-3B-Instruct-2512-BF16', {
    family: 'Ministral 3',
    name: 'Ministral 3 3B',
    format: 'mistral',
    template: mistral,
    sampling: { temperature: 0.1, topP: 0.95 },
    licence: 'Apache-2.0',
    languages: ['en', 'fr', 'es', 'de', 'it', 'pt', 'nl', 'zh', 'ja', 'ko', 'ar'],
    parameters: 3_430_000_000,
    cache: { layers: 26, heads: 8, width: 128 },
    about: {
      en: 'Keeps to instructions and calls tools, in European and Asian languages.',
      zh: '严格遵循指令，擅长工具调用，支持欧洲和亚洲语言。',
    },
  }),
  webLlmEntry('Qwen3.5-2B', qwen35Small),
  webLlmEntry('Qwen3-1.7B', {
    ...qwen3Common,
    name: 'Qwen 3 1.7B',
    parameters: 1_720_574_976,
    cache: { layers: 28, heads: 8, width: 128 },
    about: {
      en: 'A good start where memory is short: tool calls and everyday questions in many languages.',
      zh: '内存不多时的好选择：多语言的工具调用和日常问题。',
    },
  }),
  webLlmEntry('Hermes-3-Llama-3.2-3B', {
    ...hermes3Common,
    name: 'Hermes 3 3B',
    parameters: 3_212_749_824,
    cache: { layers: 28, heads: 8, width: 128 },
    licence: 'Llama 3.2 Community',
    about: {
      en: 'Trained for tool calls, in English, with moderate memory.',
      zh: '专为工具调用训练，以英文为主，内存需求中等。',
    },
  }),
  webLlmEntry('Llama-3.2-3B-Instruct', {
    ...llama32Common,
    name: 'Llama 3.2 3B',
    parameters: 3_212_749_824,
    cache: { layers: 28, heads: 8, width: 128 },
    about: {
      en: 'Good at conversation, rewriting and summaries in European languages.',
      zh: '擅长对话、改写和摘要，适合欧洲语言。',
    },
  }),
  webLlmEntry('Qwen3.5-0.8B', qwen35Tiny),
  webLlmEntry('Qwen2.5-1.5B-Instruct', qwen25Small),
  webLlmEntry('Qwen3-0.6B', qwen3Small),
  webLlmEntry('Llama-3.2-1B-Instruct', {
    ...llama32Common,
    name: 'Llama 3.2 1B',
    isWeakAtTools: true,
    parameters: 1_235_814_400,
    cache: { layers: 16, heads: 8, width: 64 },
    about: {
      en: 'Rewriting and short summaries on phones and old laptops; weak at tools.',
      zh: '适合手机和旧笔记本上的改写和短摘要；工具调用较弱。',
    },
  }),
  webLlmEntry('Qwen2.5-0.5B-Instruct', qwen25Tiny),

  // Sorted by download size (0.5, 1 and 2 GB). The best models of a size come first: new ones, and ones that call tools well.
  ggufEntry('unsloth/Qwen3.5-0.8B-GGUF/Qwen3.5-0.8B-Q4_K_M', 532_517_120, 900, qwen35Tiny),
  ggufEntry('unsloth/Qwen3.5-2B-GGUF/Qwen3.5-2B-Q4_K_M', 1_280_835_840, 1700, qwen35Small),
  ggufEntry('unsloth/Qwen3.5-2B-GGUF/Qwen3.5-2B-Q8_0', 2_010_000_000, 2500, {
    ...qwen35Small,
    name: 'Qwen 3.5 2B, exact',
    about: {
      en: 'The most able here without a GPU: its weights are kept nearly as they were trained.',
      zh: '没有 GPU 时最强的选择：权重几乎保持训练时的精度。',
    },
  }),
  ggufEntry('Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m', 1_120_000_000, 1500, qwen25Small),
  ggufEntry('Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0', 640_000_000, 1300, qwen3Small, 'qwen3-0.6b-q8_0'),
  ggufEntry('Qwen/Qwen2.5-0.5B-Instruct-GGUF/qwen2.5-0.5b-instruct-q4_k_m', 492_000_000, 750, qwen25Tiny),
];

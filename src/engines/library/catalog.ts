/** The models that Hearth offers for download, best first: web-llm's records plus our annotations. */
import { chatMl, gemma, gemma4, granite, hermesChatMl, llama3, mistral, phi4 } from './templates';
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

/** A file at a fixed revision of its repository, so its size and checksum stay right. Sources: docs/decisions/2026-11-30-catalog.md. */
interface GgufFile {
  /** Owner, repository and file on Hugging Face, without `.gguf`. */
  file: `${string}/${string}/${string}`;
  revision: string;
  bytes: number;
  sha256: string;
  /** For a context of 4,096 tokens. */
  memoryMb: number;
}

/** `id`: the file's name by default. */
function ggufEntry(
  { file, revision, bytes: downloadBytes, sha256, memoryMb }: GgufFile,
  annotation: CatalogAnnotation,
  id = file.split('/')[2] ?? '',
): CatalogEntry {
  const [owner, repository, name] = file.split('/');
  const url = `https://huggingface.co/${owner}/${repository}/resolve/${revision}/${name}.gguf`;
  return {
    id,
    engine: 'llama',
    variants: [{ id, precision: 'gguf', bufferBytes: 0, url, downloadBytes, sha256, memoryMb }],
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

const lfm25Common = {
  family: 'LFM 2.5',
  format: 'lfm',
  template: hermesChatMl,
  licence: 'LFM Open License 1.0',
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

  // Sorted by download size (0.5, 0.7, 1 and 2 GB, then 0.3 GB). The best models of a size come first: new ones, and ones that call tools well.
  ggufEntry(
    {
      file: 'unsloth/Qwen3.5-0.8B-GGUF/Qwen3.5-0.8B-Q4_K_M',
      revision: '6ab461498e2023f6e3c1baea90a8f0fe38ab64d0',
      bytes: 532_517_120,
      sha256: 'bd258782e35f7f458f8aced1adc053e6e92e89bc735ba3be89d38a06121dc517',
      memoryMb: 900,
    },
    qwen35Tiny,
  ),
  ggufEntry(
    {
      file: 'LiquidAI/LFM2.5-1.2B-Instruct-GGUF/LFM2.5-1.2B-Instruct-Q4_K_M',
      revision: '8ed288026e23958ad9dfa92d53ed773a8eee7125',
      bytes: 730_895_168,
      sha256: 'b1b3de114215d9507409a662a501a631095a479a419584e8a2ded6304b19b4f5',
      memoryMb: 1000,
    },
    {
      ...lfm25Common,
      name: 'LFM 2.5 1.2B',
      parameters: 1_170_340_608,
      // Only these of its 16 layers cache keys and values.
      cache: { layers: 6, heads: 8, width: 64 },
      sampling: { temperature: 0.1, topK: 50, topP: 0.1 },
      languages: ['en', 'ar', 'zh', 'fr', 'de', 'ja', 'ko', 'es'],
      about: {
        en: 'Made for processors: follows instructions and calls tools. Knows little by heart and is not made for code.',
        zh: '专为处理器设计：擅长按要求回答和调用工具。自身知识不多，也不适合写代码。',
      },
    },
  ),
  ggufEntry(
    {
      file: 'unsloth/Qwen3.5-2B-GGUF/Qwen3.5-2B-Q4_K_M',
      revision: 'f6d5376be1edb4d416d56da11e5397a961aca8ae',
      bytes: 1_280_835_840,
      sha256: 'aaf42c8b7c3cab2bf3d69c355048d4a0ee9973d48f16c731c0520ee914699223',
      memoryMb: 1700,
    },
    qwen35Small,
  ),
  ggufEntry(
    {
      file: 'unsloth/Qwen3.5-2B-GGUF/Qwen3.5-2B-Q8_0',
      revision: 'f6d5376be1edb4d416d56da11e5397a961aca8ae',
      bytes: 2_012_012_800,
      sha256: '1b04acba824817554f4ce23639bc8495ff70453b8fcb047900c731521021f2c1',
      memoryMb: 2500,
    },
    {
      ...qwen35Small,
      name: 'Qwen 3.5 2B, exact',
      about: {
        en: 'The most able here without a GPU: its weights are kept nearly as they were trained.',
        zh: '没有 GPU 时最强的选择：权重几乎保持训练时的精度。',
      },
    },
  ),
  ggufEntry(
    {
      file: 'Qwen/Qwen2.5-1.5B-Instruct-GGUF/qwen2.5-1.5b-instruct-q4_k_m',
      revision: '91cad51170dc346986eccefdc2dd33a9da36ead9',
      bytes: 1_117_320_736,
      sha256: '6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e',
      memoryMb: 1500,
    },
    qwen25Small,
  ),
  ggufEntry(
    {
      file: 'Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0',
      revision: '23749fefcc72300e3a2ad315e1317431b06b590a',
      bytes: 639_446_688,
      sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
      memoryMb: 1300,
    },
    qwen3Small,
    'qwen3-0.6b-q8_0',
  ),
  ggufEntry(
    {
      file: 'Qwen/Qwen2.5-0.5B-Instruct-GGUF/qwen2.5-0.5b-instruct-q4_k_m',
      revision: '9217f5db79a29953eb74d5343926648285ec7e67',
      bytes: 491_400_032,
      sha256: '74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db',
      memoryMb: 750,
    },
    qwen25Tiny,
  ),
  ggufEntry(
    {
      file: 'LiquidAI/LFM2.5-350M-GGUF/LFM2.5-350M-Q4_K_M',
      revision: '657e078c94084481950a2d555a941481f715536b',
      bytes: 229_312_224,
      sha256: '7e6f72643caafc9a68256686638c4d7916f2cec76d1df478d4c3ddcd95a6aed4',
      memoryMb: 500,
    },
    {
      ...lfm25Common,
      name: 'LFM 2.5 350M',
      parameters: 354_483_968,
      // Only these of its 16 layers cache keys and values.
      cache: { layers: 6, heads: 8, width: 64 },
      sampling: { temperature: 0.1, topK: 50 },
      languages: ['en', 'ar', 'zh', 'fr', 'de', 'ja', 'ko', 'es', 'pt'],
      about: {
        en: 'The fastest here on a phone: short answers, and facts picked out of a text. Knows little by heart.',
        zh: '手机上最快的选择：适合简短回答和从文字中提取信息。自身知识不多。',
      },
    },
  ),
  ggufEntry(
    {
      file: 'ibm-granite/granite-4.0-350m-GGUF/granite-4.0-350m-Q4_K_M',
      revision: 'b8208a86a58427e1739265318028eb5895b74bf2',
      bytes: 236_985_760,
      sha256: '771c588a49607f274a2bba3185733607ebe6f74b996ab90e2d6bee0d98bcec52',
      memoryMb: 600,
    },
    {
      family: 'Granite 4',
      name: 'Granite 4 350M',
      format: 'hermes',
      template: granite,
      sampling: { temperature: 0.3, topP: 0.9 },
      licence: 'Apache-2.0',
      languages: ['en', 'de', 'es', 'fr', 'ja', 'pt', 'ar', 'cs', 'it', 'ko', 'nl', 'zh'],
      parameters: 352_379_904,
      cache: { layers: 28, heads: 4, width: 64 },
      about: {
        en: 'A small download in many languages: summaries, sorting texts and single tool calls.',
        zh: '下载小，支持多种语言：适合摘要、文本分类和单次工具调用。',
      },
    },
  ),
  ggufEntry(
    {
      file: 'bartowski/SmolLM2-360M-Instruct-GGUF/SmolLM2-360M-Instruct-Q4_K_M',
      revision: '7be6f65f1db715fe5dc5a4634c0d459b4eed42ec',
      bytes: 270_590_880,
      sha256: '2fa3f013dcdd7b99f9b237717fa0b12d75bbb89984cc1274be1471a465bac9c2',
      memoryMb: 650,
    },
    {
      family: 'SmolLM 2',
      name: 'SmolLM 2 360M',
      format: 'hermes',
      template: chatMl,
      sampling: { temperature: 0.3, topP: 0.9 },
      licence: 'Apache-2.0',
      languages: ['en'],
      isWeakAtTools: true,
      parameters: 361_821_120,
      cache: { layers: 32, heads: 5, width: 64 },
      about: {
        en: 'Rewriting and short summaries in English only; weak at tools.',
        zh: '只适合英文的改写和短摘要；工具调用较弱。',
      },
    },
  ),
  ggufEntry(
    {
      file: 'ggml-org/gemma-3-270m-it-GGUF/gemma-3-270m-it-Q8_0',
      revision: 'e7647be17ae1108f2f605ed061ca0608b171afff',
      bytes: 291_545_600,
      sha256: '0ef57d2c838458a1952664260dcba38e5bdda37494f3af732f06e4add24068e3',
      memoryMb: 600,
    },
    {
      family: 'Gemma 3',
      name: 'Gemma 3 270M',
      format: 'fenced-tool',
      template: gemma,
      sampling: { temperature: 1, topK: 64, topP: 0.95 },
      licence: 'Gemma Terms of Use',
      languages: ['en', 'zh', 'de', 'fr', 'es', 'ja', 'ko', 'pt', 'hi'],
      isWeakAtTools: true,
      parameters: 268_098_176,
      cache: { layers: 18, heads: 1, width: 256 },
      about: {
        en: 'Short, simple texts in many languages; weak at tools. Google forbids some uses of it.',
        zh: '多种语言的简短文字；工具调用较弱。Google 的条款禁止部分用途。',
      },
    },
  ),
];

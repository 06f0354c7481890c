/** What is said of the small models that are offered twice: for the GPU, and as a GGUF file for the processor. */
import type { CatalogEntry } from './entry';
import { qwen25, qwen3, qwen35 } from './families';

export type Annotation = Omit<CatalogEntry, 'engine' | 'variants' | 'id'>;

export const qwen25Small: Annotation = {
  ...qwen25,
  name: 'Qwen 2.5 0.5B',
  parameters: 494_032_768,
  cache: { layers: 24, heads: 2, width: 64 },
  about: {
    en: 'The smallest download: short answers and single tool calls on nearly any device.',
    zh: '下载最小：几乎任何设备都能用，适合简短回答和单次工具调用。',
  },
};
export const qwen25Medium: Annotation = {
  ...qwen25,
  name: 'Qwen 2.5 1.5B',
  parameters: 1_543_714_304,
  cache: { layers: 28, heads: 2, width: 128 },
  about: {
    en: 'Light for what it can: tool calls, summaries and Chinese with little memory.',
    zh: '占用少而能力不错：工具调用、摘要和中文，所需内存不多。',
  },
};
export const qwen3Small: Annotation = {
  ...qwen3,
  name: 'Qwen 3 0.6B',
  parameters: 596_049_920,
  cache: { layers: 28, heads: 8, width: 128 },
  about: {
    en: 'Small, and can think aloud: simple questions and tool calls.',
    zh: '小巧，可以先思考再回答：适合简单问题和工具调用。',
  },
};

export const qwen35Tiny: Annotation = {
  ...qwen35,
  name: 'Qwen 3.5 0.8B',
  parameters: 753_000_000,
  cache: { layers: 6, heads: 2, width: 256 },
  about: {
    en: 'Small and new: simple questions and tool calls, with a cache that stays small.',
    zh: '小巧的新一代模型：简单问题和工具调用，占用内存小。',
  },
};
export const qwen35Small: Annotation = {
  ...qwen35,
  name: 'Qwen 3.5 2B',
  parameters: 1_880_000_000,
  cache: { layers: 6, heads: 2, width: 256 },
  about: {
    en: 'New, with a cache that stays small in long chats.',
    zh: '新一代模型，长对话时占用内存仍然很小。',
  },
};

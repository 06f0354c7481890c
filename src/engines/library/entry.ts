/** An entry of the model catalog, and its conversion to a loadable model. */
import type { ChatTemplate, MlcRecord, ModelSpec, ToolExampleSettings } from '../../contracts/model';

/** Text that we add to the start of a reply (after its header) to switch the model's thinking on or off. */
export interface ThinkingMarkers {
  on: string;
  off: string;
  sampling: ModelSpec['sampling'];
}

export interface CatalogEntry {
  id: string;
  name: string;
  family: string;
  engine: string;
  parameters: number;
  cache: { layers: number; heads: number; width: number };
  /** True if we recommend the model only when no other one fits. */
  isWeakAtTools?: boolean;
  format: string;
  template: ChatTemplate;
  thinking?: ThinkingMarkers;
  teaching?: ToolExampleSettings;
  sampling: ModelSpec['sampling'];
  licence: string;
  languages: readonly string[];
  /** One sentence about the model's strengths, by language. Other languages use English. */
  about: Readonly<{ en: string } & Partial<Record<string, string>>>;
  variants: readonly [ModelVariant, ...ModelVariant[]];
}

export interface ModelVariant {
  /** Unique. The engine's own name for this variant. */
  id: string;
  precision: 'f16' | 'f32' | 'gguf';
  /** Exact for a GGUF file. An estimate for WebLLM: the list of weights, downloaded first, has the exact size. */
  downloadBytes: number;
  /** Checksum of a GGUF file, in hexadecimal. */
  sha256?: string;
  /** Megabytes for a context of 4,096 tokens: GPU memory for WebLLM, the page's memory for GGUF files. */
  memoryMb: number;
  /** Bytes of the largest GPU buffer. 0 if unknown. */
  bufferBytes: number;
  mlc?: MlcRecord;
  url?: string;
}

export const contextLengths = [4096, 8192] as const;

export function memoryMbFor({ cache }: CatalogEntry, variant: ModelVariant, contextTokens: number): number {
  // Each layer caches one key and one value per token.
  const tokenBytes = 2 * cache.layers * cache.heads * cache.width * (variant.precision === 'f32' ? 4 : 2);
  const addedTokens = Math.max(0, contextTokens - contextLengths[0]);
  return variant.memoryMb + (addedTokens * tokenBytes) / 2 ** 20;
}

export function specOf(
  entry: CatalogEntry,
  variant: ModelVariant,
  { contextTokens, isThinking }: { contextTokens: number; isThinking: boolean },
): ModelSpec {
  const { engine, name, format, template, teaching, thinking, sampling, languages, licence } = entry;
  const isThinkingHere = isThinking && thinking !== undefined;
  const { before, after } = template.assistant;
  const header = isThinking ? thinking?.on : thinking?.off;
  return {
    id: variant.id,
    name,
    engine,
    file: {
      path: variant.url ?? variant.mlc?.modelUrl ?? '',
      bytes: variant.downloadBytes,
      ...(variant.sha256 !== undefined && { sha256: variant.sha256 }),
    },
    ...(variant.mlc && { mlc: variant.mlc }),
    format,
    template: { ...template, assistant: { before: before + (header ?? ''), after } },
    ...(teaching && { teaching }),
    contextTokens,
    // Thinking models get twice the limit, because a thought may be as long as the answer.
    maxReplyTokens: Math.min(contextTokens / 4, 1024) * (isThinkingHere ? 2 : 1),
    sampling: isThinkingHere ? thinking.sampling : sampling,
    languages: [...languages],
    licence,
  };
}

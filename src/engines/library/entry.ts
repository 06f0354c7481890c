/** What the catalog says of a model, and how a model that was chosen from it becomes what is loaded. */
import type { ChatTemplate, MlcRecord, ModelSpec, Teaching } from '../../contracts/model';

/** What stands behind the header of a reply, with thinking and without. */
export interface Thinking {
  on: string;
  off: string;
  /** How its makers let it choose while it thinks. */
  sampling: ModelSpec['sampling'];
}

export interface CatalogEntry {
  /** Without precision; unique. */
  id: string;
  /** The name that a person sees. */
  name: string;
  family: string;
  engine: string;
  parameters: number;
  /** The shape of the KV cache, in the model's own terms: it says what a longer context costs. */
  cache: { layers: number; heads: number; width: number };
  /** Not to be recommended while another one fits. */
  isWeakAtTools?: boolean;
  /** Id of its tool-call format. */
  format: string;
  template: ChatTemplate;
  /** Absent: it never thinks aloud. */
  thinking?: Thinking;
  teaching?: Teaching;
  sampling: ModelSpec['sampling'];
  licence: string;
  /** The languages of the app that it was trained for. */
  languages: readonly string[];
  /** What it is good for: one sentence, by language of the app; English where the language on the screen has none. */
  about: Readonly<{ en: string } & Partial<Record<string, string>>>;
  /** The one to prefer first. */
  variants: readonly [Variant, ...Variant[]];
}

export interface Variant {
  /** The engine's own name of it; unique. */
  id: string;
  precision: 'f16' | 'f32' | 'gguf';
  /** About: the list of the weights, which comes first, says it exactly. */
  downloadBytes: number;
  /** Megabytes at a context of 4,096 tokens: of the GPU for WebLLM, of the page for wllama. */
  memoryMb: number;
  /** Size of the largest buffer on the GPU; 0 where it is not known. */
  bufferBytes: number;
  mlc?: MlcRecord;
  /** The address of its GGUF file; missing for WebLLM. */
  url?: string;
}

export interface Choice {
  contextTokens: number;
  isThinking: boolean;
}

/** Lengths of context that are offered. */
export const contextSizes = [4096, 8192] as const;

/** Bytes that one token more takes in the cache: a key and a value in every layer. */
export function cacheBytesPerToken(
  { cache: { layers, heads, width } }: CatalogEntry,
  variant: Variant,
): number {
  return 2 * layers * heads * width * (variant.precision === 'f32' ? 4 : 2);
}

/** Megabytes. */
export function memoryAt(entry: CatalogEntry, variant: Variant, contextTokens: number): number {
  const more = Math.max(0, contextTokens - contextSizes[0]) * cacheBytesPerToken(entry, variant);
  return variant.memoryMb + more / 2 ** 20;
}

export function specOf(
  entry: CatalogEntry,
  variant: Variant,
  { contextTokens, isThinking }: Choice,
): ModelSpec {
  const { engine, name, format, teaching, sampling, languages, licence } = entry;
  return {
    id: variant.id,
    name,
    engine,
    file: { path: variant.url ?? variant.mlc?.modelUrl ?? '', bytes: variant.downloadBytes },
    ...(variant.mlc && { mlc: variant.mlc }),
    format,
    template: templateOf(entry, isThinking),
    ...(teaching && { teaching }),
    contextTokens,
    // A thought takes as much room as what comes of it.
    maxReplyTokens: Math.min(contextTokens / 4, 1024) * (isThinking && entry.thinking ? 2 : 1),
    sampling: isThinking && entry.thinking ? entry.thinking.sampling : sampling,
    languages: [...languages],
    licence,
  };
}

function templateOf({ template, thinking }: CatalogEntry, isThinking: boolean): ChatTemplate {
  if (!thinking) return template;
  const { before, after } = template.assistant;
  return { ...template, assistant: { before: before + (isThinking ? thinking.on : thinking.off), after } };
}

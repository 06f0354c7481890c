/**
 * The part of the Prompt API that we use (https://webmachinelearning.github.io/prompt-api). Browsers differ from the specification: names
 * have changed, and some members are missing.
 */
import type { JsonSchema } from '../../contracts/schema';

export type ApiAvailability = 'unavailable' | 'downloadable' | 'downloading' | 'available';

export type ApiPart = { type: 'text'; value: string } | { type: 'image'; value: Blob };

export interface ApiMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | readonly ApiPart[];
  /** On a last assistant message: the reply continues it. */
  prefix?: true;
}

/** `languages`: BCP 47. */
type ApiExpected = { type: 'text'; languages: readonly string[] } | { type: 'image' };

export interface ApiCoreOptions {
  expectedInputs?: readonly ApiExpected[];
  expectedOutputs?: readonly ApiExpected[];
  samplingMode?: SamplingMode;
}

export type SamplingMode = 'most-predictable' | 'predictable' | 'balanced' | 'creative' | 'most-creative';

/** Fires `downloadprogress`, whose `loaded` is a share of 1. */
export type ApiMonitor = Pick<EventTarget, 'addEventListener'>;

export interface ApiCreateOptions extends ApiCoreOptions {
  signal?: AbortSignal;
  monitor?: (monitor: ApiMonitor) => void;
  initialPrompts?: readonly ApiMessage[];
}

export interface ApiPromptOptions {
  signal?: AbortSignal;
  responseConstraint?: JsonSchema;
  omitResponseConstraintInput?: boolean;
}

export interface ApiSession {
  promptStreaming: (input: readonly ApiMessage[], options?: ApiPromptOptions) => ReadableStream<string>;
  destroy: () => void;
  /** The name of the specification. The first browsers used the older names. */
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  readonly contextUsage?: number;
  readonly inputUsage?: number;
  measureContextUsage?: (input: readonly ApiMessage[]) => Promise<number>;
  measureInputUsage?: (input: readonly ApiMessage[]) => Promise<number>;
}

export interface PromptApi {
  availability: (options?: ApiCoreOptions) => Promise<ApiAvailability>;
  create: (options?: ApiCreateOptions) => Promise<ApiSession>;
}

/** Undefined if the browser does not have the API or this part of it. */
export function promptApiHere(): PromptApi | undefined {
  const { LanguageModel: found } = globalThis as { LanguageModel?: Partial<PromptApi> };
  return typeof found?.availability === 'function' && typeof found.create === 'function'
    ? (found as PromptApi)
    : undefined;
}

/** Maximum tokens of a session. Undefined if the browser does not say or has no limit. */
export function windowOf({ contextWindow, inputQuota }: ApiSession): number | undefined {
  const tokens = contextWindow ?? inputQuota;
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? Math.floor(tokens) : undefined;
}

export function usageOf({ contextUsage, inputUsage }: ApiSession): number | undefined {
  const tokens = contextUsage ?? inputUsage;
  return tokens !== undefined && Number.isFinite(tokens) ? tokens : undefined;
}

/** Tokens that these messages would take, or the guess if the browser cannot tell. */
export async function measure(
  session: ApiSession,
  input: readonly ApiMessage[],
  whenNotTold: number,
): Promise<number> {
  try {
    const told = await (session.measureContextUsage?.(input) ?? session.measureInputUsage?.(input));
    return told !== undefined && Number.isFinite(told) && told > 0 ? Math.ceil(told) : whenNotTold;
  } catch {
    return whenNotTold;
  }
}

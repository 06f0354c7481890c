/** The models that a user can choose: their names and states, the user's own models, and recovery from faults. */
import type { DownloadFailure } from './egress';
import { type ErrorCode, errorCodes } from './error-code';
import { z } from './schema';

/** Where a model runs. `loopback`: a server on this device. `network`: in the local network. `elsewhere`: on the internet. */
const ModelPlace = z.enum(['processor', 'gpu', 'browser', 'loopback', 'network', 'elsewhere']);
export type ModelPlace = z.infer<typeof ModelPlace>;

/** A model as chats and settings store it. These fields are enough to show it before the catalog loads. */
export const ModelName = z.object({
  id: z.string(),
  name: z.string(),
  engine: z.string(),
  place: z.catch(z.optional(ModelPlace), undefined),
  bytes: z.number(),
  isSmall: z.optional(z.boolean()),
});
export type ModelName = z.infer<typeof ModelName>;

/** Chat template and tool-call format that a model was trained with. */
export const ModelFamily = z.enum([
  'chatml',
  'hermes',
  'llama3',
  'phi4',
  'gemma',
  'gemma4',
  'mistral',
  'mistral-inst',
]);

/** A model on a server with OpenAI's chat completions API. */
export const Endpoint = z.object({
  model: z.string(),
  /** API key. Hearth sends it only to the origin of `modelUrl`, in a header. */
  key: z.optional(z.string()),
  /** Whether the server parses tool calls itself. Otherwise the prompt explains how to write them. */
  isNative: z.boolean(),
  /** Whether the model accepts pictures. Absent if unknown, which counts as no. */
  canSee: z.optional(z.boolean()),
});
export type Endpoint = z.infer<typeof Endpoint>;

export const OwnModel = z.object({
  id: z.string(),
  engine: z.string(),
  /** Absolute URL of the weights folder, of the GGUF file, or of the endpoint (without `/chat/completions`). */
  modelUrl: z.string(),
  libraryUrl: z.optional(z.string()),
  overrides: z.record(z.string(), z.unknown()),
  /** True if its files came from this device, so Hearth cannot download them again. */
  isFromDisk: z.optional(z.boolean()),
  bytes: z.optional(z.number()),
  /** Absent if Hearth guesses the family from the model's name. Hearth sets `ember` when it reads the model file. Users cannot choose it. */
  family: z.optional(z.enum([...ModelFamily.options, 'ember'])),
  contextTokens: z.optional(z.int().check(z.minimum(256))),
  /** True if its GGUF file has no chat template. Such a model continues text instead of answering. */
  isBase: z.optional(z.boolean()),
  endpoint: z.optional(Endpoint),
});
export type OwnModel = z.infer<typeof OwnModel>;

/** One of the user's models in the bin. Hearth still has its key, but has deleted its files. */
export const BinnedModel = z.object({
  model: OwnModel,
  deletedAt: z.number(),
  exam: z.optional(z.unknown()),
});
export type BinnedModel = z.infer<typeof BinnedModel>;

export type OwnModelProblem =
  | 'model-url'
  | 'library-url'
  | 'id'
  | 'known'
  | 'overrides'
  | 'json'
  | 'no-config'
  | 'no-weights'
  | 'damaged'
  | 'no-library'
  | 'not-gguf'
  | 'full';
/** `model` is absent if the files belong to a model of the catalog. */
export type AddModelResult =
  | { ok: true; id: string; model?: OwnModel }
  | { ok: false; problem: OwnModelProblem };

/** A reason for the verdict on a model. With `no-gpu` or `limit`, the model cannot run. */
export type ModelFitReason =
  | { code: 'no-gpu'; isBlocked: boolean }
  | { code: 'limit'; limit: string; has: number; needs: number }
  /** Needs more memory than the device probably has. Browsers do not report exact sizes. */
  | { code: 'memory'; needsMb: number; budgetMb: number }
  | { code: 'room'; needsBytes: number; freeBytes: number }
  | { code: 'software-gpu' }
  /** The GPU lacks 16-bit floats, so the larger variant is used. */
  | { code: 'full-precision' }
  | { code: 'on-processor' };

export type DownloadState =
  | { type: 'running'; loadedBytes: number; totalBytes: number; isExact: boolean; bytesPerSecond?: number }
  | { type: 'waiting' }
  | { type: 'by-browser'; share: number }
  | { type: 'browser-failed'; code: ErrorCode; detail: string }
  | { type: 'failed'; failure: DownloadFailure; detail: string };

/** State of the browser's own model. `coming`: downloading. `can-come`: not downloaded. `unfit`: this device cannot run it. */
export type BrowserModelState = 'here' | 'coming' | 'can-come' | 'unfit';

export interface ModelCard extends ModelName {
  isSizeKnown: boolean;
  about?: Readonly<{ en: string } & Partial<Record<string, string>>>;
  licence?: string;
  memoryMb?: number;
  contextTokens: number;
  /** The user can still choose an `unlikely` or `impossible` model. */
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  isLarge: boolean;
  findings: readonly ModelFitReason[];
  isRecommended: boolean;
  origin: 'built-in' | 'catalog' | 'own' | 'browser';
  canThink: boolean;
  makesVectors: boolean;
  languages: readonly string[];
  isFromDisk: boolean;
  /** True if the model only continues text. */
  isBase?: boolean;
  /** Only for models on a server. Never contains the API key. */
  endpoint?: { address: string; model: string; hasKey: boolean; isNative: boolean; canSee: boolean };
  brought?: BrowserModelState;
  kept: { isWhole: boolean; bytes: number };
}

/** Asks whether to go on waiting for a model that has said nothing for so long that it may have hung. Without an answer, we wait. */
export interface SilenceQuestion {
  model: ModelName;
  /** The model that answers if the user does not wait. Undefined if there is none: the answer then ends. */
  other: ModelName | undefined;
  /** Milliseconds of silence. */
  ms: number;
  keepWaiting: () => void;
  giveUp: () => void;
}

export type Diagnosis =
  | { code: 'gpu-none' | 'gpu-blocked' | 'gpu-software' | 'no-f16' | 'has-f16' }
  | { code: 'relaxed-simd' | 'plain-simd' }
  | { code: 'gpu'; name: string }
  | { code: 'gpu-limit'; limit: string; has: number; needs: number }
  | { code: 'memory'; gigabytes: number; budgetMb: number }
  | { code: 'memory-unknown'; budgetMb: number }
  | { code: 'cores'; cores: number; threads: number }
  | { code: 'not-isolated'; threads: number }
  | { code: 'room'; freeBytes: number }
  | { code: 'room-unknown' | 'persisted' | 'not-persisted' | 'no-files' | 'browser-model-unfit' };

export interface ModelsView {
  cards: readonly ModelCard[];
  diagnosis: readonly Diagnosis[];
  freeBytes?: number;
}

/** Recovery steps in the order in which they are tried. */
export const recoverySteps = [
  'fresh-worker',
  'less-context',
  'f32-twin',
  'smaller-model',
  'built-in',
] as const;
export type RecoveryName = (typeof recoverySteps)[number];

/** One step that let a turn continue after its model failed. */
export const RecoveryStep = z.object({
  /** `moved`: the tab with the engine was closed, so another tab started the model. */
  rung: z.enum([...recoverySteps, 'moved']),
  fault: z.enum(errorCodes),
  detail: z.string(),
  from: z.string(),
  to: z.string(),
  contextTokens: z.number(),
  /** Id of the model's variant with 32-bit numbers, if Hearth would have tried this variant but it is not downloaded. */
  missing: z.optional(z.string()),
});
export type RecoveryStep = z.infer<typeof RecoveryStep>;

export interface EndpointForm {
  address: string;
  /** The address without `/chat/completions`, if known from a test or an earlier save. */
  base?: string | undefined;
  /** '' keeps the stored key. */
  key: string;
  model: string;
  isNative: boolean;
  canSee: boolean;
  contextTokens: number;
}

export interface ListedModel {
  id: string;
  contextTokens?: number;
}

export interface EndpointReport {
  /** The address without `/chat/completions`. '' if the input is not an address. */
  address: string;
  models?: readonly ListedModel[];
  model?: string;
  reply?: 'streams' | 'whole';
  isNative?: boolean;
  canSee?: boolean;
  fault?: { code: ErrorCode; detail: string };
}

export type EndpointProblem = 'address' | 'model' | 'known';
export type SaveEndpointResult = { ok: true; id: string } | { ok: false; problem: EndpointProblem };

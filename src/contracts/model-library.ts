import type { DownloadFailure } from './egress';
import { type ErrorCode, errorCodes } from './error-code';
import { z } from './schema';

/** A model as a chat and the settings remember it: enough to show it before the catalog is there. And one a person added. */

/**
 * Where a model computes: on a processor or GPU of this device, in the browser's own model, by a server of this device or of its
 * network, or on a machine that is neither: then every chat with it leaves the device.
 */
const ModelPlace = z.enum(['processor', 'gpu', 'browser', 'loopback', 'network', 'elsewhere']);
export type ModelPlace = z.infer<typeof ModelPlace>;

export const ModelName = z.object({
  /** The engine's own name of it. */
  id: z.string(),
  /** As shown to a person. */
  name: z.string(),
  /** Id of an engine of `engines/registry.ts`. */
  engine: z.string(),
  /** Missing in what earlier versions wrote down, and where it is not known. */
  place: z.catch(z.optional(ModelPlace), undefined),
  /** Size of its files, about. */
  bytes: z.number(),
  /** Too small for tools that are for larger models. */
  isSmall: z.optional(z.boolean()),
});
export type ModelName = z.infer<typeof ModelName>;

/** How a model was trained to be spoken to: its template and its way to call tools. */
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

/** Of a model that a server answers with: OpenAI's chat completions at `modelUrl`. */
export const Endpoint = z.object({
  /** As the server calls it. */
  model: z.string(),
  /** Goes to the origin of `modelUrl` alone, in a header. Missing where none was typed. */
  key: z.optional(z.string()),
  /** The server reads calls by itself (`tools`, `tool_calls`); else they are asked for in the prompt, as of every other model. */
  isNative: z.boolean(),
  /** Pictures can be shown to it. Missing where it was not found out: then none are. */
  canSee: z.optional(z.boolean()),
});
export type Endpoint = z.infer<typeof Endpoint>;

/** What a person says of a model of their own. */
export const OwnModel = z.object({
  /** Unique among all models; the person may have typed it. */
  id: z.string(),
  /** Id of an engine of `engines/registry.ts`. */
  engine: z.string(),
  /** The folder of its weights, a GGUF file, or where an endpoint begins: what stands before `/chat/completions`. Absolute. */
  modelUrl: z.string(),
  /** The library that was compiled for it; only for WebLLM. */
  libraryUrl: z.optional(z.string()),
  /** Over its own `mlc-chat-config.json`. */
  overrides: z.record(z.string(), z.unknown()),
  /** Its files came from the disk of this device, and are fetched from nowhere. */
  isFromDisk: z.optional(z.boolean()),
  /** Bytes of its files. Missing until they are known. */
  bytes: z.optional(z.number()),
  /** How it was trained to be spoken to. Missing: its name says it. Only a file can say `ember`. */
  family: z.optional(z.enum([...ModelFamily.options, 'ember'])),
  /** Tokens of prompt and reply together. Missing where its files do not say. */
  contextTokens: z.optional(z.int().check(z.minimum(256))),
  /** Missing where a model has files. */
  endpoint: z.optional(Endpoint),
});
export type OwnModel = z.infer<typeof OwnModel>;

/** A model of the person's own in the bin, with its key, and without its files. */
export const BinnedModel = z.object({
  model: OwnModel,
  /** Milliseconds since the epoch. */
  deletedAt: z.number(),
  /** How it fared in the exam, as it is kept: whoever takes it out checks it. Missing where it did not sit it. */
  exam: z.optional(z.unknown()),
});
export type BinnedModel = z.infer<typeof BinnedModel>;

/** What a person typed or chose to add a model, or what is wrong with it. */
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
/** Without a `model` it is one of the catalog, whose files were put in their place. */
export type AddedModel = { ok: true; id: string; model?: OwnModel } | { ok: false; problem: OwnModelProblem };

/** The models a person can have: what each costs, how it suits this device, how much of it is here. As the screen shows them. */

/** One finding about a model on this device, with its figures. The first two say that it will not run. */
export type FitFinding =
  | { code: 'no-gpu'; isBlocked: boolean }
  | { code: 'limit'; limit: string; has: number; needs: number }
  /** More than the device probably has; browsers do not say exactly. */
  | { code: 'memory'; needsMb: number; budgetMb: number }
  | { code: 'room'; needsBytes: number; freeBytes: number }
  /** Software in place of a chip: many seconds a word. */
  | { code: 'software-gpu' }
  /** No 16-bit numbers: the larger variant is taken. */
  | { code: 'full-precision' }
  | { code: 'on-processor' };

export type DownloadState =
  /** `isExact`: every size is known, the total is no estimate. */
  | { type: 'running'; loadedBytes: number; totalBytes: number; isExact: boolean; bytesPerSecond?: number }
  /** It goes on by itself when there is a network again. */
  | { type: 'waiting' }
  /** The browser fetches its own model; `share` is 0 to 1. */
  | { type: 'by-browser'; share: number }
  /** The browser did not; `detail` is what it said. */
  | { type: 'browser-failed'; code: ErrorCode; detail: string }
  | { type: 'failed'; failure: DownloadFailure; detail: string };

/** How it stands with the model that the browser brings along. `unfit`: there is one, but not for this device. */
export type BroughtState = 'here' | 'coming' | 'can-come' | 'unfit';

export interface ModelCard extends ModelName {
  /** `bytes` is no estimate: the model's own list of its files has said it, or they are all here. */
  isSizeKnown: boolean;
  /** What it is good for, by language. Missing for a model of the person's own. */
  about?: Readonly<{ en: string } & Partial<Record<string, string>>>;
  /** Missing where nobody said. */
  licence?: string;
  /** Memory that it takes on the GPU, in megabytes; missing where it is not known. */
  memoryMb?: number;
  /** Tokens of prompt and reply together. */
  contextTokens: number;
  /** `unlikely` and `impossible` are marked, and can be chosen all the same. */
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  /** It fits, and is more than is recommended unasked. */
  isLarge: boolean;
  /** What led to the verdict. */
  findings: readonly FitFinding[];
  isRecommended: boolean;
  /** Who brought it: the app, its catalog, the person, or the browser. */
  origin: 'built-in' | 'catalog' | 'own' | 'browser';
  /** It can think aloud before it answers. */
  canThink: boolean;
  /** It can make vectors of texts, by which tools are found. */
  makesVectors: boolean;
  /** Codes of those it was trained for; empty where nobody said. */
  languages: readonly string[];
  /** It was put here from this device's disk: deleted, it cannot be downloaded again. */
  isFromDisk: boolean;
  /** Of a model that a server answers with. Its key is not shown, only that there is one. */
  endpoint?: { address: string; model: string; hasKey: boolean; isNative: boolean; canSee: boolean };
  /** Of the model that the browser brings along. */
  brought?: BroughtState;
  /** How much of its files is on this device. */
  kept: { isWhole: boolean; bytes: number };
}

/** One thing that was found out about this device, with its figures. */
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

/** What the screen is handed of all models. */
export interface ShelfView {
  cards: readonly ModelCard[];
  diagnosis: readonly Diagnosis[];
  /** Bytes free for the app; absent where the browser does not say. */
  freeBytes?: number;
}

/** What was done so that a turn goes on although its model could not: for the screen, the store and the trace. */

/** The steps there are, in the order in which they are tried. */
export const rungs = ['fresh-worker', 'less-context', 'f32-twin', 'smaller-model', 'built-in'] as const;
export type Rung = (typeof rungs)[number];

export const RecoveryStep = z.object({
  /** `moved`: another tab had the engine, and is gone; the same model was started in one that is there. */
  rung: z.enum([...rungs, 'moved']),
  /** Why the model could not go on. */
  fault: z.enum(errorCodes),
  /** What the engine said of it, in English. */
  detail: z.string(),
  /** Name of the model that could not go on, as shown to a person. */
  from: z.string(),
  /** Name of the model that goes on: another, or the same. */
  to: z.string(),
  /** Context of the model that goes on: tokens of prompt and reply together. */
  contextTokens: z.number(),
  /** Id of a variant that may do better and is not on this device: nothing is downloaded unasked. Missing where there is none. */
  missing: z.optional(z.string()),
});
export type RecoveryStep = z.infer<typeof RecoveryStep>;

/** What a person types of a model on a server, and what was found when it was tried. */

export interface EndpointForm {
  address: string;
  /** What stands before `/chat/completions`, where that is known: it was tried, or is kept so. */
  base?: string | undefined;
  /** '' keeps the one that is kept, where there is one. */
  key: string;
  /** As the server calls it; '' before it was chosen. */
  model: string;
  isNative: boolean;
  canSee: boolean;
  /** Tokens of prompt and reply together. */
  contextTokens: number;
}

export interface ListedModel {
  id: string;
  /** Tokens; missing where the server does not say. */
  contextTokens?: number;
}

export interface EndpointReport {
  /** What stands before `/chat/completions`; '' where the address is none. */
  address: string;
  /** Missing where the server has no list that could be read. */
  models?: readonly ListedModel[];
  /** The one that was asked; missing where none was chosen, or nothing was asked. */
  model?: string;
  /** How its answer came; missing where none did. */
  reply?: 'streams' | 'whole';
  /** Missing where it was not found out. */
  isNative?: boolean;
  /** It said what is in a picture of ours. Missing where it was not found out. */
  canSee?: boolean;
  /** What went wrong first. `detail` is in English. */
  fault?: { code: ErrorCode; detail: string };
}

export type EndpointProblem = 'address' | 'model' | 'known';
export type SavedEndpoint = { ok: true; id: string } | { ok: false; problem: EndpointProblem };

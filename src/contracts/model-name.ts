/** A model as a chat and the settings remember it: enough to show it before the catalog is there. And one a person added. */
import { z } from './schema';

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

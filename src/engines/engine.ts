/** Describes a kind of engine before its code is loaded, in its folder's `kind.ts`. No other code depends on an engine's id. */
import type { DownloadFile, StreamingEgress } from '../contracts/egress';
import type { ModelSpec, TextDelta, TextEngine } from '../contracts/model';
import type {
  AddedModel,
  BrowserModelState,
  FitFinding,
  ModelCard,
  ModelPlace,
  OwnModel,
  OwnModelProblem,
} from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { DeviceFacts } from '../platform/webgpu';
import { AppError, writeError } from '../contracts/app-error';
import { readError } from '../contracts/error-code';
import type { Variant } from './library/entry';

/**
 * `worker`: an engine in the model worker. The page's policy restricts that worker to our own origin, and we terminate it if the engine
 * crashes. `load-worker-engine.ts` imports the engine's code. `page`: an engine on the page's thread, such as the browser's own model or a
 * model on a server. Workers lack that API and the egress.
 */
export type EngineKind = CommonEngineKind &
  (
    | { readonly runsIn: 'worker' }
    | { readonly runsIn: 'page'; create: (parts: PageEngineParts) => Promise<TextEngine> }
  );

export interface PageEngineParts {
  egress: StreamingEgress;
  keyOf: (modelId: string) => string | undefined;
}

interface CommonEngineKind {
  /** Stored in chats and settings, so it must never change. */
  readonly id: string;
  /** Where the engine's models run, as shown to the user. Only one tab at a time may load a model on the GPU. */
  readonly place: ModelPlace;
  placeOf?: (spec: ModelSpec) => ModelPlace;
  /** The engine can read the start of a prompt in advance, which makes the first reply faster. */
  readonly readsAhead?: true;
  /** The engine's models use none of this device's memory, so they can answer while another model is loaded. */
  readonly answersBeside?: true;
  /** A reply may pause for as long as it may take to begin, because some servers send all of it at once. */
  readonly mayPause?: true;
  /** Why this device cannot run any of the engine's models. Empty or missing if it can. */
  obstacles?: (device: DeviceFacts, variant: VariantNeeds) => FitFinding[];
  remarks?: (device: DeviceFacts, variant: VariantNeeds) => FitFinding[];
  /** Missing if every device can run the engine's models. */
  canRun?: (spec: ModelSpec, device: DeviceFacts) => boolean;
  /** Whether a model accepts pictures. The result is not cached. Missing if none of the engine's models do. */
  canSee?: (spec: ModelSpec) => Promise<boolean>;
  /** Chooses the hardware for a model. Missing if the engine chooses by itself. */
  hardware?: (device: DeviceFacts, wishes: HardwareWishes) => NonNullable<ModelSpec['hardware']>;
  readonly makesVectors?: true;
  /** Missing if the engine's models are not stored on this device and need no download. */
  readonly files?: EngineModelFiles;
  readonly own?: {
    claims?: (entry: OwnModelAddresses) => boolean;
    /** Returns what is wrong with an entry that this engine has claimed. */
    problem?: (entry: OwnModelAddresses) => OwnModelProblem | undefined;
    spec?: (own: OwnModel) => Partial<ModelSpec>;
  };
  readonly brought?: BrowserProvidedModel;
}

export interface BrowserProvidedModel {
  readonly spec: ModelSpec;
  readonly about: NonNullable<ModelCard['about']>;
  state: () => Promise<BrowserModelState | undefined>;
  /** Starts or follows the browser's download, after a click. `onShare`: 0 to 1. Rejects with an `AppError` or the signal's reason. */
  fetch: (signal: AbortSignal, onShare: (share: number) => void) => Promise<void>;
}

export type HardwareWishes = Pick<Settings, 'isUsingCores' | 'isUsingGpuForGguf'>;

type VariantNeeds = Pick<Variant, 'precision' | 'bufferBytes'>;

type OwnModelAddresses = Record<'modelUrl' | 'libraryUrl', string>;

export type PlannedFile = Omit<DownloadFile, 'from'>;

export interface FilePlan {
  files: readonly PlannedFile[];
  /** False while we know only the first files, which list the others. */
  isWhole: boolean;
}

/** The files of the engine's models. The egress worker downloads them, and the engine reads them from storage. */
interface EngineModelFiles {
  first: (spec: ModelSpec) => PlannedFile[];
  /** All files, including those listed in files that are already stored. Missing if `first` returns all files. Rejects with an `AppError` (`model-damaged`). */
  plan?: (spec: ModelSpec) => Promise<FilePlan>;
  /** Address of a file that several models use. */
  shared?: (spec: ModelSpec) => string | undefined;
  /** Stores the engine's own code, which the model needs to start offline. */
  keepProgram: (spec: ModelSpec, loadInWorker: () => Promise<void>) => Promise<void>;
  /** Imports files from disk. Undefined if they are not a model of this kind. Rejects with an `AppError` (`model-damaged`). */
  fromDisk?: (files: readonly File[], known: KnownModels, engine: string) => Promise<AddedModel | undefined>;
  /** Reads the family and context length of a user's own model from its weights. */
  describe?: (weights: Blob) => Promise<Partial<OwnModel>>;
}

export interface KnownModels {
  ids: readonly string[];
  find: (isIt: (variant: Variant) => boolean) => Variant | undefined;
}

export type ReplyEnd = Pick<Extract<TextDelta, { type: 'finish' }>, 'finishReason' | 'errorMessage'>;

/** Settles like the import `code`. Rejects with an `AppError` (`model-unreachable`) if the device is offline and lacks the code. */
export async function fetchCode<Code>(engine: string, code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (error) {
    const detail = `The engine "${engine}" could not be fetched: ${writeError(error)}`;
    throw new AppError('model-unreachable', detail, { cause: error });
  }
}

export function requireLoaded<Loaded>(loaded: Loaded | undefined): Loaded {
  if (loaded === undefined) throw new AppError('engine-crashed', 'No model is loaded.');
  return loaded;
}

/** Converts a thrown error, or the text that `writeError` produced in a worker or another tab. */
export function toFault(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code = 'engine-crashed', detail } = readError(writeError(error));
  return new AppError(code, detail, { cause: error });
}

/** Assumes three bytes per token, which is too high an estimate for nearly every text. */
export function guessTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

export function guessMessageTokens(text: string): number {
  return guessTokens(text) + 4;
}

const outOfMemoryPattern =
  /out of memory|\bOOM\b|OutOfMemory|allocation failed|cannot enlarge memory|could not allocate|failed to allocate|unable to allocate|bad_alloc|maximum memory size/i;

export function isOutOfMemory(said: string): boolean {
  return outOfMemoryPattern.test(said);
}

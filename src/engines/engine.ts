/** Describes a kind of engine before its code is loaded. Each engine's folder has a `kind.ts` with this description. */
import type { DownloadFile, StreamingEgress } from '../contracts/egress';
import type { ModelSpec, TextDelta, TextEngine } from '../contracts/model';
import type {
  AddModelResult,
  BrowserModelState,
  ModelFitReason,
  ModelCard,
  ModelPlace,
  OwnModel,
  OwnModelProblem,
} from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { DeviceFacts } from '../platform/webgpu';
import { AppError, writeError } from '../contracts/app-error';
import { readError } from '../contracts/error-code';
import type { ModelVariant } from './library/entry';

/** Engines run in the model worker, except those that need the browser's own model or the egress: that worker has neither. */
export type EngineKind = CommonEngineKind &
  (
    | { readonly runsIn: 'worker' }
    | { readonly runsIn: 'page'; create: (parts: PageEngineOptions) => Promise<TextEngine> }
  );

export interface PageEngineOptions {
  egress: StreamingEgress;
  keyOf: (modelId: string) => string | undefined;
}

interface CommonEngineKind {
  /** Stored in chats and settings, so it must never change. */
  readonly id: string;
  /** Where the engine's models run, as shown to the user. Only one tab at a time may use the GPU. */
  readonly place: ModelPlace;
  placeOf?: (spec: ModelSpec) => ModelPlace;
  /** True if the engine can read the start of a prompt in advance, which makes the first reply faster. */
  readonly readsAhead?: true;
  /** True if its models run elsewhere and use no memory here, so they can answer while another model is loaded. */
  readonly answersBeside?: true;
  /** True if the long timeout for the first token also applies to later ones, because some servers send a reply in few large pieces. */
  readonly mayPause?: true;
  /** Returns why this device cannot run the engine's models. Empty if it can. */
  obstacles?: (device: DeviceFacts, variant: VariantNeeds) => ModelFitReason[];
  remarks?: (device: DeviceFacts, variant: VariantNeeds) => ModelFitReason[];
  canRun?: (spec: ModelSpec, device: DeviceFacts) => boolean;
  /** Whether a model accepts pictures. Absent if none of the engine's models do. */
  canSee?: (spec: ModelSpec) => Promise<boolean>;
  /** Chooses the hardware for a model. Absent if the engine chooses by itself. */
  hardware?: (device: DeviceFacts, wishes: HardwareSettings) => NonNullable<ModelSpec['hardware']>;
  readonly makesVectors?: true;
  readonly files?: EngineModelFiles;
  readonly own?: {
    claims?: (entry: OwnModelAddresses) => boolean;
    problem?: (entry: OwnModelAddresses) => OwnModelProblem | undefined;
    spec?: (own: OwnModel) => Partial<ModelSpec>;
  };
  readonly brought?: BrowserProvidedModel;
}

export interface BrowserProvidedModel {
  readonly spec: ModelSpec;
  readonly about: NonNullable<ModelCard['about']>;
  state: () => Promise<BrowserModelState | undefined>;
  /** Starts or joins the browser's download. Needs a click. `onShare`: 0 to 1. Rejects with an `AppError` or the signal's reason. */
  fetch: (signal: AbortSignal, onShare: (share: number) => void) => Promise<void>;
}

export type HardwareSettings = Pick<Settings, 'isUsingCores' | 'isUsingGpuForGguf'>;

type VariantNeeds = Pick<ModelVariant, 'precision' | 'bufferBytes'>;

type OwnModelAddresses = Record<'modelUrl' | 'libraryUrl', string>;

export type PlannedFile = Omit<DownloadFile, 'from'>;

export interface FilePlan {
  files: readonly PlannedFile[];
  /** False until we know all files, because the first files list the others. */
  isWhole: boolean;
}

/** The files of a model. The egress worker downloads them, and the engine reads them from storage. */
interface EngineModelFiles {
  first: (spec: ModelSpec) => PlannedFile[];
  /** Resolves to all files. Absent if `first` returns all of them. Rejects with an `AppError` (`model-damaged`). */
  plan?: (spec: ModelSpec) => Promise<FilePlan>;
  shared?: (spec: ModelSpec) => string | undefined;
  keepProgram: (spec: ModelSpec, loadInWorker: () => Promise<void>) => Promise<void>;
  /** Imports files from disk. Undefined if they are not a model of this kind. Rejects with an `AppError` (`model-damaged`). */
  fromDisk?: (
    files: readonly File[],
    context: ImportContext,
    engine: string,
  ) => Promise<AddModelResult | undefined>;
  describe?: (weights: Blob) => Promise<Partial<OwnModel>>;
}

export type StoreFile = (file: Pick<DownloadFile, 'place' | 'url'>, content: Blob) => Promise<void>;

export interface ImportContext {
  /** IDs in use. */
  ids: readonly string[];
  find: (isIt: (variant: ModelVariant) => boolean) => ModelVariant | undefined;
  storeFile: StoreFile;
}

export type ReplyEnd = Pick<Extract<TextDelta, { type: 'finish' }>, 'finishReason' | 'errorMessage'>;

/** Settles like the import `code`. Rejects with an `AppError` (`model-unreachable`) if the code does not load. */
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

/** Converts a thrown error, or its text from `writeError`, to an `AppError`. */
export function toFault(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code = 'engine-crashed', detail } = readError(writeError(error));
  return new AppError(code, detail, { cause: error });
}

/** Estimates three bytes per token. Nearly every text has fewer tokens, so a prompt that seems to fit does fit. */
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

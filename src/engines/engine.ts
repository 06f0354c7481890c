/**
 * What the app must know about a kind of engine before it loads the engine's code. Each engine's folder has one in `kind.ts`, and
 * `registry.ts` lists them. No other code depends on an engine's id.
 */
import type { DownloadFile, StreamingEgress } from '../contracts/egress';
import type { MlcRecord, ModelSpec, TextEngine } from '../contracts/model';
import type {
  AddedModel,
  BrowserModelState,
  FitFinding,
  ModelPlace,
  OwnModel,
  OwnModelProblem,
} from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { DeviceFacts } from '../platform/webgpu';
import { AppError, writeError } from '../contracts/app-error';
import { readError } from '../contracts/error-code';

export type EngineKind = CommonKind & (WorkerKind | PageKind);

/**
 * Runs in the model worker, which the page's policy limits to our own origin, and which we end when the engine crashes.
 * `load-worker-engine.ts` imports its code.
 */
interface WorkerKind {
  readonly runsIn: 'worker';
}

/**
 * Runs on the page's thread: the browser's own model, whose API workers lack, or a model on a server, which is only reached through the
 * egress.
 */
interface PageKind {
  readonly runsIn: 'page';
  create: (parts: PageParts) => Promise<TextEngine>;
}

export interface PageParts {
  egress: StreamingEgress;
  keyOf: (modelId: string) => string | undefined;
}

interface CommonKind {
  /** Stored in chats and settings, so it never changes. */
  readonly id: string;
  /** Where its models run, as the user sees it. Only one tab at a time loads a model on the GPU. */
  readonly place: ModelPlace;
  placeOf?: (spec: ModelSpec) => ModelPlace;
  /** Reading the beginning of a prompt early saves time on the first question. */
  readonly readsAhead?: true;
  /** Its models use no memory of this device, so they can answer next to the loaded model. */
  readonly answersBeside?: true;
  /** A reply may pause for as long as before its first token, because some servers send it in one piece. */
  readonly pauses?: true;
  /** Why none of its models runs on this device. Empty if one does. */
  obstacles: (device: DeviceFacts, variant: VariantNeeds) => FitFinding[];
  remarks: (device: DeviceFacts, variant: VariantNeeds) => FitFinding[];
  canRun: (spec: ModelSpec, device: DeviceFacts) => boolean;
  /** Whether this model sees pictures. Not cached. Missing if no model of the engine does. */
  canSee?: (spec: ModelSpec) => Promise<boolean>;
  /** The hardware that a model uses on this device. Missing if the engine decides itself. */
  hardware?: (device: DeviceFacts, wishes: HardwareWishes) => NonNullable<ModelSpec['hardware']>;
  readonly makesVectors?: true;
  /** Missing if its models have no files on this device and need no download. */
  readonly files?: ModelFiles;
  readonly own?: OwnEntries;
  readonly brought?: BroughtModel;
}

export interface BroughtModel {
  readonly spec: ModelSpec;
  state: () => Promise<BrowserModelState | undefined>;
  /**
   * Makes the browser fetch the model, or follows a running fetch. Call it right after a click. `onShare`: progress from 0 to 1. Rejects
   * with an `AppError` or the reason of `signal`.
   */
  fetch: (signal: AbortSignal, onShare: (share: number) => void) => Promise<void>;
}

export type HardwareWishes = Pick<Settings, 'isUsingCores' | 'isUsingGpuForGguf'>;

interface VariantNeeds {
  precision: 'f16' | 'f32' | 'gguf';
  bufferBytes: number;
}

export type PlannedFile = Omit<DownloadFile, 'from'>;

export interface FilePlan {
  files: readonly PlannedFile[];
  /** False while only the first files are known, which list the others. */
  isWhole: boolean;
}

/** The files of a model. The egress worker downloads them, and the engine reads them from storage. */
interface ModelFiles {
  first: (spec: ModelSpec) => PlannedFile[];
  /** All files that the stored ones list. Rejects with an `AppError` (`model-damaged`). */
  plan: (spec: ModelSpec) => Promise<FilePlan>;
  /** The address of a file that other models use too. */
  shared?: (spec: ModelSpec) => string | undefined;
  /** Stores the engine's program, which the model needs to start offline. */
  keepProgram: (spec: ModelSpec, loadInWorker: () => Promise<void>) => Promise<void>;
  /** Imports files from the disk. Undefined if they are not a model of this kind. Rejects with an `AppError` (`model-damaged`). */
  fromDisk?: (files: readonly File[], known: KnownModels) => Promise<AddedModel | undefined>;
  /** Reads the family and context length from the weights of a user's own model. */
  describe?: (weights: Blob) => Promise<Partial<OwnModel>>;
}

export interface KnownModels {
  ids: readonly string[];
  find: (isIt: (variant: ListedVariant) => boolean) => ListedVariant | undefined;
}

interface ListedVariant {
  id: string;
  url?: string;
  mlc?: MlcRecord;
}

interface OwnEntry {
  modelUrl: string;
  libraryUrl: string;
}

interface OwnEntries {
  claims?: (entry: OwnEntry) => boolean;
  /** What is wrong with an entry that this engine claims. */
  problem?: (entry: OwnEntry) => OwnModelProblem | undefined;
  spec?: (own: OwnModel) => Partial<ModelSpec>;
}

/**
 * Settles like the import of an engine's code. Rejects with an `AppError` (`model-unreachable`) if the code was never fetched and the
 * device is offline.
 */
export async function fetchCode<Code>(engine: string, code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (error) {
    throw new AppError(
      'model-unreachable',
      `The engine "${engine}" could not be fetched: ${writeError(error)}`,
      { cause: error },
    );
  }
}

/** Returns the loaded model. Throws an `AppError` if there is none. */
export function whenLoaded<Loaded>(loaded: Loaded | undefined): Loaded {
  if (loaded === undefined) throw new AppError('engine-crashed', 'No model is loaded.');
  return loaded;
}

/** The error of a worker or another tab, from the text that `writeError` wrote there. */
export function readFault(written: string): AppError {
  const { code = 'engine-crashed', detail } = readError(written);
  return new AppError(code, detail);
}

/** Assumes three bytes a token, which overestimates nearly every text. */
export function guessTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

/** A guess for a text and the message around it. */
export function guessMessageTokens(text: string): number {
  return guessTokens(text) + 4;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const words =
  /out of memory|\bOOM\b|OutOfMemory|allocation failed|cannot enlarge memory|could not allocate|failed to allocate|unable to allocate|bad_alloc|maximum memory size/i;

export function isOutOfMemory(said: string): boolean {
  return words.test(said);
}

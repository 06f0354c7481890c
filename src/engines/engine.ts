/**
 * What the app must know of a kind of engine before its code is loaded. Each engine's folder has one, in `kind.ts`, and
 * `registry.ts` lists them; nothing else in the app asks for an engine by its id.
 */
import type { DownloadFile, StreamingEgress } from '../contracts/egress';
import type { MlcRecord, ModelSpec, TextEngine } from '../contracts/model';
import type {
  AddedModel,
  BroughtState,
  FitFinding,
  ModelPlace,
  OwnModel,
  OwnModelProblem,
} from '../contracts/model-library';
import type { Settings } from '../contracts/settings';
import type { DeviceFacts } from '../platform/webgpu';

export type EngineKind = CommonKind & (WorkerKind | PageKind);

/**
 * In the model worker: the page's policy holds it to our own origin, and the worker is ended when the engine dies. Its code is named
 * in `load-worker-engine.ts`.
 */
interface WorkerKind {
  readonly runsIn: 'worker';
}

/**
 * On the page's thread: for a model that the browser brings along, whose API workers lack, and for a model that is
 * elsewhere, which is reached through the egress that is handed in and by no other way.
 */
interface PageKind {
  readonly runsIn: 'page';
  /** Loads the engine's code. */
  create: (parts: PageParts) => Promise<TextEngine>;
}

export interface PageParts {
  egress: StreamingEgress;
  /** The key of a model that is elsewhere, as it is at this moment; undefined where there is none. */
  keyOf: (modelId: string) => string | undefined;
}

interface CommonKind {
  /** Stands in the catalog, in chats and in settings: it is never changed. */
  readonly id: string;
  /** Where a model of it computes, as a person is told. Of those on the GPU one tab loads one at a time. */
  readonly place: ModelPlace;
  /** Where the models of one kind compute in several places. */
  placeOf?: (spec: ModelSpec) => ModelPlace;
  /** To read the beginning of a prompt before anybody asks spares the first question that time. */
  readonly readsAhead?: true;
  /** Its models take nothing of this device: one answers at once, beside the model that is loaded. */
  readonly answersBeside?: true;
  /** A reply may pause for as long as before its first token: what its server writes whole comes at once. */
  readonly pauses?: true;
  /** Why no model of it runs on this device; empty where one does. */
  obstacles: (device: DeviceFacts, variant: VariantNeeds) => FitFinding[];
  /** What a person should know of how it runs on this device. */
  remarks: (device: DeviceFacts, variant: VariantNeeds) => FitFinding[];
  /** Whether this very model runs on this device. */
  canRun: (spec: ModelSpec, device: DeviceFacts) => boolean;
  /** Whether pictures can be shown to this very model; asked anew each time. Missing where none of its models sees. */
  canSee?: (spec: ModelSpec) => Promise<boolean>;
  /** On what of this device a model of it works. Missing where the engine knows by itself. */
  hardware?: (device: DeviceFacts, wishes: HardwareWishes) => NonNullable<ModelSpec['hardware']>;
  /** Its models are GGUF files, from which vectors of texts can be made. */
  readonly makesVectors?: true;
  /** Missing where a model has no files on this device: it is there without a download. */
  readonly files?: ModelFiles;
  /** How what a person adds is read. Missing where nothing can be added. */
  readonly own?: OwnEntries;
  /** The one model that the browser brings along. Missing for an engine whose models come otherwise. */
  readonly brought?: BroughtModel;
}

export interface BroughtModel {
  readonly spec: ModelSpec;
  /** Asked anew each time. Undefined where this browser has none. */
  state: () => Promise<BroughtState | undefined>;
  /**
   * Has the browser fetch it, or follows that; right after a press. `onShare` is told how far it is, 0 to 1. Rejects with an `AppError`, or
   * the reason of `signal`.
   */
  fetch: (signal: AbortSignal, onShare: (share: number) => void) => Promise<void>;
}

export type HardwareWishes = Pick<Settings, 'isUsingCores' | 'isUsingGpuForGguf'>;

export interface VariantNeeds {
  precision: 'f16' | 'f32' | 'gguf';
  /** Bytes of its largest buffer on the GPU; 0 where it is not known. */
  bufferBytes: number;
}

/** A file, under the address by which the engine looks it up. */
export type PlannedFile = Omit<DownloadFile, 'from'>;

export interface FilePlan {
  files: readonly PlannedFile[];
  /** False while only the first files are known, which say what the others are. */
  isWhole: boolean;
}

/** The files of a model. The egress worker fetches them; the engine finds them on this device. */
export interface ModelFiles {
  /** The files whose addresses are known before any of them has come. */
  first: (spec: ModelSpec) => PlannedFile[];
  /** All that is known by what is on this device. Rejects with `AppError` 'model-damaged'. */
  plan: (spec: ModelSpec) => Promise<FilePlan>;
  /** The address of a file that other models use too. */
  shared?: (spec: ModelSpec) => string | undefined;
  /** Keeps the engine's own program, without which the model could not start offline. */
  keepProgram: (spec: ModelSpec, loadInWorker: () => Promise<void>) => Promise<void>;
  /** Takes files from the disk. Undefined where they are no model of this kind. Rejects with `AppError` 'model-damaged'. */
  fromDisk?: (files: readonly File[], known: KnownModels) => Promise<AddedModel | undefined>;
  /** Reads from the weights of a person's own model how it is spoken to and how much it reads at once. */
  describe?: (weights: Blob) => Promise<Partial<OwnModel>>;
}

export interface KnownModels {
  /** Ids that are taken. */
  ids: readonly string[];
  /** A variant of the catalog, whose files may come from the disk as well. */
  find: (isIt: (variant: ListedVariant) => boolean) => ListedVariant | undefined;
}

export interface ListedVariant {
  id: string;
  url?: string;
  mlc?: MlcRecord;
}

/** The addresses that a person typed to add a model. */
export interface OwnEntry {
  /** An http or https address. */
  modelUrl: string;
  /** '' where none was typed. */
  libraryUrl: string;
}

export interface OwnEntries {
  /** Missing where its models are added by a form of their own. */
  claims?: (entry: OwnEntry) => boolean;
  /** What is wrong with an entry that it claims. */
  problem?: (entry: OwnEntry) => OwnModelProblem | undefined;
  /** Fields of the spec that only this engine needs. */
  spec?: (own: OwnModel) => Partial<ModelSpec>;
}

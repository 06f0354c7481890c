/** Downloads, pauses and deletes models, and builds the cards of the Models screen. */
import { AppError } from '../../contracts/app-error';
import type { DownloadFailure, DownloadFile } from '../../contracts/egress';
import type { ModelSpec } from '../../contracts/model';
import type {
  Diagnosis,
  DownloadState,
  ModelCard,
  ModelsView,
  OwnModel,
} from '../../contracts/model-library';
import type { Settings } from '../../contracts/settings';
import type { Downloader } from '../../egress/downloader';
import { deleteFiles, type IsStored, storedSizesOf, listStoredFiles } from '../../egress/kept-files';
import type { DeviceFacts } from '../../platform/webgpu';
import type { BrowserProvidedModel } from '../engine';
import { engines } from '../kinds';
import { findBrowserProvidedModel, engineOf, modelNameOf } from '../registry';
import { catalog } from './catalog';
import { type DownloadPlan, planDownload, listFirstFiles } from './files-on-disk';
import { findModel, ownModelSpecOf } from './find-model';
import { judgeFit, judgeOwnModel, computeMemoryBudgetMb, type ModelFit, recommendModels } from './recommend';
import { maxThreadsFor } from '../llama/kind';
import { findInsufficientLimits } from '../web-llm/kind';
import { memoryMbFor } from './entry';

interface ModelManagerOptions {
  downloader: Pick<Downloader, 'download'>;
  shipped: readonly ModelSpec[];
  settings: () => Settings;
  device: () => Promise<DeviceFacts>;
  freeBytes: () => Promise<number | undefined>;
  askToPersist: () => Promise<unknown>;
  storeEngineCode: (spec: ModelSpec) => Promise<void>;
  now: () => number;
  /** Called with the size in bytes that a model's files report. `isWhole`: true if all files of the model are stored. */
  learn: (id: string, said: { bytes: number; isWhole: boolean }) => Promise<void>;
  /** Reports a download's state. Undefined once it has finished or paused. */
  onDownload: (id: string, state: DownloadState | undefined) => void;
  onChange: () => Promise<void>;
}

export function createModelManager(options: ModelManagerOptions) {
  const running = new Map<string, { stop: AbortController; done: Promise<void> }>();
  const states = new Map<string, DownloadState>();

  const specOf = async (id: string) =>
    findModel(id, options.settings(), await options.device(), options.shipped);
  const isBuiltIn = (id: string) => options.shipped.some((model) => model.id === id);
  const planOf = (spec: ModelSpec) => planDownload(spec, options.settings().mirrors);
  const setState = (id: string, state: DownloadState | undefined) => {
    if (state) states.set(id, state);
    else states.delete(id);
    options.onDownload(id, state);
  };

  async function filesHere(spec: ModelSpec, isHere: IsStored) {
    const first = listFirstFiles(spec);
    // A model on a server has no files to check.
    if (first.length > 0 && !(await Promise.all(first.map(isHere))).includes(true)) {
      const kept = first.map(() => ({ isWhole: false, bytes: 0 }));
      return { plan: { files: first, isWhole: false }, kept, isWhole: false };
    }
    const plan = await planOrFirst(spec);
    const kept = await storedSizesOf(plan.files);
    return { plan, kept, isWhole: plan.isWhole && kept.every((file) => file.isWhole) };
  }

  async function keptOfModel(spec: ModelSpec, isHere: IsStored) {
    const { plan, kept, isWhole } = await filesHere(spec, isHere);
    const sum = kept.reduce((total, file) => total + file.bytes, 0);
    if (isWhole) return { isWhole, bytes: sum, totalBytes: sum, isSizeKnown: true };
    // A stored library does not show that a download has started, because models share libraries.
    const isBegun = kept.some((file, at) => file.bytes > 0 && plan.files[at]?.kind !== 'wasm');
    const bytes = isBegun || sum === 0 || (await sharedLibrary(spec, isHere)) === undefined ? sum : 0;
    const { totalBytes, isExact } = transferOf(plan, kept).read(minTotalBytesOf(spec, plan), plan.isWhole);
    // If the total only covers the stored part, report it as unknown.
    const isUnknown = !isExact && totalBytes <= sum;
    // The size of a user's own model is exact, because its server reported it.
    const isReported = options.settings().ownModels.some(({ id }) => id === spec.id) && spec.file.bytes > 0;
    return { isWhole, bytes, totalBytes: isUnknown ? 0 : totalBytes, isSizeKnown: isExact || isReported };
  }

  function transferOf({ files }: DownloadPlan, kept: readonly { isWhole: boolean; bytes: number }[]) {
    const transfer = createDownloadMeter(options.now);
    files.forEach(({ url, bytes }, at) => {
      const here = kept[at];
      transfer.set(url, here?.bytes ?? 0, here?.isWhole ? here.bytes : bytes);
    });
    return transfer;
  }

  /** Resolves to the download plan. If a file list is unreadable, leaves out the files that it lists, so the user can still delete the model. */
  function planOrFirst(spec: ModelSpec): Promise<DownloadPlan> {
    return planOf(spec).catch(() => ({ files: listFirstFiles(spec), isWhole: false }));
  }

  async function cardOf(card: CardWithoutState, isHere: IsStored): Promise<ModelCard> {
    const spec = await specOf(card.id);
    const isPresent = card.origin === 'built-in' || card.brought === 'here';
    if (!spec || isPresent || card.brought)
      return { ...card, isSizeKnown: true, kept: { isWhole: isPresent, bytes: card.bytes } };
    const { isWhole, bytes, totalBytes, isSizeKnown } = await keptOfModel(spec, isHere);
    return { ...card, bytes: totalBytes, isSizeKnown, kept: { isWhole, bytes } };
  }

  async function view(): Promise<ModelsView> {
    const [device, isHere] = await Promise.all([options.device(), listStoredFiles()]);
    const brought = await findBrowserModels();
    const bare = createCards(device, options.shipped, options.settings().ownModels, brought);
    const others = catalog.flatMap((entry) =>
      entry.variants
        .filter(({ id }) => bare.every((card) => card.id !== id))
        .map((variant) => createCatalogCard({ ...judgeFit(device, entry), variant }, false)),
    );
    const [cards, more, freeBytes] = await Promise.all([
      Promise.all(bare.map((card) => cardOf(card, isHere))),
      Promise.all(others.map((card) => cardOf(card, isHere))),
      options.freeBytes(),
    ]);
    return {
      cards: [...cards, ...more.filter(({ kept }) => kept.bytes > 0)],
      diagnosis: [
        ...diagnoseDevice(device, 'caches' in globalThis),
        ...(brought.some(({ state }) => state === 'unfit') ? [{ code: 'browser-model-unfit' as const }] : []),
      ],
      ...(freeBytes !== undefined && { freeBytes }),
    };
  }

  async function run(id: string, signal: AbortSignal): Promise<void> {
    const spec = await specOf(id);
    if (!spec || isBuiltIn(id)) return;
    let plan: DownloadPlan = { files: [], isWhole: false };
    let transfer = createDownloadMeter(options.now);
    const progress = () => transfer.read(minTotalBytesOf(spec, plan), plan.isWhole);
    const report = () => setState(id, { type: 'running', ...progress() });
    report();
    const fail = (failure: DownloadFailure, detail: string) => {
      if (failure === 'paused') return;
      setState(id, failure === 'offline' ? { type: 'waiting' } : { type: 'failed', failure, detail });
    };

    // Without this permission, the browser may delete files. Do not wait, because Firefox asks the user.
    void options.askToPersist().catch(() => false);
    await options.storeEngineCode(spec);
    while (!plan.isWhole) {
      plan = await planOf(spec);
      transfer = transferOf(plan, await storedSizesOf(plan.files));
      report();
      const { loadedBytes, totalBytes } = progress();
      const free = await options.freeBytes();
      if (free !== undefined && totalBytes - loadedBytes > free) {
        fail('full', `${totalBytes - loadedBytes} bytes are needed, and ${free} are free.`);
        return;
      }
      const job = { files: plan.files, allowedAddresses: listOrigins(plan.files, spec, options.settings()) };
      const outcome = await options.downloader.download(job, signal, (came) => {
        transfer.set(came.url, came.loadedBytes, came.totalBytes);
        report();
      });
      const { totalBytes: size, isExact } = progress();
      const isHere = outcome.ok && plan.isWhole;
      if (isExact || isHere) await options.learn(id, { bytes: size, isWhole: isHere });
      if (!outcome.ok) {
        fail(outcome.failure, outcome.detail);
        return;
      }
    }
  }

  async function follow(id: string, brought: BrowserProvidedModel, signal: AbortSignal): Promise<void> {
    const report = (share: number) => setState(id, { type: 'by-browser', share });
    report(0);
    try {
      await brought.fetch(signal, (share) => signal.aborted || report(share));
    } catch (error) {
      if (signal.aborted) return;
      const { code, message } =
        error instanceof AppError ? error : new AppError('browser-model-failed', String(error));
      setState(id, { type: 'browser-failed', code, detail: message });
    }
  }

  async function download(id: string): Promise<void> {
    const under = running.get(id);
    if (under) return under.done;
    const stop = new AbortController();
    const brought = findBrowserProvidedModel(id);
    const done = (brought ? follow(id, brought, stop.signal) : run(id, stop.signal))
      .catch((error: unknown) => {
        const isFull = error instanceof AppError && error.code === 'storage-full';
        setState(id, { type: 'failed', failure: isFull ? 'full' : 'wrong-file', detail: String(error) });
      })
      .then(async () => {
        running.delete(id);
        await options.onChange();
        // Clear the download's state only now that the view lists its files. If we cleared the state earlier, the download would seem to vanish.
        const isUnderWay = ['running', 'by-browser'].includes(states.get(id)?.type ?? '');
        if (isUnderWay && !running.has(id)) setState(id, undefined);
      });
    running.set(id, { stop, done });
    return done;
  }

  return {
    view,
    download,
    pause: (id: string): void => running.get(id)?.stop.abort(),
    remove: async (id: string): Promise<void> => {
      const under = running.get(id);
      under?.stop.abort();
      await under?.done;
      setState(id, undefined);
      const spec = await specOf(id);
      if (!spec || isBuiltIn(id) || findBrowserProvidedModel(id)) return;
      const { files } = await planOrFirst(spec);
      const shared = await sharedLibrary(spec, await listStoredFiles());
      await deleteFiles(files.filter(({ url }) => url !== shared));
      await options.onChange();
    },
    isKept: async (id: string): Promise<boolean> => {
      const brought = findBrowserProvidedModel(id);
      if (brought) return (await brought.state()) === 'here';
      const spec = await specOf(id);
      return (
        spec !== undefined && (isBuiltIn(id) || (await keptOfModel(spec, await listStoredFiles())).isWhole)
      );
    },
    goOn: (): void => {
      for (const [id, { type }] of states) if (type === 'waiting') void download(id);
    },
  };

  async function sharedLibrary(spec: ModelSpec, isHere: IsStored): Promise<string | undefined> {
    const library = sharedFileOf(spec);
    if (library === undefined) return undefined;
    const ids = [
      ...catalog.flatMap(({ variants }) => variants.map(({ id }) => id)),
      ...options.settings().ownModels.map(({ id }) => id),
    ].filter((id) => id !== spec.id);
    for (const id of ids) {
      const other = await specOf(id);
      if (!other || sharedFileOf(other) !== library) continue;
      if ((await filesHere(other, isHere)).isWhole) return library;
    }
    return undefined;
  }
}

type FoundBrowserModel = Awaited<ReturnType<typeof findBrowserModels>>[number];

async function findBrowserModels() {
  const found = await Promise.all(
    engines.map(async ({ brought }) => {
      const state = await brought?.state();
      return brought && state ? [{ spec: brought.spec, about: brought.about, state }] : [];
    }),
  );
  return found.flat();
}

function sharedFileOf(spec: ModelSpec): string | undefined {
  return engineOf(spec)?.files?.shared?.(spec);
}

/** Returns the model's expected size in bytes until a file list gives us the sizes of its files. After that, returns 0. */
function minTotalBytesOf({ file }: ModelSpec, { files, isWhole }: DownloadPlan): number {
  return isWhole && files.some(({ bytes }) => bytes !== undefined) ? 0 : file.bytes;
}

function listOrigins(
  files: readonly DownloadFile[],
  { id }: ModelSpec,
  { ownModels, mirrors }: Settings,
): string[] {
  const isOwn = ownModels.some((own) => own.id === id);
  const typed = Object.values(mirrors).filter((url) => URL.canParse(url));
  const own = isOwn ? files.map(({ url }) => url) : [];
  return [...new Set([...own, ...typed].map((url) => new URL(url).origin))];
}

const speedWindowMs = 5000;

export function createDownloadMeter(now: () => number) {
  const files = new Map<string, { loaded: number; total: number | undefined }>();
  let samples: { at: number; loaded: number }[] = [];
  const loaded = () => [...files.values()].reduce((sum, file) => sum + file.loaded, 0);

  return {
    set(url: string, loadedBytes: number, totalBytes: number | undefined): void {
      files.set(url, { loaded: loadedBytes, total: totalBytes });
      const at = now();
      samples = [...samples.filter((sample) => at - sample.at <= speedWindowMs), { at, loaded: loaded() }];
    },
    /** `atLeast`: minimum size in bytes of all files together, used while some sizes are unknown. `isAll`: true if no more files will be set. */
    read(atLeast: number, isAll: boolean) {
      const all = [...files.values()];
      const known = all.reduce((sum, { loaded: here, total }) => sum + (total ?? here), 0);
      const isExact = isAll && all.every(({ total }) => total !== undefined);
      const totalBytes = Math.max(isExact ? known : Math.max(known, atLeast), loaded());
      const [first, last] = [samples[0], samples.at(-1)];
      const ms = first && last ? last.at - first.at : 0;
      const came = first && last ? last.loaded - first.loaded : 0;
      const speed = ms > 500 && came > 0 && { bytesPerSecond: (came / ms) * 1000 };
      return { loadedBytes: loaded(), totalBytes, isExact, ...speed };
    },
  };
}

function diagnoseDevice(device: DeviceFacts, hasFiles: boolean): readonly Diagnosis[] {
  const { memoryGb, cores, isIsolated, hasRelaxedSimd, freeBytes, isPersisted } = device;
  const threads = maxThreadsFor(device);
  const couldUse = maxThreadsFor({ cores, hasRelaxedSimd, isIsolated: true });
  const budgetMb = computeMemoryBudgetMb(device);
  return [
    ...diagnoseGpu(device),
    memoryGb === undefined
      ? { code: 'memory-unknown', budgetMb }
      : { code: 'memory', gigabytes: memoryGb, budgetMb },
    { code: 'cores', cores, threads },
    ...(!isIsolated && couldUse > 1 ? [{ code: 'not-isolated', threads: couldUse } as const] : []),
    { code: hasRelaxedSimd ? 'relaxed-simd' : 'plain-simd' },
    freeBytes === undefined ? { code: 'room-unknown' } : { code: 'room', freeBytes },
    { code: isPersisted ? 'persisted' : 'not-persisted' },
    ...(hasFiles ? [] : [{ code: 'no-files' } as const]),
  ];
}

function diagnoseGpu({ gpu }: DeviceFacts): Diagnosis[] {
  if (gpu === 'none') return [{ code: 'gpu-none' }];
  if (gpu === 'blocked') return [{ code: 'gpu-blocked' }];
  return [
    { code: 'gpu', name: gpu.name },
    ...(gpu.isFallback ? [{ code: 'gpu-software' } as const] : []),
    { code: gpu.hasF16 ? 'has-f16' : 'no-f16' },
    ...findInsufficientLimits(gpu, 0).map((limit) => ({ code: 'gpu-limit' as const, ...limit })),
  ];
}

type CardWithoutState = Omit<ModelCard, 'kept' | 'isSizeKnown'>;

function createCards(
  device: DeviceFacts,
  shipped: readonly ModelSpec[],
  ownModels: readonly OwnModel[],
  brought: readonly FoundBrowserModel[],
): readonly CardWithoutState[] {
  const { best, all } = recommendModels(device, catalog);
  const ordered = best ? [best, ...all.filter((fit) => fit !== best)] : all;
  return [
    ...shipped.map(createBuiltInCard),
    ...brought.filter(({ state }) => state !== 'unfit').map(createBrowserModelCard),
    ...ownModels.map((own) => createOwnCard(own, shipped, device)),
    ...ordered.map((fit) => createCatalogCard(fit, fit === best)),
  ];
}

/** Makes a card for a model outside the catalog. Counts as good until it is judged: the built-in model and the browser's own suit every device. */
function createUnjudgedCard(spec: ModelSpec): Omit<CardWithoutState, 'origin'> {
  return {
    ...modelNameOf(spec),
    contextTokens: spec.contextTokens,
    verdict: 'good',
    isLarge: false,
    findings: [],
    isRecommended: false,
    canThink: false,
    makesVectors: engineOf(spec)?.makesVectors === true,
    languages: spec.languages,
    isFromDisk: false,
  };
}

function createBuiltInCard(spec: ModelSpec): CardWithoutState {
  return { ...createUnjudgedCard(spec), licence: spec.licence, origin: 'built-in' };
}

function createBrowserModelCard({ spec, about, state }: FoundBrowserModel): CardWithoutState {
  return { ...createBuiltInCard(spec), about, origin: 'browser', brought: state };
}

function createOwnCard(own: OwnModel, shipped: readonly ModelSpec[], device: DeviceFacts): CardWithoutState {
  const { modelUrl: address, isFromDisk = false, isBase = false, endpoint } = own;
  const spec = ownModelSpecOf(own, shipped);
  const card = {
    ...createUnjudgedCard(spec),
    ...judgeOwnModel(device, spec, { isFromDisk }),
    origin: 'own' as const,
    isFromDisk,
    ...(isBase && { isBase }),
  };
  if (!endpoint) return card;
  const { model, key, isNative, canSee = false } = endpoint;
  return { ...card, endpoint: { address, model, isNative, canSee, hasKey: key !== undefined } };
}

function createCatalogCard(
  { entry, variant, contextTokens, verdict, isLarge, findings }: ModelFit,
  isRecommended: boolean,
): CardWithoutState {
  return {
    id: variant.id,
    name: entry.name,
    engine: entry.engine,
    place: engineOf(entry)?.place,
    bytes: variant.downloadBytes,
    about: entry.about,
    licence: entry.licence,
    memoryMb: Math.round(memoryMbFor(entry, variant, contextTokens)),
    contextTokens,
    verdict,
    isLarge,
    findings,
    isRecommended,
    origin: 'catalog',
    canThink: entry.thinking !== undefined,
    makesVectors: engineOf(entry)?.makesVectors === true,
    languages: entry.languages,
    isFromDisk: false,
  };
}

/** PURE: decides from the facts of platform/webgpu.ts which models suit a device and why. Also decides which model can replace another. */
import type { ModelFitReason } from '../../contracts/model-library';
import type { DeviceFacts } from '../../platform/webgpu';
import { engineOf } from '../registry';
import { type CatalogEntry, contextLengths, memoryMbFor, type ModelVariant } from './entry';
import type { ModelSpec } from '../../contracts/model';
import { catalog } from './catalog';

export interface ModelFit {
  entry: CatalogEntry;
  variant: ModelVariant;
  contextTokens: number;
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  /** True if the model is too large to recommend. It may fit, but browsers do not report GPU memory, so we cannot be sure. */
  isLarge: boolean;
  findings: readonly ModelFitReason[];
}

/** Memory budget in megabytes if the browser does not report the memory. */
const defaultDesktopMemoryMb = 2500;
const maxModelMbOnSmallDevice = 1500;
/** Maximum megabytes of a recommended model, even on devices with more memory. */
const maxRecommendedMb = 4096;
/** Share of memory and disk that a recommended model may use. The rest is for the page and longer chats. */
const maxRecommendedShare = 7 / 8;
/**
 * Maximum download size in bytes of a model that we recommend for a processor or software GPU. A model reads all its weights for each token: on
 * two cores, 0.5 GB of weights write 15 tokens a second, 1.1 GB write 6.5. A phone is slower and may download over a mobile network.
 */
const maxSlowModelBytes = { computer: 600_000_000, phone: 300_000_000 };
/** Bytes of the GPU buffer that web-llm requests. Phones and the smallest chips allow less. */
const webLlmBufferBytes = 2 ** 30;

/** Returns the megabytes that a model may use: half the memory, or less on phones and weak GPUs, where browsers close tabs early. */
export function computeMemoryBudgetMb({ memoryGb, isMobile, gpu }: DeviceFacts): number {
  const half = memoryGb === undefined ? defaultDesktopMemoryMb : memoryGb * 512;
  const isSmall = isMobile || (typeof gpu === 'object' && gpu.limits.maxBufferSize < webLlmBufferBytes);
  return isSmall ? Math.min(half, maxModelMbOnSmallDevice) : half;
}

function computeRecommendedMb(device: DeviceFacts): number {
  const budgetMb = computeMemoryBudgetMb(device);
  // Recommend models somewhat below the budget if the budget is half the reported memory. The other budgets are already cautious.
  const isKnown = device.memoryGb !== undefined && budgetMb === device.memoryGb * 512;
  return Math.min(isKnown ? budgetMb * maxRecommendedShare : budgetMb, maxRecommendedMb);
}

/** True if the device has memory and disk left beside the model. */
function isRoomy({ memoryMb, downloadBytes }: ModelVariant, device: DeviceFacts): boolean {
  const roomBytes = (device.freeBytes ?? Infinity) * maxRecommendedShare;
  return memoryMb <= computeRecommendedMb(device) && downloadBytes <= roomBytes;
}

/** Returns the longest context in tokens that fits in memory, or else the shortest one. */
export function contextTokensFor(entry: CatalogEntry, variant: ModelVariant, device: DeviceFacts): number {
  const fits = (tokens: number) => memoryMbFor(entry, variant, tokens) <= computeMemoryBudgetMb(device);
  return contextLengths.toReversed().find(fits) ?? contextLengths[0];
}

export function judgeFit(device: DeviceFacts, entry: CatalogEntry): ModelFit {
  const variant = chooseVariant(device, entry);
  const contextTokens = contextTokensFor(entry, variant, device);
  const needsMb = Math.round(memoryMbFor(entry, variant, contextTokens));
  const kind = engineOf(entry);
  return {
    entry,
    variant,
    contextTokens,
    isLarge: variant.memoryMb > maxRecommendedMb,
    ...judgeNeeds(device, {
      blocking: kind?.obstacles?.(device, variant) ?? [],
      remarks: kind?.remarks?.(device, variant) ?? [],
      needsMb,
      downloadBytes: variant.downloadBytes,
    }),
  };
}

/** Memory of the user's own model, as a multiple of its file. The models of the catalog need at least 1.13 times theirs. */
const ownMemoryFactor = 1.25;

/** Judges a model that the user added, as far as its id and size tell. A model on a server needs nothing from this device. */
export function judgeOwnModel(
  device: DeviceFacts,
  spec: ModelSpec,
  { isFromDisk }: { isFromDisk: boolean },
): Pick<ModelFit, 'verdict' | 'findings' | 'isLarge'> {
  const kind = engineOf(spec);
  if (!kind?.files) return { verdict: 'good', findings: [], isLarge: false };
  const { bytes } = spec.file;
  // `full-precision` explains why we chose a larger variant, but the user chose this one. Its largest buffer is unknown.
  const needs = { precision: 'f16' as const, bufferBytes: 0 };
  const blocking = kind.obstacles?.(device, needs) ?? [];
  const isUnfit = blocking.length === 0 && kind.canRun?.(spec, device) === false;
  const needsMb = Math.round((bytes * ownMemoryFactor) / 2 ** 20);
  return {
    isLarge: needsMb > maxRecommendedMb,
    ...judgeNeeds(device, {
      blocking: isUnfit ? [{ code: 'limit', limit: 'shader-f16', has: 0, needs: 1 }] : blocking,
      // A model as small as the built-in one is quick on a processor, too.
      remarks: spec.isSmall ? [] : (kind.remarks?.(device, needs) ?? []),
      needsMb,
      downloadBytes: isFromDisk ? 0 : bytes,
    }),
  };
}

interface ModelNeeds {
  /** The reasons why the model cannot run. */
  blocking: readonly ModelFitReason[];
  remarks: readonly ModelFitReason[];
  needsMb: number;
  downloadBytes: number;
}

function judgeNeeds(
  device: DeviceFacts,
  { blocking, remarks, needsMb, downloadBytes }: ModelNeeds,
): Pick<ModelFit, 'verdict' | 'findings'> {
  const { freeBytes } = device;
  const budgetMb = computeMemoryBudgetMb(device);
  const tight: ModelFitReason[] = [];
  if (needsMb > budgetMb) tight.push({ code: 'memory', needsMb, budgetMb });
  if (freeBytes !== undefined && downloadBytes > freeBytes) {
    tight.push({ code: 'room', needsBytes: downloadBytes, freeBytes });
  }
  const isSlow = remarks.some(({ code }) => code === 'software-gpu' || code === 'on-processor');
  return {
    verdict: blocking.length > 0 ? 'impossible' : tight.length > 0 ? 'unlikely' : isSlow ? 'slow' : 'good',
    findings: [...blocking, ...tight, ...remarks],
  };
}

/** Judges all models in catalog order. `best`: preferably the first that calls tools well and leaves memory free. Undefined if none fits. */
export function recommendModels(device: DeviceFacts, catalog: readonly CatalogEntry[]) {
  const all = catalog.map((entry) => judgeFit(device, entry));
  const good = all.filter(({ verdict, isLarge }) => verdict === 'good' && !isLarge);
  const able = good.filter(({ entry }) => !entry.isWeakAtTools);
  const roomy = able.find(({ variant }) => isRoomy(variant, device));
  return { best: roomy ?? able[0] ?? good[0] ?? findBestSlow(all, device), all };
}

/** Returns the first small model of those that are slow here, preferably one for the processor and able at tools. Leaves memory and disk free. */
function findBestSlow(all: readonly ModelFit[], device: DeviceFacts): ModelFit | undefined {
  const maxBytes = maxSlowModelBytes[device.isMobile ? 'phone' : 'computer'];
  const small = all.filter(({ verdict, variant }) => verdict === 'slow' && variant.downloadBytes <= maxBytes);
  const slow = small.filter(({ variant }) => isRoomy(variant, device));
  const onProcessor = slow.filter(({ findings }) => findings.some(({ code }) => code === 'on-processor'));
  return onProcessor.find(({ entry }) => !entry.isWeakAtTools) ?? onProcessor[0] ?? slow[0];
}

function chooseVariant({ gpu }: DeviceFacts, { variants }: CatalogEntry): ModelVariant {
  const isFull = typeof gpu === 'object' && !gpu.hasF16;
  return (isFull ? variants.find(({ precision }) => precision === 'f32') : undefined) ?? variants[0];
}

export interface ModelAlternatives {
  /** The same model with 32-bit numbers. Undefined if there is none, or `spec` is that variant. */
  twin?: { spec: ModelSpec; isKept: boolean } | undefined;
  /** Smaller models that this device has stored and can run, preferred model first. */
  smaller: readonly ModelSpec[];
}

interface AlternativesOptions {
  /** Ids of all known models, except those shipped with the app. */
  ids: readonly string[];
  find: (id: string) => Promise<ModelSpec | undefined>;
  isKept: (id: string) => Promise<boolean>;
  device: DeviceFacts;
}

export async function findAlternatives(
  { id, file }: ModelSpec,
  { ids, find, isKept, device }: AlternativesOptions,
): Promise<ModelAlternatives> {
  const twin = find32BitVariantId(id);
  const others = await Promise.all(ids.filter((other) => other !== id && other !== twin).map(find));
  const canRun = (spec: ModelSpec) => {
    const kind = engineOf(spec);
    return kind !== undefined && (kind.canRun?.(spec, device) ?? true);
  };
  const lighter = others
    .filter((spec) => spec !== undefined)
    .filter((spec) => spec.file.bytes > 0 && spec.file.bytes < file.bytes && canRun(spec))
    .sort((one, other) => other.file.bytes - one.file.bytes);
  const isStored = await Promise.all(lighter.map((spec) => isKept(spec.id)));
  const spec = twin === undefined ? undefined : await find(twin);
  return {
    ...(spec && { twin: { spec, isKept: await isKept(spec.id) } }),
    smaller: lighter.filter((_, at) => isStored[at]),
  };
}

function find32BitVariantId(id: string): string | undefined {
  const entry = catalog.find(({ variants }) =>
    variants.some((variant) => variant.id === id && variant.precision === 'f16'),
  );
  return entry?.variants.find(({ precision }) => precision === 'f32')?.id;
}

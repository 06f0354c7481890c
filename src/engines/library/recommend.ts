/** Which models suit a device, and why: pure, from the facts that platform/webgpu.ts found. It advises; the person decides. */
import type { FitFinding } from '../../contracts/model-library';
import type { DeviceFacts } from '../../platform/webgpu';
import { engineOf } from '../registry';
import { type CatalogEntry, contextSizes, memoryAt, type Variant } from './entry';

export interface Fit {
  entry: CatalogEntry;
  /** The one for this device. */
  variant: Variant;
  contextTokens: number;
  /** `unlikely` and `impossible` are marked, and can be chosen all the same. */
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  /** It fits, and is more than is recommended unasked: the memory of a GPU no browser tells. */
  isLarge: boolean;
  findings: readonly FitFinding[];
}

/** Megabytes. Not every browser tells the memory, older ones at most 8 GB of it, and none the GPU's. */
const desktopDefaultMb = 2500;
const smallMostMb = 1500;
/** A model that is recommended takes at most so much memory, however much the device has. */
const adviceMostMb = 4096;
/** The share of the memory budget and of the disk that a recommended model takes at most; the rest is for the page and a longer chat. */
const adviceShare = 7 / 8;
/** What is downloaded, and read for every word, where a model will be slow. */
const patienceBytes = 600_000_000;
/** The buffer size that web-llm asks for; phones and the smallest chips allow less. */
const commonBufferBytes = 2 ** 30;

/**
 * What a model may take of this device, in megabytes: half its memory, less on a phone, whose tabs are ended soon, and
 * on a chip as small as theirs.
 */
export function memoryBudget({ memoryGb, isMobile, gpu }: DeviceFacts): number {
  const half = memoryGb === undefined ? desktopDefaultMb : memoryGb * 512;
  const isSmall = isMobile || (typeof gpu === 'object' && gpu.limits.maxBufferSize < commonBufferBytes);
  return isSmall ? Math.min(half, smallMostMb) : half;
}

/** The memory, in megabytes, within which a recommended model must stay. */
function adviceBudget(device: DeviceFacts): number {
  const budgetMb = memoryBudget(device);
  // The other two are guesses that leave room already.
  const isKnown = device.memoryGb !== undefined && budgetMb === device.memoryGb * 512;
  return Math.min(isKnown ? budgetMb * adviceShare : budgetMb, adviceMostMb);
}

/** How one model suits a device. */
export function judge(device: DeviceFacts, entry: CatalogEntry): Fit {
  const variant = variantFor(device, entry);
  const budgetMb = memoryBudget(device);
  const contextTokens =
    contextSizes.toReversed().find((tokens) => memoryAt(entry, variant, tokens) <= budgetMb) ??
    contextSizes[0];
  const needsMb = Math.round(memoryAt(entry, variant, contextTokens));

  const kind = engineOf(entry);
  const blocking = kind?.obstacles(device, variant) ?? [];
  const tight: FitFinding[] = [];
  if (needsMb > budgetMb) tight.push({ code: 'memory', needsMb, budgetMb });
  const { freeBytes } = device;
  if (freeBytes !== undefined && variant.downloadBytes > freeBytes) {
    tight.push({ code: 'room', needsBytes: variant.downloadBytes, freeBytes });
  }
  const remarks = kind?.remarks(device, variant) ?? [];
  const isSlow = remarks.some(({ code }) => code === 'software-gpu' || code === 'on-processor');
  return {
    entry,
    variant,
    contextTokens,
    isLarge: leastMb(entry, variant) > adviceMostMb,
    verdict: blocking.length > 0 ? 'impossible' : tight.length > 0 ? 'unlikely' : isSlow ? 'slow' : 'good',
    findings: [...blocking, ...tight, ...remarks],
  };
}

/**
 * The model to advise, and every one with its verdict, in the order of the catalog. It is the first that can call tools and
 * leaves room; without one, that fits. Undefined where none does: then the built-in model is what there is.
 */
export function recommend(
  device: DeviceFacts,
  catalog: readonly CatalogEntry[],
): { best: Fit | undefined; all: readonly Fit[] } {
  const all = catalog.map((entry) => judge(device, entry));
  const good = all.filter(({ verdict, isLarge }) => verdict === 'good' && !isLarge);
  const able = good.filter(({ entry }) => !entry.isWeakAtTools);
  const adviceMb = adviceBudget(device);
  const roomBytes = (device.freeBytes ?? Infinity) * adviceShare;
  const roomy = able.find(
    ({ entry, variant }) => leastMb(entry, variant) <= adviceMb && variant.downloadBytes <= roomBytes,
  );
  // Where it will be slow, the best of the small ones is what can be waited for: of the processor before a GPU that is none.
  const slow = all.filter(
    ({ verdict, variant }) => verdict === 'slow' && variant.downloadBytes <= patienceBytes,
  );
  const onProcessor = slow.find(({ findings }) => findings.some(({ code }) => code === 'on-processor'));
  return { best: roomy ?? able[0] ?? good[0] ?? onProcessor ?? slow[0], all };
}

/** With the shortest context. */
function leastMb(entry: CatalogEntry, variant: Variant): number {
  return memoryAt(entry, variant, contextSizes[0]);
}

function variantFor({ gpu }: DeviceFacts, { variants }: CatalogEntry): Variant {
  const isFull = typeof gpu === 'object' && !gpu.hasF16;
  return (isFull ? variants.find(({ precision }) => precision === 'f32') : undefined) ?? variants[0];
}

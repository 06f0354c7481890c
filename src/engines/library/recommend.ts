/** PURE: which models suit a device, and why, from the facts of platform/webgpu.ts. It only advises. */
import type { FitFinding } from '../../contracts/model-library';
import type { DeviceFacts } from '../../platform/webgpu';
import { engineOf } from '../registry';
import { type CatalogEntry, contextSizes, memoryAt, type Variant } from './entry';

export interface Fit {
  entry: CatalogEntry;
  variant: Variant;
  contextTokens: number;
  /** `unlikely` and `impossible` models are marked, but can be chosen. */
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  /** It fits, but is too large to recommend, because browsers do not report GPU memory. */
  isLarge: boolean;
  findings: readonly FitFinding[];
}

/** Megabytes, for browsers that do not report memory. Older ones report at most 8 GB. */
const desktopDefaultMb = 2500;
const smallMostMb = 1500;
/** Maximum megabytes of a recommended model, whatever the device has. */
const adviceMostMb = 4096;
/** The share of memory and disk that a recommended model may take. The rest is for the page and a longer chat. */
const adviceShare = 7 / 8;
/** Maximum download in bytes of a model that will be slow: it is read for every word. */
const patienceBytes = 600_000_000;
/** The buffer size that web-llm requests. Phones and the smallest chips allow less. */
const commonBufferBytes = 2 ** 30;

/** Megabytes that a model may take: half the memory. Less on a phone, where the browser soon ends tabs, and on similarly small chips. */
export function memoryBudget({ memoryGb, isMobile, gpu }: DeviceFacts): number {
  const half = memoryGb === undefined ? desktopDefaultMb : memoryGb * 512;
  const isSmall = isMobile || (typeof gpu === 'object' && gpu.limits.maxBufferSize < commonBufferBytes);
  return isSmall ? Math.min(half, smallMostMb) : half;
}

/** The megabytes within which a recommended model must stay. */
function adviceBudget(device: DeviceFacts): number {
  const budgetMb = memoryBudget(device);
  // The other two budgets are guesses that leave room already.
  const isKnown = device.memoryGb !== undefined && budgetMb === device.memoryGb * 512;
  return Math.min(isKnown ? budgetMb * adviceShare : budgetMb, adviceMostMb);
}

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
 * The recommended model, and all models with their verdicts in the order of the catalog. Prefers the first one that calls tools and leaves
 * room. Undefined if none fits.
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
  // If every model is slow, recommend the best small one, and prefer the processor to a software GPU.
  const slow = all.filter(
    ({ verdict, variant }) => verdict === 'slow' && variant.downloadBytes <= patienceBytes,
  );
  const onProcessor = slow.find(({ findings }) => findings.some(({ code }) => code === 'on-processor'));
  return { best: roomy ?? able[0] ?? good[0] ?? onProcessor ?? slow[0], all };
}

function leastMb(entry: CatalogEntry, variant: Variant): number {
  return memoryAt(entry, variant, contextSizes[0]);
}

function variantFor({ gpu }: DeviceFacts, { variants }: CatalogEntry): Variant {
  const isFull = typeof gpu === 'object' && !gpu.hasF16;
  return (isFull ? variants.find(({ precision }) => precision === 'f32') : undefined) ?? variants[0];
}

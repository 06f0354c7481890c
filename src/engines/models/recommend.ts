/** Which models suit a device, and why: pure, from the facts that platform/webgpu.ts found. It advises; the person decides. */
import type { FitFinding } from '../../contracts/model-shelf';
import type { DeviceFacts, GpuLimit } from '../../platform/webgpu';
import { type CatalogEntry, contextSizes, memoryAt, type Variant } from './entry';

export interface Fit {
  entry: CatalogEntry;
  /** The one for this device. */
  variant: Variant;
  contextTokens: number;
  /** `unlikely` and `impossible` are marked, and can be chosen all the same. */
  verdict: 'good' | 'slow' | 'unlikely' | 'impossible';
  findings: readonly FitFinding[];
}

/** What web-llm asks of a device, or refuses it. */
export const required: readonly (readonly [GpuLimit, number])[] = [
  ['maxComputeWorkgroupStorageSize', 32_768],
  ['maxStorageBuffersPerShaderStage', 10],
  ['maxComputeInvocationsPerWorkgroup', 256],
  ['maxComputeWorkgroupSizeX', 256],
];
export const leastBindingBytes = 128 * 2 ** 20;

/** Megabytes. Of memory the browser tells at most 8 GB, of the GPU's nothing at all. */
const desktopDefaultMb = 2500;
const mobileMostMb = 1500;

/** What a model may take of this device, in megabytes: half its memory, less on a phone, whose tabs are ended soon. */
export function memoryBudget({ memoryGb, isMobile }: DeviceFacts): number {
  const half = memoryGb === undefined ? desktopDefaultMb : memoryGb * 512;
  return isMobile ? Math.min(half, mobileMostMb) : half;
}

/** Of one model. */
export function judge(device: DeviceFacts, entry: CatalogEntry): Fit {
  const variant = variantFor(device, entry);
  const budgetMb = memoryBudget(device);
  const contextTokens =
    contextSizes.toReversed().find((tokens) => memoryAt(entry, variant, tokens) <= budgetMb) ??
    contextSizes[0];
  const needsMb = Math.round(memoryAt(entry, variant, contextTokens));

  const blocking = entry.engine === 'web-llm' ? gpuFindings(device, variant) : processorFindings(device);
  const tight: FitFinding[] = [];
  if (needsMb > budgetMb) tight.push({ code: 'memory', needsMb, budgetMb });
  const { freeBytes } = device;
  if (freeBytes !== undefined && variant.downloadBytes > freeBytes) {
    tight.push({ code: 'room', needsBytes: variant.downloadBytes, freeBytes });
  }
  const remarks = remarksOn(device, entry, variant);
  const isSlow = remarks.some(({ code }) => code === 'software-gpu' || code === 'on-processor');
  return {
    entry,
    variant,
    contextTokens,
    verdict: blocking.length > 0 ? 'impossible' : tight.length > 0 ? 'unlikely' : isSlow ? 'slow' : 'good',
    findings: [...blocking, ...tight, ...remarks],
  };
}

/**
 * The model to advise, the first of the catalog that fits, and every other with its verdict, in the order of the catalog.
 * Undefined where none fits: then the built-in model is what there is.
 */
export function recommend(
  device: DeviceFacts,
  catalog: readonly CatalogEntry[],
): { best: Fit | undefined; all: readonly Fit[] } {
  const all = catalog.map((entry) => judge(device, entry));
  const good = all.find(({ verdict }) => verdict === 'good');
  // Where it will be slow, the smallest is the one that can be waited for.
  const slow = all.filter(({ verdict }) => verdict === 'slow').at(-1);
  return { best: good ?? slow, all };
}

function variantFor({ gpu }: DeviceFacts, { variants }: CatalogEntry): Variant {
  const isFull = typeof gpu === 'object' && !gpu.hasF16;
  return (isFull ? variants.find(({ precision }) => precision === 'f32') : undefined) ?? variants[0];
}

function gpuFindings({ gpu }: DeviceFacts, { bufferBytes }: Variant): FitFinding[] {
  if (typeof gpu !== 'object') return [{ code: 'no-gpu', isBlocked: gpu === 'blocked' }];
  const needed: (readonly [GpuLimit, number])[] = [
    ...required,
    ['maxStorageBufferBindingSize', Math.max(bufferBytes, leastBindingBytes)],
  ];
  return needed.flatMap(([limit, needs]) => {
    const has = gpu.limits[limit];
    return has < needs ? [{ code: 'limit' as const, limit, has, needs }] : [];
  });
}

function processorFindings({ hasJspi }: DeviceFacts): FitFinding[] {
  return hasJspi ? [] : [{ code: 'no-jspi' }];
}

function remarksOn({ gpu }: DeviceFacts, { engine }: CatalogEntry, { precision }: Variant): FitFinding[] {
  if (engine === 'wllama') return [{ code: 'on-processor' }];
  const remarks: FitFinding[] = [];
  if (typeof gpu === 'object' && gpu.isFallback) remarks.push({ code: 'software-gpu' });
  if (precision === 'f32') remarks.push({ code: 'full-precision' });
  return remarks;
}

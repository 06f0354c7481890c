/** Collects the facts about this device that decide which models it can run: GPU, memory, storage. */
import { readFreeBytes } from './free-bytes';
import { hasRelaxedSimd, hasSharedMemory } from './wasm-features';

export interface GpuFacts {
  name: string;
  /** Whether the browser emulates the GPU in software, which is very slow. */
  isFallback: boolean;
  hasF16: boolean;
  limits: Readonly<Record<GpuLimit, number>>;
}

const gpuLimitNames = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const;
export type GpuLimit = (typeof gpuLimitNames)[number];

export interface DeviceFacts {
  /** `none`: the browser has no WebGPU. `blocked`: it has WebGPU, but offers no adapter. */
  gpu: GpuFacts | 'none' | 'blocked';
  /** Memory in gigabytes, if the browser reports it. At most 8 in older Chromium. */
  memoryGb?: number;
  freeBytes?: number;
  isPersisted: boolean;
  isMobile: boolean;
  cores: number;
  isIsolated: boolean;
  /** Whether WebAssembly can wait for promises. GGUF models on the GPU need this. */
  hasJspi: boolean;
  hasRelaxedSimd: boolean;
}

/** Never rejects. Leaves out facts that the browser does not report. */
export async function probeDevice(): Promise<DeviceFacts> {
  const [gpu, room] = await Promise.all([probeGpu(), readStorageFacts()]);
  const { deviceMemory: memoryGb } = navigator as { deviceMemory?: unknown };
  return {
    gpu,
    ...(typeof memoryGb === 'number' && { memoryGb }),
    ...room,
    isMobile: isMobile(),
    cores: navigator.hardwareConcurrency,
    isIsolated: hasSharedMemory(),
    hasJspi: 'Suspending' in WebAssembly,
    hasRelaxedSimd: hasRelaxedSimd(),
  };
}

export async function probeGpu(): Promise<DeviceFacts['gpu']> {
  if (!('gpu' in navigator)) return 'none';
  try {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) return 'blocked';
    const { info, limits, features } = adapter;
    return {
      name: [info.description, info.vendor, info.architecture].find((text) => text !== '') ?? '',
      isFallback: info.isFallbackAdapter,
      hasF16: features.has('shader-f16'),
      limits: Object.fromEntries(gpuLimitNames.map((name) => [name, limits[name]])) as GpuFacts['limits'],
    };
  } catch {
    return 'blocked';
  }
}

async function readStorageFacts(): Promise<Pick<DeviceFacts, 'freeBytes' | 'isPersisted'>> {
  const { storage } = navigator as { storage?: StorageManager };
  const isPersisted = (await storage?.persisted().catch(() => false)) ?? false;
  const freeBytes = await readFreeBytes();
  return { isPersisted, ...(freeBytes < Infinity && { freeBytes }) };
}

function isMobile(): boolean {
  const { userAgentData, maxTouchPoints = 0 } = navigator as {
    userAgentData?: { mobile?: boolean };
    maxTouchPoints?: number;
  };
  if (userAgentData?.mobile !== undefined) return userAgentData.mobile;
  // An iPad's user agent says Macintosh, but only an iPad has touch points.
  const isPad = navigator.userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return isPad || /Android|iPhone|iPad|Mobile/i.test(navigator.userAgent);
}

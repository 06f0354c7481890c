/** What this device has for running a model: its GPU, its memory, its room. Every finding is a fact, none a verdict. */

import { hasRelaxedSimd } from './relaxed-simd';

export interface GpuFacts {
  /** As the browser names it; often empty. */
  name: string;
  /** Software in place of a chip: it works, very slowly. */
  isFallback: boolean;
  /** 16-bit numbers in its programs. */
  hasF16: boolean;
  limits: Readonly<Record<GpuLimit, number>>;
}

export type GpuLimit =
  | 'maxBufferSize'
  | 'maxStorageBufferBindingSize'
  | 'maxComputeWorkgroupStorageSize'
  | 'maxStorageBuffersPerShaderStage'
  | 'maxComputeInvocationsPerWorkgroup'
  | 'maxComputeWorkgroupSizeX';

export interface DeviceFacts {
  /** `none`: no WebGPU in this browser; `blocked`: there is, but it gives no adapter. */
  gpu: GpuFacts | 'none' | 'blocked';
  /** Gigabytes, as far as the browser says; at most 8 in older Chromium, absent elsewhere. */
  memoryGb?: number;
  /** Bytes that may still be stored; absent where the browser does not say. */
  freeBytes?: number;
  isPersisted: boolean;
  isMobile: boolean;
  cores: number;
  /** The host sends the headers without which a page may use one core only. */
  isIsolated: boolean;
  /** WebAssembly that can wait for promises: GGUF models need it on the graphics chip. */
  hasJspi: boolean;
  /** The processor instructions with which GGUF models run at full speed. */
  hasRelaxedSimd: boolean;
}

/** Never rejects: what cannot be found out is absent. */
export async function probeDevice(): Promise<DeviceFacts> {
  const [gpu, room] = await Promise.all([probeGpu(), probeRoom()]);
  const memoryGb =
    'deviceMemory' in navigator && typeof navigator.deviceMemory === 'number'
      ? navigator.deviceMemory
      : undefined;
  return {
    gpu,
    ...(memoryGb !== undefined && { memoryGb }),
    ...room,
    isMobile: isMobile(),
    cores: navigator.hardwareConcurrency,
    isIsolated: crossOriginIsolated,
    hasJspi: 'Suspending' in WebAssembly,
    hasRelaxedSimd: hasRelaxedSimd(),
  };
}

/** Also in a worker. */
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
      limits: {
        maxBufferSize: limits.maxBufferSize,
        maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
        maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
        maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
        maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
        maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
      },
    };
  } catch {
    return 'blocked';
  }
}

async function probeRoom(): Promise<Pick<DeviceFacts, 'freeBytes' | 'isPersisted'>> {
  if (!('storage' in navigator)) return { isPersisted: false };
  try {
    const [{ usage = 0, quota }, isPersisted] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ]);
    return { isPersisted, ...(quota !== undefined && { freeBytes: Math.max(0, quota - usage) }) };
  } catch {
    return { isPersisted: false };
  }
}

function isMobile(): boolean {
  // In a worker, and in some browsers, they are missing.
  const { userAgentData, maxTouchPoints = 0 } = navigator as {
    userAgentData?: { mobile?: boolean };
    maxTouchPoints?: number;
  };
  if (userAgentData?.mobile !== undefined) return userAgentData.mobile;
  // An iPad says that it is a Mac, with fingers.
  const isPad = navigator.userAgent.includes('Macintosh') && maxTouchPoints > 1;
  return isPad || /Android|iPhone|iPad|Mobile/i.test(navigator.userAgent);
}

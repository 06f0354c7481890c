/** Our own build of llama.cpp, for the shipped model and GGUF files. Runs on the processor or, if the user chose so, on the GPU. */
import { cacheForOffline } from '../../egress/own-files';
import type { DeviceFacts } from '../../platform/webgpu';
import type { EngineKind } from '../engine';
import { keepBuildForOffline, wllamaWasmUrl } from './program';

export const llama: EngineKind = {
  id: 'llama',
  place: 'processor',
  runsIn: 'worker',
  makesVectors: true,
  readsAhead: true,

  remarks: () => [{ code: 'on-processor' }],
  hardware: (device, { isUsingCores = true, isUsingGpuForGguf = false }) => ({
    threads: isUsingCores ? maxThreadsFor(device) : 1,
    isOnGpu: isUsingGpuForGguf && device.hasJspi && typeof device.gpu === 'object' && !device.gpu.isFallback,
  }),

  files: {
    first: ({ file: { path: url, bytes, sha256 } }) => [
      { url, place: 'files', kind: 'gguf', ...(sha256 !== undefined && { bytes, sha256 }) },
    ],
    keepProgram: async ({ hardware }) => {
      if (hardware?.isOnGpu) await cacheForOffline(wllamaWasmUrl);
      else await keepBuildForOffline();
    },
    fromDisk: async (...given) => (await import('../gguf/header')).importGguf(...given),
    describe: async (weights) => (await import('../gguf/header')).readGgufFacts(weights),
  },

  own: { claims: ({ modelUrl }) => new URL(modelUrl).pathname.toLowerCase().endsWith('.gguf') },
};

/** Maximum useful threads: all threads share one memory bus. */
const maxUsefulThreads = 8;

/** Returns the maximum number of threads. Threads need relaxed SIMD and an isolated page. The engine then measures how many are fastest. */
export function maxThreadsFor(device: Pick<DeviceFacts, 'cores' | 'isIsolated' | 'hasRelaxedSimd'>): number {
  const { cores, isIsolated, hasRelaxedSimd } = device;
  return isIsolated && hasRelaxedSimd ? Math.max(1, Math.min(cores, maxUsefulThreads)) : 1;
}

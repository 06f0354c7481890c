/** wllama: llama.cpp as WebAssembly, for any GGUF file, on the processor; where a person wants it, on the graphics chip. */
import { keepForOffline } from '../../egress/own-files';
import type { EngineKind } from '../engine';
import { threadsFor } from './threads';
import { wllamaWasm } from './wasm';

const id = 'wllama';

export const wllama: EngineKind = {
  id,
  place: 'processor',
  runsIn: 'worker',
  makesVectors: true,

  obstacles: ({ hasJspi }) => (hasJspi ? [] : [{ code: 'no-jspi' }]),
  remarks: () => [{ code: 'on-processor' }],
  canRun: (_, { hasJspi }) => hasJspi,
  hardware: (device, { isUsingCores = true, isUsingGpuForGguf = false }) => ({
    threads: isUsingCores ? threadsFor(device) : 1,
    isOnGpu: isUsingGpuForGguf && typeof device.gpu === 'object' && !device.gpu.isFallback,
  }),

  files: {
    first: ({ file }) => [{ url: file.path, place: 'files', kind: 'gguf' }],
    plan: ({ file }) =>
      Promise.resolve({ files: [{ url: file.path, place: 'files', kind: 'gguf' }], isWhole: true }),
    keepProgram: () => keepForOffline(wllamaWasm),
    fromDisk: async (files, known) => (await import('../gguf/from-disk')).ggufFromDisk(files, known, id),
    describe: async (weights) => (await import('../gguf/facts')).readGgufFacts(weights),
  },

  own: { claims: ({ modelUrl }) => new URL(modelUrl).pathname.toLowerCase().endsWith('.gguf') },
};

import type { ModelFitReason } from '../../contracts/model-library';
import type { GpuFacts, GpuLimit } from '../../platform/webgpu';
import type { EngineKind } from '../engine';
import { firstFilesOf, planFirstFiles, planFiles, recordOf } from './files';

const minBindingBytes = 128 * 2 ** 20;

/** Returns the GPU's limits that are too low for WebLLM. `bufferBytes`: size of the model's largest buffer. */
export function findInsufficientLimits({ limits }: GpuFacts, bufferBytes: number) {
  const needed: (readonly [GpuLimit, number])[] = [
    ['maxComputeWorkgroupStorageSize', 32_768],
    ['maxStorageBuffersPerShaderStage', 10],
    ['maxComputeInvocationsPerWorkgroup', 256],
    ['maxComputeWorkgroupSizeX', 256],
    ['maxStorageBufferBindingSize', Math.max(bufferBytes, minBindingBytes)],
    ['maxBufferSize', bufferBytes],
  ];
  return needed.flatMap(([limit, needs]) => {
    const has = limits[limit];
    return has < needs ? [{ limit, has, needs }] : [];
  });
}

export const webLlm: EngineKind = {
  id: 'web-llm',
  place: 'gpu',
  runsIn: 'worker',

  obstacles({ gpu }, { bufferBytes }) {
    if (typeof gpu !== 'object') return [{ code: 'no-gpu', isBlocked: gpu === 'blocked' }];
    return findInsufficientLimits(gpu, bufferBytes).map((limit) => ({ code: 'limit', ...limit }));
  },
  remarks({ gpu }, { precision }) {
    const remarks: ModelFitReason[] = [];
    if (typeof gpu === 'object' && gpu.isFallback) remarks.push({ code: 'software-gpu' });
    if (precision === 'f32') remarks.push({ code: 'full-precision' });
    return remarks;
  },
  canRun: ({ id }, { gpu }) => typeof gpu === 'object' && (gpu.hasF16 || !/q\d+f16/.test(id)),

  files: {
    first: (spec) => planFirstFiles(recordOf(spec)),
    plan: (spec) => planFiles(recordOf(spec)),
    shared: (spec) => firstFilesOf(recordOf(spec)).library.url,
    // Start a load in the worker only to download the engine's code. The load itself then fails, because the model's files are missing.
    keepProgram: (_, loadInWorker) => loadInWorker().catch(() => undefined),
    fromDisk: async (...given) => (await import('./from-disk')).importWebLlmFolder(...given),
  },

  own: {
    claims: ({ libraryUrl }) => libraryUrl !== '',
    problem: ({ libraryUrl }) =>
      URL.canParse(libraryUrl) && /^https?:$/.test(new URL(libraryUrl).protocol) ? undefined : 'library-url',
    spec: ({ modelUrl, libraryUrl = '', overrides }) => ({ mlc: { modelUrl, libraryUrl, overrides } }),
  },
};

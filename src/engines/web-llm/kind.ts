import { AppError } from '../../contracts/app-error';
import type { MlcRecord, ModelSpec } from '../../contracts/model';
import type { FitFinding } from '../../contracts/model-library';
import type { GpuLimit } from '../../platform/webgpu';
import type { EngineKind } from '../engine';
import { firstFilesOf, firstPlanned, planFiles } from './files';

/** GPU limits that WebLLM needs. A device below any of them is refused. */
export const requiredLimits: readonly (readonly [GpuLimit, number])[] = [
  ['maxComputeWorkgroupStorageSize', 32_768],
  ['maxStorageBuffersPerShaderStage', 10],
  ['maxComputeInvocationsPerWorkgroup', 256],
  ['maxComputeWorkgroupSizeX', 256],
];
export const minBindingBytes = 128 * 2 ** 20;

const engineId = 'web-llm';

export const webLlm: EngineKind = {
  id: engineId,
  place: 'gpu',
  runsIn: 'worker',

  obstacles({ gpu }, { bufferBytes }) {
    if (typeof gpu !== 'object') return [{ code: 'no-gpu', isBlocked: gpu === 'blocked' }];
    const needed: (readonly [GpuLimit, number])[] = [
      ...requiredLimits,
      ['maxStorageBufferBindingSize', Math.max(bufferBytes, minBindingBytes)],
      ['maxBufferSize', bufferBytes],
    ];
    return needed.flatMap(([limit, needs]) => {
      const has = gpu.limits[limit];
      return has < needs ? [{ code: 'limit' as const, limit, has, needs }] : [];
    });
  },
  remarks({ gpu }, { precision }) {
    const remarks: FitFinding[] = [];
    if (typeof gpu === 'object' && gpu.isFallback) remarks.push({ code: 'software-gpu' });
    if (precision === 'f32') remarks.push({ code: 'full-precision' });
    return remarks;
  },
  canRun: ({ id }, { gpu }) => typeof gpu === 'object' && (gpu.hasF16 || !/q\d+f16/.test(id)),

  files: {
    first: (spec) => firstPlanned(recordOf(spec)),
    plan: (spec) => planFiles(recordOf(spec)),
    shared: (spec) => firstFilesOf(recordOf(spec)).library.url,
    // Start a load in the worker, because only the worker knows the script's address. The load fails, since the model's files are missing.
    keepProgram: (_, loadInWorker) => loadInWorker().catch(() => undefined),
    fromDisk: async (files, known) => (await import('./from-disk')).folderFromDisk(files, known, engineId),
  },

  own: {
    claims: ({ libraryUrl }) => libraryUrl !== '',
    problem: ({ libraryUrl }) =>
      URL.canParse(libraryUrl) && /^https?:$/.test(new URL(libraryUrl).protocol) ? undefined : 'library-url',
    spec: ({ modelUrl, libraryUrl = '', overrides }) => ({ mlc: { modelUrl, libraryUrl, overrides } }),
  },
};

function recordOf({ id, mlc }: ModelSpec): MlcRecord {
  if (!mlc) throw new AppError('engine-crashed', `${id} has no record for WebLLM.`);
  return mlc;
}

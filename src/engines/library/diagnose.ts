/** PURE: what was found out about this device, one finding after another, for a page that says how to mend each. */
import type { Diagnosis } from '../../contracts/model-library';
import type { DeviceFacts } from '../../platform/webgpu';
import { maxThreads } from '../llama/kind';
import { leastBindingBytes, requiredLimits } from '../web-llm/kind';
import { memoryBudget } from './recommend';

export function diagnose(device: DeviceFacts, hasFiles: boolean): readonly Diagnosis[] {
  const { memoryGb, cores, isIsolated, hasRelaxedSimd, freeBytes, isPersisted } = device;
  const threads = maxThreads(device);
  const couldUse = maxThreads({ cores, isIsolated: true });
  const budgetMb = memoryBudget(device);
  return [
    ...gpuOf(device),
    memoryGb === undefined
      ? { code: 'memory-unknown', budgetMb }
      : { code: 'memory', gigabytes: memoryGb, budgetMb },
    { code: 'cores', cores, threads },
    ...(!isIsolated && couldUse > 1 ? [{ code: 'not-isolated', threads: couldUse } as const] : []),
    { code: hasRelaxedSimd ? 'relaxed-simd' : 'plain-simd' },
    freeBytes === undefined ? { code: 'room-unknown' } : { code: 'room', freeBytes },
    { code: isPersisted ? 'persisted' : 'not-persisted' },
    ...(hasFiles ? [] : [{ code: 'no-files' } as const]),
  ];
}

function gpuOf({ gpu }: DeviceFacts): Diagnosis[] {
  if (gpu === 'none') return [{ code: 'gpu-none' }];
  if (gpu === 'blocked') return [{ code: 'gpu-blocked' }];
  const needed = [...requiredLimits, ['maxStorageBufferBindingSize', leastBindingBytes] as const];
  return [
    { code: 'gpu', name: gpu.name },
    ...(gpu.isFallback ? [{ code: 'gpu-software' } as const] : []),
    { code: gpu.hasF16 ? 'has-f16' : 'no-f16' },
    ...needed.flatMap(([limit, needs]) => {
      const has = gpu.limits[limit];
      return has < needs ? [{ code: 'gpu-limit' as const, limit, has, needs }] : [];
    }),
  ];
}

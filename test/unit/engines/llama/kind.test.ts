import { expect, test } from 'vitest';
import { llama, maxThreadsFor } from '../../../../src/engines/llama/kind';
import type { DeviceFacts } from '../../../../src/platform/webgpu';

test.for([
  { cores: 16, isIsolated: false, threads: 1 },
  { cores: 1, isIsolated: true, threads: 1 },
  { cores: 4, isIsolated: true, threads: 4 },
  { cores: 64, isIsolated: true, threads: 8 },
])(
  'a model uses at most $threads threads on $cores cores, with cross-origin isolation: $isIsolated',
  ({ threads, ...device }) => {
    expect(maxThreadsFor({ ...device, hasRelaxedSimd: true })).toBe(threads);
  },
);

test('a model uses one thread in a browser without relaxed SIMD, because that build has no threads', () => {
  expect(maxThreadsFor({ cores: 4, isIsolated: true, hasRelaxedSimd: false })).toBe(1);
});

const gpu = { name: 'x', isFallback: false, hasF16: true, limits: {} } as unknown as DeviceFacts['gpu'];
const device: DeviceFacts = {
  gpu,
  isPersisted: false,
  isMobile: false,
  cores: 8,
  isIsolated: true,
  hasJspi: true,
  hasRelaxedSimd: true,
};

test.for([
  {
    name: 'by default a model uses all cores',
    changed: {},
    wishes: {},
    hardware: { threads: 8, isOnGpu: false },
  },
  {
    name: 'a model uses one core if the user chose so',
    changed: {},
    wishes: { isUsingCores: false },
    hardware: { threads: 1, isOnGpu: false },
  },
  {
    name: 'a model uses the GPU if the user chose so',
    changed: {},
    wishes: { isUsingGpuForGguf: true },
    hardware: { threads: 8, isOnGpu: true },
  },
  {
    name: 'a model uses no GPU if there is none',
    changed: { gpu: 'none' as const },
    wishes: { isUsingGpuForGguf: true },
    hardware: { threads: 8, isOnGpu: false },
  },
  {
    name: 'a model uses no GPU without JSPI',
    changed: { hasJspi: false },
    wishes: { isUsingGpuForGguf: true },
    hardware: { threads: 8, isOnGpu: false },
  },
] as const)('$name', ({ changed, wishes, hardware }) => {
  const changedDevice: DeviceFacts = { ...device, ...changed };
  expect(llama.hardware?.(changedDevice, wishes)).toEqual(hardware);
});

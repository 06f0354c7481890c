import { expect, test } from 'vitest';
import { wllama } from '../../../../src/engines/wllama/kind';
import { isSlowerThanOne, threadsFor } from '../../../../src/engines/wllama/threads';
import type { DeviceFacts } from '../../../../src/platform/webgpu';

test.for([
  { cores: 16, isIsolated: false, threads: 1 },
  { cores: 4, isIsolated: true, threads: 1 },
  { cores: 5, isIsolated: true, threads: 2 },
  { cores: 8, isIsolated: true, threads: 4 },
  { cores: 64, isIsolated: true, threads: 8 },
])('of $cores cores, isolated: $isIsolated, it works on $threads', ({ threads, ...device }) => {
  expect(threadsFor(device)).toBe(threads);
});

test.for([
  { name: 'a small model that is quick enough', msPerToken: 90, bytes: 3e6, isSlower: false },
  { name: 'a small model for which threads wait on each other', msPerToken: 150, bytes: 3e6, isSlower: true },
  { name: 'half a gigabyte at a word a second', msPerToken: 900, bytes: 5e8, isSlower: false },
  { name: 'half a gigabyte at a word in five', msPerToken: 5000, bytes: 5e8, isSlower: true },
])('$name: slower than one is $isSlower', ({ msPerToken, bytes, isSlower }) => {
  expect(isSlowerThanOne(msPerToken, bytes)).toBe(isSlower);
});

const gpu = { name: 'x', isFallback: false, hasF16: true, limits: {} } as unknown as DeviceFacts['gpu'];
const device: DeviceFacts = {
  ...{ gpu, isPersisted: false, isMobile: false, cores: 8, isIsolated: true, hasJspi: true },
};

test('what a person wishes is done where it can be', () => {
  const on = (changed: Partial<DeviceFacts>, wishes: object) =>
    wllama.hardware?.({ ...device, ...changed }, wishes);
  expect(on({}, {})).toEqual({ threads: 4, isOnGpu: false });
  expect(on({}, { isUsingCores: false })).toEqual({ threads: 1, isOnGpu: false });
  expect(on({}, { isUsingGpuForGguf: true })).toEqual({ threads: 4, isOnGpu: true });
  expect(on({ gpu: 'none' }, { isUsingGpuForGguf: true })).toEqual({ threads: 4, isOnGpu: false });
});

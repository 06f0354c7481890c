import { expect, test } from 'vitest';
import { probeDevice } from '../../src/platform/webgpu';

test('the device check reports memory, storage, and the GPU or why there is none', async () => {
  const facts = await probeDevice();
  expect(facts).toMatchObject({
    isMobile: false,
    hasJspi: true,
    hasRelaxedSimd: true,
    isIsolated: false,
    isPersisted: expect.any(Boolean),
  });
  expect(facts.cores).toBeGreaterThan(0);
  expect(facts.memoryGb).toBeGreaterThan(0);
  expect(facts.freeBytes).toBeGreaterThan(0);
  // Without a GPU and without the flag for a software GPU, Chromium has WebGPU but no adapter.
  if (typeof facts.gpu === 'string') expect(facts.gpu).toBe('blocked');
  else expect(facts.gpu.limits.maxBufferSize).toBeGreaterThan(0);
});

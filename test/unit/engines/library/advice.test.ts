/** What we recommend for forty-four real devices. No device gets a model that is weak at tools if there is a better choice. */
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../../src/engines/library/catalog';
import { recommendModels } from '../../../../src/engines/library/recommend';
import type { DeviceFacts, GpuFacts } from '../../../../src/platform/webgpu';
import { gpu } from '../../../support/web-llm-model';

/** A browser that reports neither memory nor free disk space. */
const reportsNothing: DeviceFacts = {
  gpu,
  isPersisted: true,
  isMobile: false,
  cores: 8,
  hasJspi: true,
  hasRelaxedSimd: true,
  isIsolated: false,
};
const untold: DeviceFacts = { ...reportsNothing, freeBytes: 50e9 };
const desktop: DeviceFacts = { ...untold, memoryGb: 8 };
const without16Bits: GpuFacts = { ...gpu, hasF16: false };
const software: GpuFacts = { ...gpu, hasF16: false, isFallback: true };
const withLimits = (limits: Partial<GpuFacts['limits']>): GpuFacts => ({
  ...gpu,
  limits: { ...gpu.limits, ...limits },
});
const desktopWith = (changed: Partial<DeviceFacts>): DeviceFacts => ({ ...desktop, ...changed });

interface Row {
  device: DeviceFacts;
  best: string | undefined;
  large?: string[];
}

const rows: Record<string, Row> = {
  'a laptop with 16 GB': {
    device: desktopWith({ memoryGb: 16 }),
    best: 'Qwen 3.5 4B',
    large: ['Qwen 3.5 9B', 'Qwen 3 8B', 'Hermes 3 8B'],
  },
  'a laptop with 8 GB': { device: desktop, best: 'Qwen 3 4B' },
  'a workstation with 32 GB': {
    device: desktopWith({ memoryGb: 32 }),
    best: 'Qwen 3.5 4B',
    large: ['Qwen 3.5 9B', 'Qwen 3 8B', 'Hermes 3 8B'],
  },
  'a laptop with 16 GB in a browser that says 8': { device: desktopWith({ memoryGb: 8 }), best: 'Qwen 3 4B' },
  'a laptop with 4 GB': { device: desktopWith({ memoryGb: 4 }), best: 'Qwen 3.5 0.8B' },
  'an old laptop with 2 GB': { device: desktopWith({ memoryGb: 2 }), best: 'Qwen 2.5 0.5B' },
  'a netbook with 1 GB': { device: desktopWith({ memoryGb: 1 }), best: undefined },
  'a thin client with half a GB': { device: desktopWith({ memoryGb: 0.5 }), best: undefined },
  'a browser that does not report the memory': { device: untold, best: 'Qwen 3.5 2B' },
  '16 GB, and a chip without 16-bit numbers': {
    device: desktopWith({ memoryGb: 16, gpu: without16Bits }),
    best: 'Gemma 4 E2B',
    large: ['Qwen 3.5 9B', 'Qwen 3 8B', 'Hermes 3 8B', 'Qwen 3.5 4B', 'Qwen 3 4B', 'Phi 4 mini'],
  },
  '32 GB, and a chip without 16-bit numbers': {
    device: desktopWith({ memoryGb: 32, gpu: without16Bits }),
    best: 'Gemma 4 E2B',
    large: ['Qwen 3.5 9B', 'Qwen 3 8B', 'Hermes 3 8B', 'Qwen 3.5 4B', 'Qwen 3 4B', 'Phi 4 mini'],
  },
  '8 GB, and a chip without 16-bit numbers': {
    device: desktopWith({ gpu: without16Bits }),
    best: 'Ministral 3 3B',
  },
  '4 GB, and a chip without 16-bit numbers': {
    device: desktopWith({ memoryGb: 4, gpu: without16Bits }),
    best: 'Qwen 2.5 0.5B',
  },
  '2 GB, and a chip without 16-bit numbers': {
    device: desktopWith({ memoryGb: 2, gpu: without16Bits }),
    best: 'Qwen 2.5 0.5B (CPU)',
  },
  'unknown memory, and a chip without 16-bit numbers': {
    device: { ...untold, gpu: without16Bits },
    best: 'Qwen 3.5 0.8B',
  },
  'a phone with 8 GB': { device: desktopWith({ isMobile: true }), best: 'Qwen 3 0.6B' },
  'a phone with 16 GB': { device: desktopWith({ isMobile: true, memoryGb: 16 }), best: 'Qwen 3 0.6B' },
  'a phone with 4 GB': { device: desktopWith({ isMobile: true, memoryGb: 4 }), best: 'Qwen 3 0.6B' },
  'a phone with 2 GB': { device: desktopWith({ isMobile: true, memoryGb: 2 }), best: 'Qwen 2.5 0.5B' },
  'a phone with 1 GB': { device: desktopWith({ isMobile: true, memoryGb: 1 }), best: undefined },
  'a phone that does not report its memory': { device: { ...untold, isMobile: true }, best: 'Qwen 3 0.6B' },
  'a phone without 16-bit numbers': {
    device: desktopWith({ isMobile: true, gpu: without16Bits }),
    best: 'Qwen 2.5 0.5B',
  },
  'a tablet without 16-bit numbers and 2 GB': {
    device: desktopWith({ isMobile: true, memoryGb: 2, gpu: without16Bits }),
    best: 'LFM 2.5 350M (CPU)',
  },
  'a phone without WebGPU': {
    device: desktopWith({ isMobile: true, gpu: 'none' }),
    best: 'LFM 2.5 350M (CPU)',
  },
  'a phone without WebGPU, 4 GB': {
    device: desktopWith({ isMobile: true, memoryGb: 4, gpu: 'none' }),
    best: 'LFM 2.5 350M (CPU)',
  },
  'a phone without WebGPU, 2 GB': {
    device: desktopWith({ isMobile: true, memoryGb: 2, gpu: 'none' }),
    best: 'LFM 2.5 350M (CPU)',
  },
  'a phone without WebGPU, 1 GB': {
    device: desktopWith({ isMobile: true, memoryGb: 1, gpu: 'none' }),
    best: undefined,
  },
  '16 GB, and 6 GB free on the disk': {
    device: desktopWith({ memoryGb: 16, freeBytes: 6e9 }),
    best: 'Qwen 3.5 4B',
    large: ['Qwen 3.5 9B', 'Qwen 3 8B', 'Hermes 3 8B'],
  },
  '16 GB, and 3 GB free on the disk': {
    device: desktopWith({ memoryGb: 16, freeBytes: 3e9 }),
    best: 'Qwen 3.5 4B',
  },
  '16 GB, and 2 GB free on the disk': {
    device: desktopWith({ memoryGb: 16, freeBytes: 2e9 }),
    best: 'Qwen 3.5 2B',
  },
  '8 GB, and 900 MB free on the disk': { device: desktopWith({ freeBytes: 900e6 }), best: 'Qwen 3.5 0.8B' },
  '8 GB, and 400 MB free on the disk': { device: desktopWith({ freeBytes: 400e6 }), best: 'Qwen 2.5 0.5B' },
  '8 GB, and 100 MB free on the disk': { device: desktopWith({ freeBytes: 100e6 }), best: undefined },
  'a disk with unknown free space': { device: { ...reportsNothing, memoryGb: 8 }, best: 'Qwen 3 4B' },
  '16 GB, and a chip that gives less than a GB at once': {
    device: desktopWith({ memoryGb: 16, gpu: withLimits({ maxBufferSize: 2 ** 28 }) }),
    best: 'Qwen 3 0.6B',
  },
  '16 GB, no 16-bit numbers, and a chip that binds only 128 MB': {
    device: desktopWith({
      memoryGb: 16,
      gpu: { ...withLimits({ maxStorageBufferBindingSize: 2 ** 27 }), hasF16: false },
    }),
    best: 'Ministral 3 3B',
    large: ['Qwen 3.5 9B', 'Qwen 3 8B', 'Hermes 3 8B', 'Qwen 3.5 4B', 'Qwen 3 4B', 'Phi 4 mini'],
  },
  'a chip that binds less than 128 MB': {
    device: desktopWith({ gpu: withLimits({ maxStorageBufferBindingSize: 2 ** 26 }) }),
    best: 'Qwen 3.5 0.8B (CPU)',
  },
  'a chip with too little memory in its work groups': {
    device: desktopWith({ gpu: withLimits({ maxComputeWorkgroupStorageSize: 16_384 }) }),
    best: 'Qwen 3.5 0.8B (CPU)',
  },
  'a software GPU': {
    device: desktopWith({ memoryGb: 16, gpu: software }),
    best: 'Qwen 3.5 0.8B (CPU)',
  },
  'a browser that blocks its GPU': {
    device: desktopWith({ memoryGb: 16, gpu: 'blocked' }),
    best: 'Qwen 3.5 0.8B (CPU)',
  },
  'a browser without WebGPU, 4 GB': {
    device: desktopWith({ memoryGb: 4, gpu: 'none' }),
    best: 'Qwen 3.5 0.8B (CPU)',
  },
  'a browser without WebGPU, 2 GB': {
    device: desktopWith({ memoryGb: 2, gpu: 'none' }),
    best: 'Qwen 2.5 0.5B (CPU)',
  },
  'a browser without WebGPU, 1 GB': { device: desktopWith({ memoryGb: 1, gpu: 'none' }), best: undefined },
  'a browser without WebGPU, JSPI and relaxed SIMD': {
    device: desktopWith({ gpu: 'none', hasJspi: false, hasRelaxedSimd: false, isIsolated: false }),
    best: 'Qwen 3.5 0.8B (CPU)',
  },
};

describe('the recommended model', () => {
  test('it is checked on a table of exactly forty-four test devices', () => {
    expect(Object.keys(rows)).toHaveLength(44);
  });

  test.for(Object.entries(rows))('it suits this device: %s', ([, { device, best, large = [] }]) => {
    const { best: advised, all } = recommendModels(device, catalog);
    expect(advised?.entry.name).toBe(best);
    const larger = all.filter(({ verdict, isLarge }) => verdict === 'good' && isLarge);
    expect(larger.map(({ entry }) => entry.name)).toEqual(large);
  });

  test.for(Object.entries(rows))(
    'it is not weak at tools if another model suits this device: %s',
    ([, row]) => {
      const { best, all } = recommendModels(row.device, catalog);
      const others = all.filter(({ entry, verdict }) => verdict === best?.verdict && !entry.isWeakAtTools);
      expect(best?.entry.isWeakAtTools && others.length > 0).toBeFalsy();
    },
  );
});

test('the models marked as weak at tools are those described as weak at tools in the catalog', () => {
  for (const { about, isWeakAtTools = false } of catalog) {
    expect(isWeakAtTools).toBe(about.en.includes('weak at tools'));
  }
});

test('each newly added model is the first choice or the first larger alternative for at least one device', () => {
  const advised = Object.values(rows).flatMap(({ best = '', large = [] }) => [best, large[0] ?? '']);
  const added = [
    'Qwen 3.5 0.8B',
    'Qwen 3.5 2B',
    'Qwen 3.5 4B',
    'Qwen 3.5 9B',
    'Ministral 3 3B',
    'Gemma 4 E2B',
    'LFM 2.5 350M (CPU)',
  ];
  expect(added.filter((name) => !advised.includes(name))).toEqual([]);
});

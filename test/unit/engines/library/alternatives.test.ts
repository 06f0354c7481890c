import { expect, test } from 'vitest';
import type { ModelSpec } from '../../../../src/contracts/model';
import { findAlternatives } from '../../../../src/engines/library/recommend';
import type { DeviceFacts } from '../../../../src/platform/webgpu';
import { gpu, small } from '../../../support/web-llm-model';

const device: DeviceFacts = {
  gpu,
  isPersisted: true,
  isMobile: false,
  cores: 4,
  hasJspi: true,
  hasRelaxedSimd: true,
  isIsolated: false,
};
const model = (id: string, bytes: number, engine = 'web-llm'): ModelSpec => ({
  ...small,
  id,
  engine,
  file: { path: 'x', bytes },
});
const f16 = model('Qwen3-4B-q4f16_1-MLC', 2000);
const f32 = model('Qwen3-4B-q4f32_1-MLC', 2500);
const known = [
  f16,
  f32,
  model('tiny', 100),
  model('middle', 1000),
  model('middle-q4f16', 1100),
  model('gguf', 900, 'llama'),
  model('huge', 9000),
  model('of-unknown-size', 0),
  model('elsewhere', 1900),
];

function ask(spec: ModelSpec, changed: Partial<DeviceFacts> = {}, away: readonly string[] = ['elsewhere']) {
  return findAlternatives(spec, {
    ids: known.map(({ id }) => id),
    find: async (id) => known.find((one) => one.id === id),
    isKept: async (id) => !away.includes(id),
    device: { ...device, ...changed },
  });
}

test.for<{ name: string; changed: Partial<DeviceFacts>; smaller: string[] }>([
  { name: 'all that are on this device', changed: {}, smaller: ['middle-q4f16', 'middle', 'gguf', 'tiny'] },
  {
    name: 'none with 16-bit numbers on a GPU that lacks them',
    changed: { gpu: { ...gpu, hasF16: false } },
    smaller: ['middle', 'gguf', 'tiny'],
  },
  { name: 'none for the GPU if there is none', changed: { gpu: 'none' }, smaller: ['gguf'] },
])('smaller downloaded models are offered, largest first: $name', async ({ changed, smaller }) => {
  expect((await ask(f16, changed)).smaller.map(({ id }) => id)).toEqual(smaller);
});

test('a 16-bit model has a 32-bit variant, which is not listed among the smaller models', async () => {
  expect((await ask(f16)).twin).toEqual({ spec: f32, isKept: true });
  expect((await ask(f16, {}, [f32.id])).twin).toEqual({ spec: f32, isKept: false });
  expect((await ask(model('huge', 9000))).twin).toBeUndefined();
});

test('a 32-bit model has no variant, because that would lead back to the 16-bit model', async () => {
  expect((await ask(f32)).twin).toBeUndefined();
});

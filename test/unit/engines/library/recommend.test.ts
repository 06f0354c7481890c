import { describe, expect, test } from 'vitest';
import { catalog } from '../../../../src/engines/library/catalog';
import {
  judgeFit,
  judgeOwnModel,
  computeMemoryBudgetMb,
  recommendModels,
} from '../../../../src/engines/library/recommend';
import type { OwnModel } from '../../../../src/contracts/model-library';
import { ember } from '../../../../src/ember/spec';
import { ownModelSpecOf } from '../../../../src/engines/library/find-model';
import type { DeviceFacts } from '../../../../src/platform/webgpu';
import { gpu } from '../../../support/web-llm-model';

const { limits } = gpu;
const unknownMemory: DeviceFacts = {
  gpu,
  freeBytes: 50e9,
  isPersisted: true,
  isMobile: false,
  cores: 8,
  hasJspi: true,
  hasRelaxedSimd: true,
  isIsolated: false,
};
const laptop: DeviceFacts = { ...unknownMemory, memoryGb: 8 };

const entry = (id: string) => catalog.find((one) => one.id === id)!;

describe('the recommended model', () => {
  test.for<{
    name: string;
    device: DeviceFacts;
    best: string | undefined;
    contextTokens?: number;
    findings: object[];
  }>([
    {
      name: 'a laptop with 8 GB or more',
      device: laptop,
      best: 'Qwen3-4B-q4f16_1-MLC',
      contextTokens: 8192,
      findings: [],
    },
    {
      name: 'a laptop with more memory, which is also offered larger models',
      device: { ...laptop, memoryGb: 16 },
      best: 'Qwen3.5-4B-q4f16_1-MLC',
      contextTokens: 8192,
      findings: [],
    },
    {
      name: 'a laptop whose GPU has no 16-bit numbers',
      device: { ...laptop, gpu: { ...gpu, hasF16: false } },
      best: 'Ministral-3-3B-Instruct-2512-BF16-q4f32_1-MLC',
      contextTokens: 4096,
      findings: [{ code: 'full-precision' }],
    },
    {
      name: 'a browser that does not report its memory',
      device: unknownMemory,
      best: 'Qwen3.5-2B-q4f16_1-MLC',
      contextTokens: 8192,
      findings: [],
    },
    {
      name: 'an old machine with 2 GB',
      device: { ...laptop, memoryGb: 2 },
      best: 'Qwen2.5-0.5B-Instruct-q4f16_1-MLC',
      findings: [],
    },
    {
      name: 'a phone',
      device: { ...laptop, isMobile: true },
      best: 'Qwen3-0.6B-q4f16_1-MLC',
      contextTokens: 4096,
      findings: [],
    },
    {
      name: 'a software GPU: the smallest model, with a warning',
      device: { ...laptop, gpu: { ...gpu, isFallback: true, hasF16: false } },
      best: 'Qwen3.5-0.8B-Q4_K_M',
      findings: [{ code: 'on-processor' }],
    },
    {
      name: 'a browser without WebGPU: the smallest model for the processor',
      device: { ...laptop, gpu: 'none' },
      best: 'Qwen3.5-0.8B-Q4_K_M',
      findings: [{ code: 'on-processor' }],
    },
    {
      name: 'a disk that is nearly full',
      device: { ...laptop, freeBytes: 900e6 },
      best: 'Qwen3.5-0.8B-q4f16_1-MLC',
      findings: [],
    },
    {
      name: 'a device without a GPU and with hardly any memory: only the built-in model',
      device: { ...laptop, gpu: 'none', memoryGb: 1, isIsolated: false },
      best: undefined,
      findings: [],
    },
  ])('it suits this device: $name', ({ device, best: wanted, contextTokens, findings }) => {
    const { best, all } = recommendModels(device, catalog);
    expect(best?.variant.id).toBe(wanted);
    if (contextTokens !== undefined) expect(best?.contextTokens).toBe(contextTokens);
    expect(best?.findings ?? []).toMatchObject(findings);
    expect(all.map(({ entry: { id } }) => id)).toEqual(catalog.map(({ id }) => id));
  });
});

describe('the verdict on a model for this device', () => {
  test.for<{ name: string; device: DeviceFacts; id: string; verdict: string; finding: object }>([
    {
      name: 'a model that needs too much memory is unlikely to run, and the verdict states the needed memory',
      device: laptop,
      id: 'Qwen3-8B',
      verdict: 'unlikely',
      finding: { code: 'memory', needsMb: 5696, budgetMb: 4096 },
    },
    {
      name: 'a model that does not fit on the disk is unsuitable',
      device: { ...laptop, freeBytes: 1e6 },
      id: 'Qwen3-0.6B',
      verdict: 'unlikely',
      finding: { code: 'room', freeBytes: 1e6 },
    },
    {
      name: 'a blocked GPU is distinguished from a missing one',
      device: { ...laptop, gpu: 'blocked' },
      id: 'Qwen3-0.6B',
      verdict: 'impossible',
      finding: { code: 'no-gpu', isBlocked: true },
    },
    {
      name: 'a GPU below the limits of web-llm is unsuitable',
      device: { ...laptop, gpu: { ...gpu, limits: { ...limits, maxComputeWorkgroupStorageSize: 16_384 } } },
      id: 'Qwen3-0.6B',
      verdict: 'impossible',
      finding: { code: 'limit', limit: 'maxComputeWorkgroupStorageSize', has: 16_384, needs: 32_768 },
    },
    {
      name: 'a software GPU is slow, not refused',
      device: { ...laptop, gpu: { ...gpu, isFallback: true } },
      id: 'Qwen3-0.6B',
      verdict: 'slow',
      finding: { code: 'software-gpu' },
    },
  ])('$name', ({ device, id, verdict, finding }) => {
    const fit = judgeFit(device, entry(id));
    expect(fit.verdict).toBe(verdict);
    expect(fit.findings).toContainEqual(expect.objectContaining(finding));
  });

  test('it gives the model its longer context if that fits into memory', () => {
    const contexts = [4, 8].map(
      (memoryGb) => judgeFit({ ...laptop, memoryGb }, entry('Qwen3-1.7B')).contextTokens,
    );
    expect(contexts).toEqual([4096, 8192]);
  });
});

test.for([
  { name: 'half the memory', device: { ...laptop, memoryGb: 4 }, budget: 2048 },
  { name: 'a guess if the browser does not report memory', device: unknownMemory, budget: 2500 },
  {
    name: 'less on a GPU without buffers of a gigabyte',
    device: { ...laptop, gpu: { ...gpu, limits: { ...limits, maxBufferSize: 2 ** 28 } } },
    budget: 1500,
  },
  { name: 'less on a phone', device: { ...laptop, isMobile: true }, budget: 1500 },
])('the memory budget for models is $name', ({ device, budget }) => {
  expect(computeMemoryBudgetMb(device)).toBe(budget);
});

describe('a model that the user added', () => {
  const own = (changed: Partial<OwnModel> = {}): OwnModel => ({
    id: 'Own-7B-q4f16_1-MLC',
    engine: 'web-llm',
    modelUrl: 'https://a.example/own',
    libraryUrl: 'https://a.example/own.wasm',
    overrides: {},
    ...changed,
  });
  const gguf = own({ id: 'Own-Q4', engine: 'llama', modelUrl: 'https://a.example/own.gguf' });
  const softwareGpu = { ...laptop, gpu: { ...gpu, isFallback: true } };

  test.for<{ name: string; device: DeviceFacts; model: OwnModel; verdict: string; findings: string[] }>([
    { name: 'on a laptop', device: laptop, model: own(), verdict: 'good', findings: [] },
    {
      name: 'on a software GPU',
      device: softwareGpu,
      model: own(),
      verdict: 'slow',
      findings: ['software-gpu'],
    },
    {
      name: 'without WebGPU',
      device: { ...laptop, gpu: 'none' },
      model: own(),
      verdict: 'impossible',
      findings: ['no-gpu'],
    },
    {
      name: 'for 16-bit numbers, on a GPU without them',
      device: { ...laptop, gpu: { ...gpu, hasF16: false } },
      model: own(),
      verdict: 'impossible',
      findings: ['limit'],
    },
    {
      name: 'for 32-bit numbers, on a GPU without others',
      device: { ...laptop, gpu: { ...gpu, hasF16: false } },
      model: own({ id: 'Own-7B-q4f32_1-MLC' }),
      verdict: 'good',
      findings: [],
    },
    {
      name: 'larger than the memory',
      device: laptop,
      model: own({ bytes: 7e9 }),
      verdict: 'unlikely',
      findings: ['memory'],
    },
    {
      name: 'larger than the free space',
      device: { ...laptop, freeBytes: 1e9 },
      model: own({ bytes: 2e9 }),
      verdict: 'unlikely',
      findings: ['room'],
    },
    {
      name: 'from this disk, whatever space is free',
      device: { ...laptop, freeBytes: 1e9 },
      model: own({ bytes: 2e9, isFromDisk: true }),
      verdict: 'good',
      findings: [],
    },
    { name: 'as a GGUF file', device: laptop, model: gguf, verdict: 'slow', findings: ['on-processor'] },
    {
      name: 'as a copy of the built-in model',
      device: laptop,
      model: { ...gguf, family: 'ember' },
      verdict: 'good',
      findings: [],
    },
    {
      name: 'on a server, whatever this device is',
      device: { ...softwareGpu, memoryGb: 1 },
      model: own({ engine: 'endpoint', endpoint: { model: 'own', isNative: true } }),
      verdict: 'good',
      findings: [],
    },
  ])('is judged like the catalog: $name', ({ device, model, verdict, findings }) => {
    const spec = ownModelSpecOf(model, [ember]);
    const judged = judgeOwnModel(device, spec, { isFromDisk: model.isFromDisk === true });
    expect({ verdict: judged.verdict, findings: judged.findings.map(({ code }) => code) }).toEqual({
      verdict,
      findings,
    });
  });
});

/** A small WebLLM model, and a GPU that can run it. */
import type { MlcRecord, ModelSpec } from '../../src/contracts/model';
import type { GpuFacts } from '../../src/platform/webgpu';

export const record: MlcRecord = {
  modelUrl: 'https://models.invalid/small',
  libraryUrl: 'https://models.invalid/small.wasm',
  overrides: {},
};

export const chatMl: ModelSpec['template'] = {
  system: { before: '<|im_start|>system\n', after: '<|im_end|>\n' },
  user: { before: '<|im_start|>user\n', after: '<|im_end|>\n' },
  assistant: { before: '<|im_start|>assistant\n', after: '<|im_end|>\n' },
  tool: { before: '<|im_start|>user\n', after: '<|im_end|>\n' },
  stop: ['<|im_end|>'],
};

export const small: ModelSpec = {
  id: 'small',
  name: 'Small',
  engine: 'web-llm',
  file: { path: record.modelUrl, bytes: 1000 },
  mlc: record,
  format: 'hermes',
  template: chatMl,
  contextTokens: 8192,
  maxReplyTokens: 512,
  sampling: { temperature: 0.7, topP: 0.8 },
  languages: ['en'],
  licence: 'Apache-2.0',
};

export const gpu: GpuFacts = {
  name: 'Some GPU',
  isFallback: false,
  hasF16: true,
  limits: {
    maxBufferSize: 2 ** 31,
    maxStorageBufferBindingSize: 2 ** 31 - 4,
    maxComputeWorkgroupStorageSize: 32_768,
    maxStorageBuffersPerShaderStage: 10,
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
  },
};

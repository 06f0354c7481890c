/** A model for the stand-in of WebLLM, and its files as they lie in the caches. */
import type { MlcRecord, ModelSpec } from '../../src/contracts/model';
import { createWebLlm } from '../../src/engines/web-llm/engine';
import type { GpuFacts } from '../../src/platform/webgpu';
import { createCacheStorage } from './cache-storage';
import { type Said, WebLlmStandIn } from '../../src/engines/doubles/fake-mlc-engine';

const folder = 'https://models.invalid/small/resolve/main/';
export const record: MlcRecord = {
  modelUrl: 'https://models.invalid/small',
  libraryUrl: 'https://models.invalid/small.wasm',
  overrides: {},
};

export const files = {
  'webllm/config': { [`${folder}mlc-chat-config.json`]: '{"tokenizer_files":["tokenizer.json"]}' },
  'webllm/model': {
    [`${folder}tensor-cache.json`]:
      '{"records":[{"dataPath":"params_shard_0.bin","nbytes":4,"md5sum":"00"}]}',
    [`${folder}tokenizer.json`]: '{}',
    [`${folder}params_shard_0.bin`]: '1234',
  },
  'webllm/wasm': { [record.libraryUrl]: '' },
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

export interface LoadedStandIn {
  engine: ReturnType<typeof createWebLlm>;
  fallback: WebLlmStandIn;
}

export async function loadStandIn(
  script: (string | Said)[],
  changes: Partial<ModelSpec> = {},
): Promise<LoadedStandIn> {
  let fallback: WebLlmStandIn | undefined;
  const engine = createWebLlm({
    createBackend: (config) => (fallback = new WebLlmStandIn(config, [' 7', 'Hello.'])),
    storage: createCacheStorage(files),
    keep: () => Promise.resolve(),
    probe: () => Promise.resolve(gpu),
    silentMs: 60_000,
  });
  await engine.load(
    { ...small, ...changes },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  // What the test of the load has left behind.
  fallback!.forget();
  fallback!.requests.splice(0);
  fallback!.script = script;
  return { engine, fallback: fallback! };
}

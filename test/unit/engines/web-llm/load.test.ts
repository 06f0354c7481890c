import { describe, expect, test } from 'vitest';
import type { DeviceFacts } from '../../../../src/platform/webgpu';
import { createWebLlm } from '../../../../src/engines/web-llm/engine';
import { createCacheStorage } from '../../../support/cache-storage';
import { createEngineOn, FakeGpu } from '../../../doubles/scripted-web-llm';
import { filesInCaches, setBrowserGlobals } from '../../../support/load-web-llm';
import { gpu, record, small } from '../../../support/web-llm-model';

const files = filesInCaches(record);

describe('loading a WebLLM model', () => {
  function load(options: {
    kept?: Record<string, Record<string, string>>;
    onLoad?: () => Promise<void>;
    /** The replies to the self-test. */
    says?: string[];
    silentMs?: number;
    id?: string;
    found?: DeviceFacts['gpu'];
  }) {
    const progress: string[] = [];
    const storage = createCacheStorage(options.kept ?? files);
    setBrowserGlobals(storage);
    const engine = createWebLlm({
      createBackend(config) {
        const found = new FakeGpu(options.says ?? [' 7']);
        if (options.onLoad) found.onLoad = options.onLoad;
        return createEngineOn(found, config);
      },
      storage,
      keep: () => Promise.resolve(),
      probe: () => Promise.resolve(options.found ?? gpu),
      silentMs: options.silentMs ?? 60_000,
    });
    const loading = engine.load(
      { ...small, id: options.id ?? small.id },
      {
        signal: new AbortController().signal,
        onProgress: ({ step, loadedBytes }) => progress.push(`${step} ${loadedBytes}`),
      },
    );
    return { loading, progress };
  }

  test('reports its progress', async () => {
    const { loading, progress } = load({});
    await loading;
    expect(progress).toEqual(['engine 0', 'weights 500', 'start 0', 'start 0']);
  });

  test.for([
    { name: 'nothing', kept: {}, missing: 'mlc-chat-config.json' },
    { name: 'no library', kept: { ...files, 'webllm/wasm': {} }, missing: 'small.wasm' },
    {
      name: 'one shard missing',
      kept: {
        ...files,
        'webllm/model': Object.fromEntries(
          Object.entries(files['webllm/model'] ?? {}).filter(([url]) => !url.includes('shard')),
        ),
      },
      missing: 'params_shard_0.bin',
    },
  ])('fails with the name of the missing file if the cache has $name', async ({ kept, missing }) => {
    const { loading, progress } = load({ kept, onLoad: () => Promise.reject(new Error('asked')) });
    await expect(loading).rejects.toMatchObject({
      code: 'model-not-downloaded',
      message: expect.stringContaining(missing),
    });
    expect(progress).toEqual(['engine 0']);
  });

  test('reports a web page in place of a model file as a damaged model', async () => {
    const kept = structuredClone(files);
    for (const url of Object.keys(kept['webllm/config'] ?? {}))
      Object.assign(kept['webllm/config'] ?? {}, { [url]: '<html>' });
    await expect(load({ kept }).loading).rejects.toMatchObject({ code: 'model-damaged' });
  });

  const named = (name: string, message: string) => Object.assign(new Error(message), { name });
  test.for<{ error: unknown; code: string }>([
    { error: 'Engine.unload() is called.', code: 'load-cancelled' },
    {
      error: new Error('Unable to find a compatible GPU. This issue might be because …'),
      code: 'gpu-missing',
    },
    {
      error: named('ShaderF16SupportError', 'This model requires WebGPU extension shader-f16'),
      code: 'gpu-unfit',
    },
    {
      error: named('DeviceLostError', 'The WebGPU device was lost while loading the model.'),
      code: 'out-of-memory',
    },
    {
      error: named('GPUOutOfMemoryError', 'Not enough memory left.'),
      code: 'out-of-memory',
    },
    { error: new WebAssembly.CompileError('expected magic word'), code: 'library-unusable' },
    { error: new WebAssembly.LinkError('function import requires a callable'), code: 'library-unusable' },
    { error: named('IntegrityError', 'hash differs'), code: 'model-damaged' },
    {
      error: new TypeError("Failed to execute 'add' on 'Cache': Request failed"),
      code: 'model-not-downloaded',
    },
    { error: new Error('what is this?'), code: 'engine-crashed' },
  ])('turns the error "$error" into the code $code', async ({ error, code }) => {
    const fail = async () => {
      throw error;
    };
    await expect(load({ onLoad: fail }).loading).rejects.toMatchObject({ code });
  });

  test.for<{ name: string; id: string; found: DeviceFacts['gpu']; code: string }>([
    { name: 'no GPU', id: 'small', found: 'blocked', code: 'gpu-missing' },
    { name: 'no 16-bit numbers', id: 'a-q4f16_1-MLC', found: { ...gpu, hasF16: false }, code: 'gpu-unfit' },
    {
      name: 'a suitable GPU',
      id: 'a-q4f32_1-MLC',
      found: { ...gpu, hasF16: false },
      code: 'engine-crashed',
    },
  ])(
    'reports an unknown error as a GPU problem only if the GPU is missing or unsuitable: $name',
    async ({ id, found, code }) => {
      const fail = () => Promise.reject(new Error('what is this?'));
      await expect(load({ onLoad: fail, id, found }).loading).rejects.toMatchObject({ code });
    },
  );

  test.for([
    { name: 'only exclamation marks', says: ['!!!!', '!'.repeat(64)] },
    { name: 'nothing', says: ['', ''] },
  ])('fails if the loaded model writes $name', async ({ says }) => {
    await expect(load({ says }).loading).rejects.toMatchObject({ code: 'model-garbled' });
  });

  test('times out without progress', async () => {
    const { loading } = load({ onLoad: () => new Promise(() => undefined), silentMs: 20 });
    await expect(loading).rejects.toMatchObject({ code: 'engine-timeout' });
  });
});

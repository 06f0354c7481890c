/** Checks what every kind of engine declares before its code is loaded. */
import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/engines/library/catalog';
import { ember } from '../../src/ember/spec';
import { specOf } from '../../src/engines/library/entry';
import { engineLoaders } from '../../src/engines/load-worker-engine';
import { engines } from '../../src/engines/kinds';
import { engineOf } from '../../src/engines/registry';
import type { DeviceFacts } from '../../src/platform/webgpu';

const bareDevice: DeviceFacts = {
  gpu: 'none',
  cores: 2,
  isMobile: false,
  hasJspi: false,
  hasRelaxedSimd: false,
  isIsolated: false,
  isPersisted: false,
};
const neededByNothing = { precision: 'f16', bufferBytes: 0 } as const;

test('every engine has a unique id', () => {
  expect(new Set(engines.map(({ id }) => id)).size).toBe(engines.length);
  expect(engineOf({ engine: 'never-heard-of' })).toBeUndefined();
});

test('a former engine id maps to the engine that replaced it', () => {
  for (const engine of ['wllama', 'small-llama']) expect(engineOf({ engine })?.id).toBe('llama');
});

test('every engine in the source code is registered', () => {
  const folders = Object.keys(import.meta.glob('../../src/engines/*/kind.ts'));
  expect(engines).toHaveLength(folders.length);
});

test.for(engines)('invariant: every engine passes the conformance suite: $id', ({ id }) => {
  const cases = Object.values(
    import.meta.glob<string>('../{contract,ui}/engine-conformance.test.ts', {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  );
  expect(cases).toHaveLength(2);
  expect(cases.some((text) => text.includes(`name: '${id}'`))).toBe(true);
});

test.for([ember, ...catalog])('the engine that runs the model is registered: $id', ({ engine }) => {
  expect(engineOf({ engine })).toBeDefined();
});

test('a device without any special capability can run the built-in model', () => {
  expect(engineOf(ember)?.obstacles?.(bareDevice, neededByNothing) ?? []).toEqual([]);
  expect(engineOf(ember)?.canRun?.(ember, bareDevice) ?? true).toBe(true);
});

describe.for(engines)('the engine $id', (kind) => {
  const entries = catalog.filter(({ engine }) => engine === kind.id);

  test('is listed as a worker engine exactly when it runs in a worker', () => {
    expect(kind.id in engineLoaders).toBe(kind.runsIn === 'worker');
  });

  test('lists each model file once, with a valid address', async () => {
    for (const entry of entries) {
      for (const variant of entry.variants) {
        const spec = specOf(entry, variant, { contextTokens: 4096, isThinking: false });
        const first = kind.files?.first(spec) ?? [];
        expect(first.length).toBeGreaterThan(0);
        expect(new Set(first.map(({ url }) => url)).size).toBe(first.length);
        for (const { url } of first) expect(URL.canParse(url), url).toBe(true);
        const shared = kind.files?.shared?.(spec);
        if (shared !== undefined) expect(first.map(({ url }) => url)).toContain(shared);
      }
    }
  });

  test('gives a reason whenever a device cannot run its models', () => {
    const runs = (kind.obstacles?.(bareDevice, neededByNothing) ?? []).length === 0;
    for (const entry of entries) {
      for (const variant of entry.variants) {
        const spec = specOf(entry, variant, { contextTokens: 4096, isThinking: false });
        expect(kind.canRun?.(spec, bareDevice) ?? true).toBe(runs);
      }
    }
  });
});

test.for([
  { modelUrl: 'https://example.org/model.GGUF', libraryUrl: '', engine: 'llama' },
  { modelUrl: 'https://example.org/model.gguf?download=true', libraryUrl: '', engine: 'llama' },
  { modelUrl: 'https://example.org/folder', libraryUrl: 'https://example.org/lib.wasm', engine: 'web-llm' },
  { modelUrl: 'https://example.org/folder', libraryUrl: '', engine: undefined },
])(
  'the model URL and the library URL decide the engine: engine $engine, model URL $modelUrl, library URL "$libraryUrl"',
  ({ engine, ...entry }) => {
    expect(engines.filter(({ own }) => own?.claims?.(entry)).map(({ id }) => id)).toEqual(
      engine ? [engine] : [],
    );
  },
);

/** Checks what every kind of engine declares before its code is loaded. */
import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/engines/library/catalog';
import { ember } from '../../src/ember/spec';
import { specOf } from '../../src/engines/library/entry';
import { workerEngines } from '../../src/engines/load-worker-engine';
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

test('every engine has its own id', () => {
  expect(new Set(engines.map(({ id }) => id)).size).toBe(engines.length);
  expect(engineOf({ engine: 'never-heard-of' })).toBeUndefined();
});

test('a former engine id maps to the engine that replaced it', () => {
  for (const engine of ['wllama', 'small-llama']) expect(engineOf({ engine })?.id).toBe('llama');
});

test('every engine folder is registered', () => {
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

test.for([ember, ...catalog])('the engine of the model $id is registered', ({ engine }) => {
  expect(engineOf({ engine })).toBeDefined();
});

test('a device without any special capability can run the built-in model', () => {
  expect(engineOf(ember)?.obstacles?.(bareDevice, neededByNothing) ?? []).toEqual([]);
  expect(engineOf(ember)?.canRun?.(ember, bareDevice) ?? true).toBe(true);
});

describe.for(engines)('the engine $id', (kind) => {
  const entries = catalog.filter(({ engine }) => engine === kind.id);

  test('its code is registered for the worker or the page', () => {
    expect(workerEngines.includes(kind.id)).toBe(kind.runsIn === 'worker');
  });

  test('it lists each of its model files once, with an address', async () => {
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

  test('it gives a reason if it cannot run on a device', () => {
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
  'the engine $engine accepts the model URL $modelUrl with the library URL "$libraryUrl"',
  ({ engine, ...entry }) => {
    expect(engines.filter(({ own }) => own?.claims?.(entry)).map(({ id }) => id)).toEqual(
      engine ? [engine] : [],
    );
  },
);

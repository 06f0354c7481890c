import { afterEach, expect, test, vi } from 'vitest';
import { hasSharedMemory } from '../../../src/platform/wasm-features';

afterEach(() => {
  vi.unstubAllGlobals();
});

test.for([
  { isIsolated: true, SharedArrayBuffer, hasIt: true },
  { isIsolated: false, SharedArrayBuffer, hasIt: false },
  { isIsolated: true, SharedArrayBuffer: undefined, hasIt: false },
])(
  'threads can share memory only on an isolated page in a browser with SharedArrayBuffer: $hasIt',
  ({ isIsolated, hasIt, ...globals }) => {
    vi.stubGlobal('crossOriginIsolated', isIsolated);
    vi.stubGlobal('SharedArrayBuffer', globals.SharedArrayBuffer);
    expect(hasSharedMemory()).toBe(hasIt);
  },
);

/**
 * Runs before every unit test file. The files share a worker, which saves starting one each: clears what a file stored on `globalThis`, and
 * its modules with their state, before the next file.
 */
import { afterAll, vi } from 'vitest';

// Once Node 20 has optimized its own function, it rejects addresses with letters such as `ü`.
URL.canParse = (address, base) => {
  try {
    return new URL(address, base) instanceof URL;
  } catch {
    return false;
  }
};

const before = new Map(
  Reflect.ownKeys(globalThis).map((key) => [key, Reflect.getOwnPropertyDescriptor(globalThis, key)]),
);

afterAll(() => {
  vi.unstubAllGlobals();
  for (const key of Reflect.ownKeys(globalThis)) {
    if (!before.has(key)) Reflect.deleteProperty(globalThis, key);
  }
  for (const [key, descriptor] of before) {
    if (descriptor?.configurable) Reflect.defineProperty(globalThis, key, descriptor);
  }
  vi.resetModules();
});

/**
 * Runs before every file of unit tests. They share a worker, which spares each of them the start of one: what a file has put on
 * `globalThis`, and the modules with what they keep, are gone before the next.
 */
import { afterAll, vi } from 'vitest';

// Node 20's own, once it is called so often that it is compiled, takes addresses with letters such as `ü` for broken ones.
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

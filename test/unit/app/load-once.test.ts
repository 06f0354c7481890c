import { expect, test } from 'vitest';
import { loadLazily, loadOnce } from '../../../src/app/load-once';

test('simultaneous callers of a loader share one load', async () => {
  let loads = 0;
  const thing = loadOnce(async () => ++loads);
  expect(thing.begun).toBeUndefined();
  expect(await Promise.all([thing.load(), thing.load()])).toEqual([1, 1]);
  expect(await thing.begun).toBe(1);
  expect(loads).toBe(1);
});

test('after a failed load, the next caller tries again', async () => {
  let loads = 0;
  const thing = loadOnce(async () => {
    if (++loads === 1) throw new Error('no network');
    return loads;
  });
  await expect(thing.load()).rejects.toThrow('no network');
  expect(thing.begun).toBeUndefined();
  expect(await thing.load()).toBe(2);
});

class Counter {
  #count = 0;
  add(by: number) {
    this.#count += by;
    return Promise.resolve(this.#count);
  }
  reset() {
    this.#count = 0;
  }
}

test('a method called on a lazy service waits until the service has loaded', async () => {
  let open: (counter: Counter) => void = () => undefined;
  const opening = new Promise<Counter>((resolve) => (open = resolve));
  const service = loadLazily(() => opening);
  const sums = Promise.all([service.add(2), service.add(3)]);
  open(new Counter());
  expect(await sums).toEqual([2, 5]);
  expect(service.add).toBe(service.add);
});

test('a promise can resolve to a lazy service', async () => {
  const service = loadLazily(async () => new Counter());
  const nested = loadLazily(() => Promise.resolve(service));
  expect(await nested.add(2)).toBe(2);
  expect(String(Reflect.get(service, Symbol.toPrimitive))).toBe('undefined');
});

test('a method that a lazy service gets in advance runs without loading the service', async () => {
  const service = loadLazily(() => Promise.reject<Counter>(new Error('closed')), { add: () => 7 });
  expect(service.add()).toBe(7);
  await expect(service.reset()).rejects.toThrow('closed');
});

test('a call to a lazy service fails if loading fails, and the next call loads it again', async () => {
  let loads = 0;
  const service = loadLazily(
    loadOnce(async () => {
      if (++loads === 1) throw new Error('closed');
      return new Counter();
    }).load,
  );
  await expect(service.add(1)).rejects.toThrow('closed');
  expect(await service.add(1)).toBe(1);
});

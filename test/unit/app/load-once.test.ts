import { expect, test } from 'vitest';
import { deferred, loadOnce } from '../../../src/app/load-once';

test('all callers share the first load', async () => {
  let loads = 0;
  const thing = loadOnce(async () => ++loads);
  expect(thing.begun).toBeUndefined();
  expect(await Promise.all([thing.load(), thing.load()])).toEqual([1, 1]);
  expect(await thing.begun).toBe(1);
  expect(loads).toBe(1);
});

test('a failed load is forgotten, and the next caller tries again', async () => {
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

test('only the named functions exist, and each waits for the load', async () => {
  let open: (counter: Counter) => void = () => undefined;
  const opening = new Promise<Counter>((resolve) => (open = resolve));
  const { add, ...others } = deferred(() => opening, ['add']);
  expect(others).toEqual({});
  const sums = Promise.all([add(2), add(3)]);
  open(new Counter());
  expect(await sums).toEqual([2, 5]);
});

test('a failed load rejects the calls of its functions', async () => {
  const { add } = deferred(() => Promise.reject<Counter>(new Error('closed')), ['add']);
  await expect(add(1)).rejects.toThrow('closed');
});

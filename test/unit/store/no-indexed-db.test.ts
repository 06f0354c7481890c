import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open-store';

test('without IndexedDB the store is in memory', async () => {
  expect(globalThis).not.toHaveProperty('indexedDB');
  expect(await openStore()).toMatchObject({
    condition: 'memory',
    detail: expect.stringContaining('MissingAPI'),
  });
});

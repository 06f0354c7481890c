import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/open-store';

test('data is stored in memory if the browser has no IndexedDB', async () => {
  expect(globalThis).not.toHaveProperty('indexedDB');
  expect(await openStore()).toMatchObject({
    condition: 'memory',
    detail: expect.stringContaining('MissingAPI'),
  });
});

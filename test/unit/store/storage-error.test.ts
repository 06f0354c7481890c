import { Dexie } from 'dexie';
import { describe, expect, test } from 'vitest';
import { runQuery } from '../../../src/store/storage-error';

describe('the function runQuery', () => {
  const quota = new DOMException('Full', 'QuotaExceededError');

  test.for([
    {
      name: 'a full disk, as reported by Dexie',
      error: new Dexie.AbortError('Aborted', quota),
      code: 'storage-full',
    },
    { name: 'a full disk, as reported by the browser', error: quota, code: 'storage-full' },
    {
      name: 'a transaction ended by the browser',
      error: new Dexie.AbortError(),
      code: 'storage-unavailable',
    },
    { name: 'a closed database', error: new Dexie.DatabaseClosedError(), code: 'storage-unavailable' },
    {
      name: 'a damaged file',
      error: new DOMException('Internal error.', 'UnknownError'),
      code: 'storage-unavailable',
    },
  ])('throws the error $code for $name', async ({ error, code }) => {
    const attempted = runQuery(() => Promise.reject(error));
    await expect(attempted).rejects.toMatchObject({ name: 'AppError', code, cause: error });
  });

  test.for([
    { name: 'a type error', error: new TypeError('x is undefined') },
    { name: 'a value that cannot be cloned', error: new DOMException('A proxy', 'DataCloneError') },
    { name: 'a duplicate key', error: new Dexie.ConstraintError() },
  ])('throws a programming error unchanged: $name', async ({ error }) => {
    await expect(runQuery(() => Promise.reject(error))).rejects.toBe(error);
  });

  test('returns the result of a successful query', async () => {
    expect(await runQuery(() => Promise.resolve(7))).toBe(7);
  });
});

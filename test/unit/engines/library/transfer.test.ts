/** The progress and speed of a download. */
import { expect, test } from 'vitest';
import { createDownloadMeter } from '../../../../src/engines/library/shelf';

test('a download of unknown size has an estimated total, never below what has arrived', () => {
  const transfer = createDownloadMeter(() => 0);
  transfer.set('a', 10, undefined);
  expect(transfer.read(100, true)).toEqual({ loadedBytes: 10, totalBytes: 100, isExact: false });
  transfer.set('a', 10, 10);
  transfer.set('b', 0, 500);
  expect(transfer.read(100, true)).toEqual({ loadedBytes: 10, totalBytes: 510, isExact: true });
  transfer.set('b', 900, 500);
  expect(transfer.read(100, true)).toEqual({ loadedBytes: 910, totalBytes: 910, isExact: true });
});

test('the total size of a download is an estimate while more files may follow', () => {
  const transfer = createDownloadMeter(() => 0);
  transfer.set('a', 10, 10);
  expect(transfer.read(100, false)).toEqual({ loadedBytes: 10, totalBytes: 100, isExact: false });
});

test('a known file size replaces a larger estimate', () => {
  const transfer = createDownloadMeter(() => 0);
  transfer.set('a', 10, 90);
  expect(transfer.read(100, true)).toMatchObject({ totalBytes: 90, isExact: true });
});

test('the speed of a download is its average over the last seconds', () => {
  let now = 0;
  const transfer = createDownloadMeter(() => now);
  transfer.set('a', 0, 100_000);
  now = 1000;
  transfer.set('a', 2000, 100_000);
  expect(transfer.read(0, true).bytesPerSecond).toBe(2000);
  now = 20_000;
  transfer.set('a', 3000, 100_000);
  // The only sample in the window, so there is no speed.
  expect(transfer.read(0, true).bytesPerSecond).toBeUndefined();
});

import { afterEach, expect, test, vi } from 'vitest';
import { openPartialDownload } from '../../../src/egress/download-files';

/** A browser folder that holds one file of at most `room` bytes. `onFull` imitates how browsers report a full disk. */
function stubFiles(room: number, onFull: (taken: number) => number) {
  const bytes: number[] = [];
  const access = {
    getSize: () => bytes.length,
    write(data: Uint8Array, { at }: { at: number }) {
      const taken = Math.min(data.byteLength, room - at);
      bytes.splice(at, Infinity, ...data.subarray(0, taken));
      return taken < data.byteLength ? onFull(taken) : taken;
    },
    truncate: (size: number) => void bytes.splice(size),
    flush: () => undefined,
    close: () => undefined,
  };
  const folder = {
    getDirectoryHandle: async () => folder,
    getFileHandle: async () => ({ createSyncAccessHandle: async () => access }),
  };
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => folder } });
  return bytes;
}
afterEach(() => vi.unstubAllGlobals());

test('new data of a download is appended to its partial file', async () => {
  const bytes = stubFiles(10, (taken) => taken);
  const part = await openPartialDownload('https://models.example/a');
  part.append(Uint8Array.of(1, 2));
  part.append(Uint8Array.of(3));
  expect(part.size()).toBe(3);
  expect(bytes).toEqual([1, 2, 3]);
  part.clear();
  expect(part.size()).toBe(0);
});

test.for([
  { name: 'too few', onFull: (taken: number) => taken },
  { name: 'no', onFull: () => 0 },
  { name: 'its error number as the number of', onFull: () => 4_294_967_288 },
])(
  'a disk that reports $name written bytes counts as full, and the partial file is kept',
  async ({ onFull }) => {
    const bytes = stubFiles(3, onFull);
    const part = await openPartialDownload('https://models.example/a');
    part.append(Uint8Array.of(1, 2));
    expect(() => part.append(Uint8Array.of(3, 4))).toThrow('No room left.');
    expect(part.size()).toBe(bytes.length);
    expect(bytes.slice(0, 2)).toEqual([1, 2]);
  },
);

/** Which files of a model are on the device, in the browser's caches and folders. */
import { afterEach, expect, test } from 'vitest';
import type { DownloadFile } from '../../src/contracts/egress';
import {
  deleteFiles,
  storeFile,
  storedSizesOf,
  listStoredFiles,
  openPartialDownloadHandle,
} from '../../src/egress/kept-files';

const file = (name: string, place: DownloadFile['place']) => ({
  url: `https://models.example/${name}`,
  place,
});
const weights = file('weights.bin', 'webllm/model');
const gguf = file('model.gguf', 'files');

afterEach(() => deleteFiles([weights, gguf]));

test('a model file that was never downloaded is reported as missing', async () => {
  await storeFile('webllm/model', weights.url, new Blob(['x']));
  const isHere = await listStoredFiles();
  expect(await isHere(gguf)).toBe(false);
  expect(await isHere(file('weights', 'webllm/model'))).toBe(false);
  // The same address in another cache is a different file.
  expect(await isHere(file('weights.bin', 'webllm/wasm'))).toBe(false);
});

test("a complete model file is found both in the browser's cache and in the file folder", async () => {
  await storeFile('webllm/model', weights.url, new Blob(['x']));
  await storeFile('files', gguf.url, new Blob(['abc']));
  const isHere = await listStoredFiles();
  expect(await isHere(weights)).toBe(true);
  expect(await isHere(gguf)).toBe(true);
  expect(await storedSizesOf([gguf, weights])).toEqual([
    { isWhole: true, bytes: 3 },
    { isWhole: true, bytes: 1 },
  ]);
});

test('a partly downloaded model file is found wherever the complete file would be stored', async () => {
  await openPartialDownloadHandle(gguf.url);
  await openPartialDownloadHandle(weights.url);
  const isHere = await listStoredFiles();
  expect(await isHere(gguf)).toBe(true);
  expect(await isHere(weights)).toBe(true);
});

test('a deleted model file is reported as missing', async () => {
  await storeFile('files', gguf.url, new Blob(['abc']));
  await deleteFiles([gguf]);
  expect(await (await listStoredFiles())(gguf)).toBe(false);
});

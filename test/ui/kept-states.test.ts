/** States of llama.cpp's cache, in memory and on the device. Runs in a page, because only a browser has private files. */
import { beforeEach, describe, expect, test } from 'vitest';
import { deleteFiles, saveThreadCounts, readThreadCounts } from '../../src/egress/kept-files';
import {
  createStateCache,
  createStateStorage,
  type SavedState,
  countSharedTokens,
} from '../../src/engines/llama/kept-states';

const state = (tokens: number[], bytes = 10): SavedState => ({
  tokens,
  state: new Uint8Array(bytes).fill(tokens.length),
});

test.for([
  { one: [], other: [1], shared: 0 },
  { one: [1, 2, 3], other: [1, 2, 3, 4], shared: 3 },
  { one: [1, 2, 3, 4], other: [1, 2, 3], shared: 3 },
  { one: [1, 2, 3], other: [1, 9, 3], shared: 1 },
])(
  'the tokens that two prompts share at the start are counted: $one and $other share $shared',
  ({ one, other, shared }) => {
    expect(countSharedTokens(one, other)).toBe(shared);
  },
);

describe('conversation states cached in memory', () => {
  test('the cached state that shares the most tokens with a prompt is found', () => {
    const conversations = createStateCache();
    expect(conversations.find([1, 2])).toBeUndefined();
    conversations.add(state([1, 2, 3]));
    conversations.add(state([1, 2, 7, 8]));
    expect(conversations.find([1, 2, 3, 4])).toMatchObject({ kept: { tokens: [1, 2, 3] }, shared: 3 });
    expect(conversations.find([1, 2, 7])).toMatchObject({ kept: { tokens: [1, 2, 7, 8] }, shared: 3 });
  });

  test('a longer state replaces the shorter state that it continues', () => {
    const conversations = createStateCache();
    conversations.add(state([1, 2]));
    conversations.add(state([1, 2, 3]));
    expect(conversations.find([1, 2])?.kept.tokens).toEqual([1, 2, 3]);
  });

  test('the oldest state is deleted when the memory limit is exceeded', () => {
    const conversations = createStateCache();
    for (const first of [1, 2, 3]) conversations.add(state([first, 0], 50 * 2 ** 20));
    expect(conversations.find([1, 0])?.shared).toBe(0);
    expect(conversations.find([2, 0])?.shared).toBe(2);
    expect(conversations.find([3, 0])?.shared).toBe(2);
  });
});

describe('conversation states stored on the device', () => {
  const model = 'https://models.example/small.gguf';
  beforeEach(() => deleteFiles([{ url: model, place: 'files' }]));

  test('a stored state is found only with the same model, tokens and llama.cpp build', async () => {
    const states = createStateStorage(model, 'build-1');
    expect(await states.find([1, 2])).toBeUndefined();
    await states.add(state([1, 2]));
    expect(await states.find([1, 2])).toEqual(state([1, 2]).state);
    expect(await states.find([1, 2, 3])).toBeUndefined();
    expect(await createStateStorage(model, 'build-2').find([1, 2])).toBeUndefined();
    expect(
      await createStateStorage('https://models.example/other.gguf', 'build-1').find([1, 2]),
    ).toBeUndefined();
  });

  test('a damaged state is ignored', async () => {
    const states = createStateStorage(model, 'build-1');
    await states.add(state([1, 2]));
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('model-states');
    for await (const entry of folder.values()) {
      if (entry.kind !== 'file') continue;
      const writable = await entry.createWritable({ keepExistingData: true });
      await writable.write({ type: 'write', position: 40, data: Uint8Array.of(99) });
      await writable.close();
    }
    expect(await states.find([1, 2])).toBeUndefined();
  });

  test('at most four states are stored per model, and deleting the model deletes them', async () => {
    const states = createStateStorage(model, 'build-1');
    await saveThreadCounts(model, { writing: 2, reading: 4 });
    for (const last of [1, 2, 3, 4, 5]) {
      await states.add(state([0, last]));
      // The oldest file is found by its time in milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await states.find([0, 1])).toBeUndefined();
    expect(await states.find([0, 2])).toBeDefined();
    expect(await readThreadCounts(model)).toEqual({ writing: 2, reading: 4 });
    await deleteFiles([{ url: model, place: 'files' }]);
    expect(await states.find([0, 5])).toBeUndefined();
    expect(await readThreadCounts(model)).toBeUndefined();
  });
});

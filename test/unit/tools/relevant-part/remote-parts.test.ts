import { expect, test } from 'vitest';
import { findRelevantParts } from '../../../../src/text/relevant-part';
import { createPartsFinder } from '../../../../src/tools/relevant-part/remote-parts';
import { serveParts } from '../../../../src/tools/relevant-part/serve-parts';
import { createChannelWorkers } from '../../../support/channel-worker';

const lines = Array.from({ length: 300 }, (_, at) => `Day ${at}: the sea was calm.`);
lines[211] = 'Day 211: the keeper painted the door.';
const text = lines.join('\n\n');
const options = { query: 'Who painted the door?', given: [[0, 20]] as const };
const hang = () => new Promise<never>(() => undefined);

test('invariant: a long tool result is searched in a worker, which ends with the search', async () => {
  const { workers, startWorker } = createChannelWorkers(serveParts());
  const over = new AbortController();
  const found = await createPartsFinder(startWorker)(text, options, over.signal);
  const here = findRelevantParts(text, options);
  expect(found.isFound).toBe(true);
  for (const most of [100, 1000]) expect(await found.within(most)).toEqual(here.within(most));
  expect((await found.within(100)).text).toContain('painted the door');
  expect(workers).toMatchObject([{ isEnded: false }]);
  over.abort(new Error('over'));
  expect(workers).toMatchObject([{ isEnded: true }]);
  await expect(found.within(100)).rejects.toThrow('over');
});

test('each text that is searched gets its own worker', async () => {
  const { workers, startWorker } = createChannelWorkers(serveParts(), serveParts());
  const find = createPartsFinder(startWorker);
  const { signal } = new AbortController();
  const [one, other] = await Promise.all([
    find(text, options, signal),
    find('Nothing.', { query: 'door', given: [] }, signal),
  ]);
  expect([one.isFound, other.isFound]).toEqual([true, false]);
  expect((await one.within(100)).text).toContain('painted the door');
  expect(workers).toHaveLength(2);
});

test('an abort ends the search worker at once, and a search that is already aborted starts no worker', async () => {
  const { workers, startWorker } = createChannelWorkers({ open: hang });
  const find = createPartsFinder(startWorker);
  const stop = new AbortController();
  const found = find(text, options, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(found).rejects.toThrow('stopped');
  expect(workers).toMatchObject([{ isEnded: true }]);
  await expect(find(text, options, stop.signal)).rejects.toThrow('stopped');
  expect(workers).toHaveLength(1);
});

test('a crash of the search worker is reported, whether before or after its first answer', async () => {
  const { signal } = new AbortController();
  const { workers, startWorker } = createChannelWorkers({ open: hang }, serveParts());
  const find = createPartsFinder(startWorker);
  const lost = find(text, options, signal);
  workers[0]?.crash();
  await expect(lost).rejects.toThrow('broke down');
  const found = await find(text, options, signal);
  workers[1]?.crash();
  await expect(found.within(100)).rejects.toThrow('broke down');
});

test('a search fails if its worker does not start, is slow or gets invalid text', async () => {
  const { signal } = new AbortController();
  const none = createPartsFinder(() => {
    throw new Error('no worker');
  });
  await expect(none(text, options, signal)).rejects.toThrow('no worker');
  const { workers, startWorker } = createChannelWorkers({ open: hang });
  await expect(createPartsFinder(startWorker, 5)(text, options, signal)).rejects.toThrow('too long');
  expect(workers).toMatchObject([{ isEnded: true }]);
  expect(() => serveParts().open(7, options)).toThrow();
  expect(() => serveParts().within(7)).toThrow('No text is open');
});

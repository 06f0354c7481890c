import { afterEach, expect, test } from 'vitest';
import { createRemoteSearch, type RemoteSearch } from '../../../src/search/remote-search';
import { createChannelWorkers } from '../../support/channel-worker';

const names = { chats: 'chats', index: 'index' };
const answer = { hits: [], hasMore: false };

/** The API of a worker that always succeeds. */
const workingApi = {
  open: async () => ({ value: undefined }),
  find: async () => ({ value: answer }),
};

let search: RemoteSearch | undefined;
afterEach(() => search?.end());

function remoteSearch(workers: readonly object[], idleMs?: number) {
  const made = createChannelWorkers(...workers);
  search = createRemoteSearch({
    startWorker: made.startWorker,
    names,
    ...(idleMs !== undefined && { idleMs }),
  });
  return { search, workers: made.workers };
}

test('one search worker, opened once, answers all queries', async () => {
  let opened: unknown[] = [];
  const open = async (given: unknown) => {
    opened = [...opened, given];
    return { value: undefined };
  };
  const { search: remote, workers } = remoteSearch([{ ...workingApi, open }]);
  await remote.open();
  expect(await remote.find('a', 5)).toEqual(answer);
  expect(await remote.find('b', 5)).toEqual(answer);
  expect(opened).toEqual([names]);
  expect(workers).toHaveLength(1);
});

test('the page receives an error code when the search worker fails', async () => {
  const full = async () => ({ failure: '[storage-full] No room.' });
  const bug = async () => ({ failure: 'It broke.' });
  const { search: remote } = remoteSearch([{ ...workingApi, begin: full, find: bug }]);
  await expect(remote.begin()).rejects.toMatchObject({ code: 'storage-full' });
  await expect(remote.find('a', 5)).rejects.toMatchObject({ code: 'search-broken' });
});

test('if a search worker cannot be opened, the next query starts another one', async () => {
  const open = async () => ({ failure: 'UnknownError' });
  const { search: remote, workers } = remoteSearch([{ ...workingApi, open }, workingApi]);
  await expect(remote.find('a', 5)).rejects.toMatchObject({ code: 'search-broken' });
  expect(workers[0]?.isEnded).toBe(true);
  expect(await remote.find('a', 5)).toEqual(answer);
});

test('when the search worker crashes, pending queries fail and the next query starts another worker', async () => {
  const find = () => new Promise(() => undefined);
  const { search: remote, workers } = remoteSearch([{ ...workingApi, find }, workingApi]);
  const asked = remote.find('a', 5);
  const failed = expect(asked).rejects.toMatchObject({ code: 'search-broken' });
  await expect.poll(() => workers.length).toBe(1);
  workers[0]?.crash();
  await failed;
  expect(await remote.find('a', 5)).toEqual(answer);
});

test('an idle search worker is terminated', async () => {
  const { search: remote, workers } = remoteSearch([workingApi, workingApi], 5);
  await remote.find('a', 5);
  await expect.poll(() => workers[0]?.isEnded).toBe(true);
  expect(await remote.find('a', 5)).toEqual(answer);
  expect(workers).toHaveLength(2);
});

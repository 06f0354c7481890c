import { expect, test } from 'vitest';
import { createRemoteBackup } from '../../../src/backup/remote-backup';
import { createChannelWorkers } from '../../support/channel-worker';

const none = async () => ({ value: undefined });
const forever = () => new Promise(() => undefined);

test('each errand has a worker of its own, ended after it', async () => {
  const { startWorker, workers } = createChannelWorkers({ staged: none }, { drop: none });
  const remote = createRemoteBackup(startWorker);
  expect(await remote.staged()).toBeUndefined();
  await remote.drop();
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test('once it is ended, what is under way ends with its worker, and nothing more begins', async () => {
  const { startWorker, workers } = createChannelWorkers({ staged: forever }, { staged: none });
  const remote = createRemoteBackup(startWorker);
  const asked = remote.staged();
  remote.end();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  await expect(remote.staged()).rejects.toMatchObject({ name: 'AbortError' });
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true]);
});

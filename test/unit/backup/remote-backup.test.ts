import { expect, test } from 'vitest';
import { createRemoteBackup } from '../../../src/backup/remote-backup';
import { createChannelWorkers } from '../../support/channel-worker';

const none = async () => ({ value: undefined });
const forever = () => new Promise(() => undefined);

test('each backup task runs in a separate worker that ends with the task', async () => {
  const { startWorker, workers } = createChannelWorkers({ staged: none }, { drop: none });
  const remote = createRemoteBackup(startWorker);
  expect(await remote.staged()).toBeUndefined();
  await remote.drop();
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test('closing the backup service stops running tasks and refuses new ones', async () => {
  const { startWorker, workers } = createChannelWorkers({ staged: forever }, { staged: none });
  const remote = createRemoteBackup(startWorker);
  const asked = remote.staged();
  remote.end();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  await expect(remote.staged()).rejects.toMatchObject({ name: 'AbortError' });
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true]);
});

import { expect, test } from 'vitest';
import { createDownloader } from '../../../src/egress/downloader';
import { createChannelWorkers } from '../../support/channel-worker';

const job = { files: [], allowedAddresses: [] };
const { signal } = new AbortController();
const ignore = () => undefined;

function open(...behaviours: object[]) {
  const { startWorker, workers } = createChannelWorkers(...behaviours);
  return { workers, downloader: createDownloader({ startWorker, record: ignore, newId: () => 'one' }) };
}

test('ending the downloader stops its downloads and prevents new ones', async () => {
  const { downloader, workers } = open({ download: () => new Promise(ignore) });
  const asked = downloader.download(job, signal, ignore);
  downloader.end();
  expect(await asked).toMatchObject({ ok: false, failure: 'paused' });
  expect(await downloader.download(job, signal, ignore)).toMatchObject({ ok: false, failure: 'paused' });
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true]);
});

test('pausing a download before it starts prevents it from starting', async () => {
  const { downloader, workers } = open({ download: async () => ({ ok: true }) });
  expect(await downloader.download(job, AbortSignal.abort(), ignore)).toMatchObject({ failure: 'paused' });
  expect(workers).toEqual([]);
  expect(await downloader.download(job, signal, ignore)).toEqual({ ok: true });
});

test('a crash of the download worker is reported as a failure, not as a pause', async () => {
  const { downloader, workers } = open({ download: () => new Promise(ignore) });
  const asked = downloader.download(job, signal, ignore);
  workers[0]?.crash();
  expect(await asked).toMatchObject({ ok: false, failure: 'unreachable' });
});

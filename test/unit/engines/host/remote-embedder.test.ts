/** An embedding model behind real message channels, one channel per life of its worker. */
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import type { Embed } from '../../../../src/contracts/tool';
import { createRemoteEmbedder } from '../../../../src/engines/host/remote-model';
import { serveEmbedder } from '../../../../src/engines/host/serve-model';
import { ember } from '../../../../src/ember/spec';
import { createChannelWorkers } from '../../../support/channel-worker';

const spec = ember;
const { signal } = new AbortController();
const lengths: Embed = async (texts) => texts.map((text) => Float32Array.of(text.length, 1));

interface Changed {
  findModel?: () => Promise<typeof spec>;
  idleMs?: number;
}
function connect(
  lives: (() => Promise<Embed>)[],
  { findModel = async () => spec, idleMs = 60_000 }: Changed = {},
) {
  const { workers, startWorker } = createChannelWorkers(...lives.map((load) => serveEmbedder(load)));
  return { workers, ...createRemoteEmbedder({ startWorker, findModel, idleMs }) };
}

test('the embedding worker starts on first use and returns vectors in the order of the texts', async () => {
  const { workers, embed, end } = connect([async () => lengths]);
  expect(workers).toEqual([]);
  expect(await embed(['a', 'bbb'], signal)).toEqual([Float32Array.of(1, 1), Float32Array.of(3, 1)]);
  expect(await embed(['cc'], signal)).toEqual([Float32Array.of(2, 1)]);
  expect(workers).toHaveLength(1);
  end();
});

test('embedding requests run one at a time, and a failure does not affect the next one', async () => {
  const order: string[] = [];
  const { embed, end } = connect([
    async () => async (texts, stop) => {
      order.push(`begins ${texts.join()}`);
      await Promise.resolve();
      order.push(`ends ${texts.join()}`);
      if (texts.includes('bad')) throw new AppError('model-garbled', 'No numbers.');
      return lengths(texts, stop);
    },
  ]);
  const [first, second] = [embed(['bad'], signal), embed(['good'], signal)];
  await expect(first).rejects.toMatchObject({ code: 'model-garbled', message: 'No numbers.' });
  expect(await second).toEqual([Float32Array.of(4, 1)]);
  expect(order).toEqual(['begins bad', 'ends bad', 'begins good', 'ends good']);
  end();
});

test('an embedding model that cannot be loaded is reported with its error code', async () => {
  const damaged = connect([() => Promise.reject(new AppError('model-damaged', 'No GGUF.'))]);
  await expect(damaged.embed(['a'], signal)).rejects.toMatchObject({ code: 'model-damaged' });
  damaged.end();
  const findModel = () => Promise.reject(new AppError('model-not-downloaded', 'Gone.'));
  const gone = connect([async () => lengths], { findModel });
  await expect(gone.embed(['a'], signal)).rejects.toMatchObject({ code: 'model-not-downloaded' });
  gone.end();
});

test('an idle embedding worker is terminated, and the next request starts another', async () => {
  const { workers, embed, end } = connect([async () => lengths, async () => lengths], { idleMs: 1 });
  await embed(['a'], signal);
  await expect.poll(() => workers.map(({ isEnded }) => isEnded)).toEqual([true]);
  await embed(['a'], signal);
  expect(workers).toHaveLength(2);
  end();
});

test('a request to a busy embedding worker fails on Stop, on close and on a crash', async () => {
  const never: Embed = () => new Promise(() => undefined);
  const { workers, embed, end } = connect([async () => never, async () => never, async () => lengths]);
  const stop = new AbortController();
  const stopped = embed(['a'], stop.signal);
  stop.abort(new Error('Stopped.'));
  await expect(stopped).rejects.toThrow('Stopped.');
  const ended = embed(['a'], signal);
  end();
  await expect(ended).rejects.toMatchObject({ code: 'load-cancelled' });
  const crashed = embed(['a'], signal);
  workers[1]?.crash();
  await expect(crashed).rejects.toMatchObject({ code: 'engine-crashed' });
  expect(await embed(['a'], signal)).toHaveLength(1);
  end();
});

test('the embedding worker rejects invalid texts from the page', async () => {
  const served = serveEmbedder(async () => lengths);
  await expect(served.embed(['a'])).resolves.toMatchObject({ failure: expect.stringContaining('No model') });
  await expect(served.embed([7])).rejects.toThrow();
  expect(await served.openEmbedder({ id: 'odd' })).toEqual(expect.any(String));
});

import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contracts/app-error';
import { createGpuClaim, withGpuClaim } from '../../../../src/engines/host/running-model';
import { scriptedModel } from '../../../support/scripted-model';
import { small } from '../../../support/web-llm-model';

/** Fake locks of two tabs. */
function locks() {
  let isHeld = false;
  return async () => {
    if (isHeld) return undefined;
    isHeld = true;
    return () => void (isHeld = false);
  };
}

test('a model loads on the GPU in only one tab at a time', async () => {
  const takeLock = locks();
  const [one, other] = [createGpuClaim(takeLock), createGpuClaim(takeLock)];
  const release = await one.take(small);
  await expect(other.take(small)).rejects.toMatchObject({ code: 'model-elsewhere' });
  release();
  await other.take(small);
});

test('a second tab may load a model on the GPU if the user confirms', async () => {
  const takeLock = locks();
  const [one, other] = [createGpuClaim(takeLock), createGpuClaim(takeLock)];
  await one.take(small);
  other.share();
  const release = await other.take(small);
  release();
  await expect(createGpuClaim(takeLock).take(small)).rejects.toMatchObject({ code: 'model-elsewhere' });
});

test('a model on the CPU does not reserve the GPU', async () => {
  const takeLock = locks();
  await createGpuClaim(takeLock).take(small);
  await createGpuClaim(takeLock).take({ ...small, engine: 'llama' });
});

test('a model reserves the GPU before it loads and releases it when it closes', async () => {
  const { take } = createGpuClaim(locks());
  const log: string[] = [];
  const open = withGpuClaim(
    (spec) => ({
      ...scriptedModel(),
      load: async () => void log.push(`loads ${spec.id}`),
      close: () => void log.push('ends'),
    }),
    take,
  );
  const ignore = () => undefined;
  const [one, other] = [open(small), open(small)];
  await one.load(small, ignore);
  await expect(other.load(small, ignore)).rejects.toMatchObject({ code: 'model-elsewhere' });
  one.close(new AppError('load-cancelled', ''));
  await open(small).load(small, ignore);
  expect(log).toEqual([`loads ${small.id}`, 'ends', `loads ${small.id}`]);
});

test('a model that is closed while it waits for the GPU does not keep it reserved', async () => {
  const { take } = createGpuClaim(locks());
  const open = withGpuClaim(
    () => ({ ...scriptedModel(), load: async () => undefined, close: () => undefined }),
    take,
  );
  const ended = open(small);
  const loading = ended.load(small, () => undefined);
  ended.close(new AppError('load-cancelled', 'Cancelled.'));
  await expect(loading).rejects.toMatchObject({ code: 'load-cancelled' });
  await open(small).load(small, () => undefined);
});

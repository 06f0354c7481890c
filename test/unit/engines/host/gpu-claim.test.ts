import { expect, test } from 'vitest';
import { createGpuClaim } from '../../../../src/engines/host/gpu-claim';
import { small } from '../../../support/web-llm-model';

/** Of two tabs. */
function locks() {
  let isHeld = false;
  return async () => {
    if (isHeld) return undefined;
    isHeld = true;
    return () => void (isHeld = false);
  };
}

test('a model on the GPU is loaded in one tab, and in another once that lets go', async () => {
  const takeLock = locks();
  const [one, other] = [createGpuClaim(takeLock), createGpuClaim(takeLock)];
  const release = await one.take(small);
  await expect(other.take(small)).rejects.toMatchObject({ code: 'model-elsewhere' });
  release();
  await other.take(small);
});

test('a second one is loaded where the person wants it', async () => {
  const takeLock = locks();
  const [one, other] = [createGpuClaim(takeLock), createGpuClaim(takeLock)];
  await one.take(small);
  other.share();
  const release = await other.take(small);
  release();
  await expect(createGpuClaim(takeLock).take(small)).rejects.toMatchObject({ code: 'model-elsewhere' });
});

test('a model on the processor asks nobody', async () => {
  const takeLock = locks();
  await createGpuClaim(takeLock).take(small);
  await createGpuClaim(takeLock).take({ ...small, engine: 'wllama' });
});

/** One tab has a model on the GPU at a time: a second one needs as much memory again, so the person is asked before. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { Release } from '../../platform/locks';
import { engineOf } from '../registry';

export interface GpuClaim {
  /** Before a load; resolves to what ends the claim. Rejects with `AppError` 'model-elsewhere'. */
  take: (spec: ModelSpec) => Promise<Release>;
  /** In this visit a second one is wanted all the same. */
  share: () => void;
}

const nothing = () => undefined;

export function createGpuClaim(takeLock: (name: string) => Promise<Release | undefined>): GpuClaim {
  let isShared = false;
  return {
    async take({ id, engine }) {
      if (engineOf({ engine })?.place !== 'gpu') return nothing;
      const release = await takeLock('model-on-gpu');
      if (release) return release;
      if (isShared) return nothing;
      throw new AppError('model-elsewhere', `Another tab has a model on the GPU, so ${id} was not loaded.`);
    },
    share() {
      isShared = true;
    },
  };
}

/** Only one tab has a model on the GPU, because a second one needs as much memory again. The user is asked before another tab loads one. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { Release } from '../../platform/locks';
import { engineOf } from '../registry';
import type { RunningModel } from './running-model';

export interface GpuClaim {
  /** Claims the GPU before a load. Resolves to a function that releases it. Rejects with an `AppError` (`model-elsewhere`). */
  take: (spec: ModelSpec) => Promise<Release>;
  share: () => void;
}

const nothing = () => undefined;

/** Each load claims the GPU first, and the model's end releases it. */
export function withClaim(
  open: (spec: ModelSpec) => RunningModel,
  take: GpuClaim['take'],
): (spec: ModelSpec) => RunningModel {
  return (opened) => {
    const inner = open(opened);
    let ended: Error | undefined;
    let release = nothing as Release;
    return {
      ...inner,
      // A getter, because the value is only known after the load.
      get contextTokens() {
        return inner.contextTokens;
      },
      async load(spec, ...rest) {
        release = await take(spec);
        if (ended) {
          release();
          throw ended;
        }
        await inner.load(spec, ...rest);
      },
      close(reason) {
        ended ??= reason;
        inner.close(reason);
        release();
      },
    };
  };
}

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

/** One tab has a model on the GPU at a time: a second one needs as much memory again, so the person is asked before. */
import { AppError } from '../../contracts/app-error';
import type { ModelSpec } from '../../contracts/model';
import type { Release } from '../../platform/locks';
import { engineOf } from '../registry';
import type { RunningModel } from './running-model';

export interface GpuClaim {
  /** Before a load; resolves to what ends the claim. Rejects with `AppError` 'model-elsewhere'. */
  take: (spec: ModelSpec) => Promise<Release>;
  /** In this visit a second one is wanted all the same. */
  share: () => void;
}

const nothing = () => undefined;

/** Each life claims before it loads, and lets go with its end. */
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
      // It is known only once it is loaded.
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

/** Locks that callers wait for. The first paint does not need them, so they have their own file. */
import { findLockManager, type Release } from './locks';

/** Like `tryLock`, but waits up to `patienceMs` milliseconds, because the holder may be about to release the lock. */
export async function waitForLock(name: string, patienceMs: number): Promise<Release | undefined> {
  if (!canUseLocks()) return () => undefined;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    return await holdLock(name, { signal });
  } catch (error) {
    if (error === signal.reason) return undefined;
    throw error;
  }
}

export interface HoldLockOptions {
  signal: AbortSignal;
  isStealing?: boolean;
  onStolen?: () => void;
}

/** Waits while another tab holds the lock. Never resolves in a browser without locks. */
export function holdLock(name: string, { signal, isStealing, onStolen }: HoldLockOptions): Promise<Release> {
  return new Promise((resolve, reject) => {
    let isGranted = false;
    const hold = () => {
      isGranted = true;
      return new Promise<void>(resolve);
    };
    // The browser does not allow `steal` together with `signal`.
    const how = isStealing ? { steal: true } : { signal };
    findLockManager()
      ?.request(name, how, hold)
      .catch((error: unknown) => {
        if (isGranted) onStolen?.();
        else reject(error instanceof Error ? error : new Error(String(error)));
      });
  });
}

export function canUseLocks(): boolean {
  return findLockManager() !== undefined;
}

/** Locks that are waited for. Apart from the others: the first paint does without them. */
import { findLocks, type Release } from './locks';

/** As `tryLock`, but waits a moment: the holder may be one of this page that has just been ended. */
export function takeLock(name: string, patienceMs: number): Promise<Release | undefined> {
  const locks = findLocks();
  if (!locks) return Promise.resolve(() => undefined);
  const signal = AbortSignal.timeout(patienceMs);
  return new Promise((resolve, reject) => {
    const hold = () => new Promise<void>(resolve);
    locks.request(name, { signal }, hold).catch((error: unknown) => {
      if (error === signal.reason) resolve(undefined);
      else reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
}

export interface HoldOptions {
  /** Ends the wait, which then rejects with its reason. */
  signal: AbortSignal;
  /** Takes it at once from whoever holds it. */
  isStealing?: boolean;
  /** Another has taken it from this one. */
  onStolen?: () => void;
}

/** Waits for as long as another holds it. Never resolves where the browser has no locks. */
export function holdLock(name: string, { signal, isStealing, onStolen }: HoldOptions): Promise<Release> {
  return new Promise((resolve, reject) => {
    let isGranted = false;
    const hold = () => {
      isGranted = true;
      return new Promise<void>(resolve);
    };
    // The browser refuses both together.
    const how = isStealing ? { steal: true } : { signal };
    findLocks()
      ?.request(name, how, hold)
      .catch((error: unknown) => {
        if (isGranted) onStolen?.();
        else reject(error instanceof Error ? error : new Error(String(error)));
      });
  });
}

export function hasLocks(): boolean {
  return findLocks() !== undefined;
}

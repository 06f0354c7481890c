/** Locks that all tabs of the page share. The browser frees those of a tab that is closed or dies. */

export type Release = () => void;

/** Resolves at once: to what frees it, or to undefined if it is held. Always granted where the browser has no locks. */
export function tryLock(name: string): Promise<Release | undefined> {
  const locks = findLocks();
  if (!locks) return Promise.resolve(() => undefined);
  return new Promise((resolve, reject) => {
    const hold = (lock: Lock | null) => {
      if (lock) return new Promise<void>(resolve);
      resolve(undefined);
      return undefined;
    };
    locks.request(name, { ifAvailable: true }, hold).catch(reject);
  });
}

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

export async function isHeld(name: string): Promise<boolean> {
  return (await heldNames(name)).includes(name);
}

/** Resolves once nobody holds it, without taking it from whoever is next. At once where the browser has no locks. */
export async function whenFree(name: string): Promise<void> {
  await findLocks()?.request(name, { mode: 'shared' }, () => undefined);
}

/** The names that are held now, in any tab, and begin with `prefix`. None where the browser has no locks. */
export async function heldNames(prefix: string): Promise<string[]> {
  const { held = [] } = (await findLocks()?.query()) ?? {};
  return held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
}

/** Missing where the page was not loaded over HTTPS or from localhost. */
function findLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

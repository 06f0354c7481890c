/** Locks that all tabs of the app share. The browser frees the locks of a tab that closes or dies. */

export type Release = () => void;

/** Resolves at once, to undefined if the lock is held. Without browser locks it always succeeds. */
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

export async function isHeld(name: string): Promise<boolean> {
  return (await heldNames(name)).includes(name);
}

/** Resolves once nobody holds the lock, without taking it. Resolves at once without browser locks. */
export async function whenFree(name: string): Promise<void> {
  await findLocks()?.request(name, { mode: 'shared' }, () => undefined);
}

/** Names with this prefix that any tab holds now. Empty without browser locks. */
export async function heldNames(prefix: string): Promise<string[]> {
  const { held = [] } = (await findLocks()?.query()) ?? {};
  return held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
}

/** The browser's lock manager. Missing unless the page uses HTTPS or localhost. */
export function findLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

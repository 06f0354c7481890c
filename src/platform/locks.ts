/** Locks that all tabs share. The browser releases a tab's locks when the tab closes or crashes. */

export type Release = () => void;

/** Never waits: resolves to undefined if the lock is held. Always succeeds in a browser without locks. */
export function tryLock(name: string): Promise<Release | undefined> {
  const locks = findLockManager();
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

export async function isLockHeld(name: string): Promise<boolean> {
  return (await listHeldLocks(name)).includes(name);
}

/** Resolves when nobody holds the lock, without taking it. Resolves at once in a browser without locks. */
export async function whenLockFree(name: string): Promise<void> {
  await findLockManager()?.request(name, { mode: 'shared' }, () => undefined);
}

/** Names of locks that any tab holds and that start with `prefix`. Empty in a browser without locks. */
export async function listHeldLocks(prefix: string): Promise<string[]> {
  const { held = [] } = (await findLockManager()?.query()) ?? {};
  return held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name] : []));
}

/** The browser's lock manager. Missing unless the page uses HTTPS or localhost. */
export function findLockManager(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

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
export function findLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

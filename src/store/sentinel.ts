/** Remembers outside the database how much was in it: a damaged database reads as a shorter one, without an error. */
import { read, z } from '../contracts/schema';

/** Messages ever written and ever deleted. Neither goes down, and the messages there are their difference. */
export const Count = z.object({ written: z.int(), deleted: z.int() });
export type Count = z.infer<typeof Count>;

export interface Sentinel {
  /** Nothing written, as far as it knows, if it was never told. */
  read: () => Count;
  /** Call it only with what is committed: it may lag behind the database and never be ahead of it. */
  remember: (count: Count) => void;
  /** The database is being deleted on purpose: from now on nothing is missing. */
  forget: () => void;
}

/** For a store in memory, which loses nothing on its own. */
export const noSentinel: Sentinel = {
  read: () => ({ written: 0, deleted: 0 }),
  remember: () => undefined,
  forget: () => undefined,
};

/** What is needed of the browser's `Storage`, which the types of a worker do not know. */
interface TextStorage {
  getItem: (key: string) => string | null;
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
}

/** Where `storage` is missing or refuses, only the count inside the database is left to check. */
export function createSentinel(name: string, storage = findLocalStorage()): Sentinel {
  const key = `${name}.messages`;
  let isForgotten = false;

  const readCount = (): Count => {
    try {
      const count = read(Count, JSON.parse(storage?.getItem(key) ?? ''));
      if (count.ok) return count.value;
    } catch {
      // Never told, refused, or not ours.
    }
    return { written: 0, deleted: 0 };
  };
  return {
    read: readCount,
    remember({ written, deleted }) {
      const known = readCount();
      // Another tab may have told it more since.
      const isNewer = written > known.written || (written === known.written && deleted > known.deleted);
      if (isForgotten || !isNewer) return;
      try {
        storage?.setItem(key, JSON.stringify({ written, deleted }));
      } catch {
        // Full or refused: it lags behind, which is never an alarm.
      }
    },
    forget() {
      isForgotten = true;
      try {
        storage?.removeItem(key);
      } catch {
        // Refused: then it was never written either.
      }
    },
  };
}

function findLocalStorage(): TextStorage | undefined {
  try {
    // Missing in a worker; reading it throws where site data is blocked.
    return (globalThis as { localStorage?: TextStorage }).localStorage;
  } catch {
    return undefined;
  }
}

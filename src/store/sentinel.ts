/** Remembers the number of messages outside the database, because a damaged database can come back shorter without any error. */
import { read, z } from '../contracts/schema';

/** Messages ever written and ever deleted. Both only grow; their difference is the number of messages. */
export const Count = z.object({ written: z.int(), deleted: z.int() });
export type Count = z.infer<typeof Count>;

export interface Sentinel {
  read: () => Count;
  /** Call it only after a commit: the sentinel may be behind the database, but never ahead. */
  remember: (count: Count) => void;
  /** The database is deleted on purpose, so nothing is missing from now on. */
  forget: () => void;
}

export const noSentinel: Sentinel = {
  read: () => ({ written: 0, deleted: 0 }),
  remember: () => undefined,
  forget: () => undefined,
};

/** The part of the browser's `Storage` that is needed. Worker types do not include it. */
interface TextStorage {
  getItem: (key: string) => string | null;
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
}

/** If `storage` is missing or refuses, only the count inside the database is checked. */
export function createSentinel(name: string, storage = findLocalStorage()): Sentinel {
  const key = `${name}.messages`;
  let isForgotten = false;

  const readCount = (): Count => {
    try {
      const count = read(Count, JSON.parse(storage?.getItem(key) ?? ''));
      if (count.ok) return count.value;
    } catch {
      // Nothing stored, refused, or not our data.
    }
    return { written: 0, deleted: 0 };
  };
  return {
    read: readCount,
    remember({ written, deleted }) {
      const known = readCount();
      // Another tab may have stored a newer count.
      const isNewer = written > known.written || (written === known.written && deleted > known.deleted);
      if (isForgotten || !isNewer) return;
      try {
        storage?.setItem(key, JSON.stringify({ written, deleted }));
      } catch {
        // Storage is full or refused. Being behind raises no alarm.
      }
    },
    forget() {
      isForgotten = true;
      try {
        storage?.removeItem(key);
      } catch {
        // Refused, so nothing was stored either.
      }
    },
  };
}

function findLocalStorage(): TextStorage | undefined {
  try {
    // Workers do not have it, and reading it throws if site data is blocked.
    return (globalThis as { localStorage?: TextStorage }).localStorage;
  } catch {
    return undefined;
  }
}

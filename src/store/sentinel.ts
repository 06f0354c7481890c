/** Stores the message count in `localStorage`, outside the database. If the database loses messages, it may also lose its own count. */
import { read, z } from '../contracts/schema';

/** Numbers of messages ever written and ever deleted. Their difference is the current number of messages. */
export const MessageCount = z.object({ written: z.int(), deleted: z.int() });
export type MessageCount = z.infer<typeof MessageCount>;

export interface Sentinel {
  read: () => MessageCount;
  /** Call it only after a commit: the sentinel may be behind the database but never ahead. */
  remember: (count: MessageCount) => void;
  /** Call it when the user deletes all data, so the missing messages raise no alarm. */
  forget: () => void;
}

export const noSentinel: Sentinel = {
  read: () => ({ written: 0, deleted: 0 }),
  remember: () => undefined,
  forget: () => undefined,
};

/** The methods of the browser's `Storage` that we use. The types for workers do not include `Storage`. */
interface TextStorage {
  getItem: (key: string) => string | null;
  setItem: (key: string, text: string) => void;
  removeItem: (key: string) => void;
}

/** If `storage` is missing or unusable, only the count inside the database is checked. */
export function createSentinel(name: string, storage = findLocalStorage()): Sentinel {
  const key = `${name}.messages`;
  let isForgotten = false;

  const readCount = (): MessageCount => {
    try {
      const count = read(MessageCount, JSON.parse(storage?.getItem(key) ?? ''));
      if (count.ok) return count.value;
    } catch {
      // Nothing is stored, access is denied, or the data is not ours.
    }
    return { written: 0, deleted: 0 };
  };
  return {
    read: readCount,
    remember({ written, deleted }) {
      const known = readCount();
      const isNewer = written > known.written || (written === known.written && deleted > known.deleted);
      if (isForgotten || !isNewer) return;
      try {
        storage?.setItem(key, JSON.stringify({ written, deleted }));
      } catch {
        // Storage is full or access is denied. A sentinel that is behind raises no alarm.
      }
    },
    forget() {
      isForgotten = true;
      try {
        storage?.removeItem(key);
      } catch {
        // Access is denied, so nothing was stored either.
      }
    },
  };
}

function findLocalStorage(): TextStorage | undefined {
  try {
    // Workers have no `localStorage`, and the browser throws if it blocks site data.
    return (globalThis as { localStorage?: TextStorage }).localStorage;
  } catch {
    return undefined;
  }
}

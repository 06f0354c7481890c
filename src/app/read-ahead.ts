/** While the page is idle, the loaded model reads the text that the next question of the shown chat will begin with. */
import { whenIdle } from '../platform/page-events';

export interface ReadAhead {
  /** Starts reading when the page is idle, and stops an earlier read. Never rejects. */
  begin: () => Promise<void>;
  /** Stops reading. The tokens read so far stay in the cache. */
  stop: () => void;
}

/** Milliseconds to wait for an idle moment, at most. */
const idleMs = 2000;

/** `read` ends as its signal says, and may reject. */
export function createReadAhead({ read }: { read: (signal: AbortSignal) => Promise<void> }): ReadAhead {
  let current = new AbortController();
  const stop = () => current.abort();
  return {
    stop,
    async begin() {
      stop();
      current = new AbortController();
      const { signal } = current;
      await whenIdle(idleMs);
      // If this fails, the next question reads the text itself and reports the error.
      if (!signal.aborted) await read(signal).catch(() => undefined);
    },
  };
}

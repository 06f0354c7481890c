/** While nobody asks anything, the loaded model reads what the next question of the chat on the screen will begin with. */
import { whenIdle } from '../platform/page-events';

export interface ReadAhead {
  /** Once the page is idle; ends what was begun before. Never rejects. */
  begin: () => Promise<void>;
  /** At once: whatever was read by then stays read. */
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
      // What cannot be read ahead is read with the question, which then says what is wrong.
      if (!signal.aborted) await read(signal).catch(() => undefined);
    },
  };
}

/** Knows when no chat is being answered: a model gives one reply at a time, and users come before an exam. */

export interface Quiet {
  isBusy: () => boolean;
  /** Resolves when no chat is being answered, to a signal that aborts when an answer begins. Rejects when `signal` aborts. */
  whenQuiet: (signal: AbortSignal) => Promise<AbortSignal>;
  /** Marks a chat as being answered, until the returned function is called. */
  begin: () => () => void;
}

export function createQuiet(): Quiet {
  let count = 0;
  let busy = new AbortController();
  let waiting: (() => void)[] = [];
  return {
    isBusy: () => count > 0,
    async whenQuiet(signal) {
      while (count > 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => resolve(), { once: true });
        });
      }
      signal.throwIfAborted();
      return busy.signal;
    },
    begin() {
      count += 1;
      busy.abort();
      busy = new AbortController();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        count -= 1;
        if (count > 0) return;
        const freed = waiting;
        waiting = [];
        for (const resolve of freed) resolve();
      };
    },
  };
}

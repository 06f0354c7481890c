/** Knows when no chat is being answered: a model gives one reply at a time, and a person comes before an exam. */

export interface Quiet {
  isBusy: () => boolean;
  /** Resolves when no chat is being answered, to what aborts when one is again. Rejects when `signal` aborts. */
  whenQuiet: (signal: AbortSignal) => Promise<AbortSignal>;
  /** To be told how many chats are being answered. */
  setRunning: (count: number) => void;
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
    setRunning(running) {
      const wasBusy = count > 0;
      count = running;
      if (count > 0 && !wasBusy) {
        busy.abort();
        busy = new AbortController();
      }
      if (count > 0) return;
      const freed = waiting;
      waiting = [];
      for (const resolve of freed) resolve();
    },
  };
}

/** The time that a call may take: it begins anew when the tool says that it goes on, and stands still while a person is asked. */

export interface CallClock {
  /** Aborts when the time is over. */
  signal: AbortSignal;
  /** The call has said that it goes on. */
  restart: () => void;
  whileAsking: <Value>(work: () => Promise<Value>) => Promise<Value>;
  end: () => void;
}

/** In milliseconds: without a sign of the call, and for all of it, the time in which a person is asked not counted. */
export function startCallClock(callMs: number, longestMs: number, date: () => number): CallClock {
  const over = new AbortController();
  const stop = () => over.abort();
  let [silence, whole]: (ReturnType<typeof setTimeout> | undefined)[] = [];
  let left = longestMs;
  let startedAt = 0;
  let asking = 0;
  let isOver = false;
  const pause = () => {
    [silence, whole].forEach(clearTimeout);
    left -= date() - startedAt;
  };
  const run = () => {
    startedAt = date();
    silence = setTimeout(stop, callMs);
    whole = setTimeout(stop, Math.max(0, left));
  };
  run();
  return {
    signal: over.signal,
    restart() {
      if (asking > 0) return;
      clearTimeout(silence);
      silence = setTimeout(stop, callMs);
    },
    async whileAsking(work) {
      if (++asking === 1) pause();
      try {
        return await work();
      } finally {
        if (--asking === 0 && !isOver) run();
      }
    },
    end() {
      isOver = true;
      [silence, whole].forEach(clearTimeout);
    },
  };
}

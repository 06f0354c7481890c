/** The time that a call may take: it begins anew when the tool says that it goes on, and stands still while a person is asked. */

export interface CallClock {
  /** Aborts when the time is over. */
  signal: AbortSignal;
  /** The limit that ended it, in milliseconds. */
  readonly limitMs: number;
  /** The call has said that it goes on. */
  restart: () => void;
  whileAsking: <Value>(work: () => Promise<Value>) => Promise<Value>;
  end: () => void;
}

/** In milliseconds: without a sign of the call, and for all of it, the time in which a person is asked not counted. `begunAt` is a date. */
export function startCallClock(
  callMs: number,
  longestMs: number,
  date: () => number,
  begunAt = date(),
): CallClock {
  const over = new AbortController();
  let limitMs = callMs;
  const stopAfter = (limit: number) => () => {
    limitMs = limit;
    isOver = true;
    over.abort();
  };
  let [silence, whole]: (ReturnType<typeof setTimeout> | undefined)[] = [];
  let left = longestMs;
  let startedAt = begunAt;
  let asking = 0;
  let isOver = false;
  const pause = () => {
    [silence, whole].forEach(clearTimeout);
    left -= date() - startedAt;
  };
  const run = () => {
    silence = setTimeout(stopAfter(callMs), callMs);
    whole = setTimeout(stopAfter(longestMs), Math.max(0, left));
  };
  run();
  return {
    signal: over.signal,
    get limitMs() {
      return limitMs;
    },
    restart() {
      if (asking > 0 || isOver) return;
      clearTimeout(silence);
      silence = setTimeout(stopAfter(callMs), callMs);
    },
    async whileAsking(work) {
      if (++asking === 1) pause();
      try {
        return await work();
      } finally {
        if (--asking === 0 && !isOver) {
          startedAt = date();
          run();
        }
      }
    },
    end() {
      isOver = true;
      [silence, whole].forEach(clearTimeout);
    },
  };
}

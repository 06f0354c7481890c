/** Records when the page's model was loading, so that a turn can say how long it waited. */
import type { LoadWait } from '../contracts/model';
import type { HostPhase } from '../engines/host/model-host';

export interface LoadTimes {
  /** Called on each phase of the host. */
  see: (phase: HostPhase) => void;
  /** Returns a function. Each call of it returns the loads since its last call, with consecutive loads as one. */
  follow: () => () => LoadWait | undefined;
}

/** `date`: milliseconds since the epoch. */
export function createLoadTimes(date: () => number): LoadTimes {
  const kept = 8;
  let loads: { from: number; to?: number }[] = [];
  return {
    see({ type }) {
      const last = loads.at(-1);
      const isLoading = last !== undefined && last.to === undefined;
      // Progress arrives as the same phase again.
      if (type === 'loading' && !isLoading) loads = [...loads.slice(1 - kept), { from: date() }];
      else if (type !== 'loading' && isLoading) last.to = date();
    },
    follow() {
      let since = date();
      return () => {
        const now = date();
        const seen = loads.filter(({ to = now }) => to > since);
        const startedAt = Math.max(since, seen[0]?.from ?? now);
        const endedAt = seen.at(-1)?.to ?? now;
        since = now;
        return seen.length > 0 && endedAt > startedAt ? { startedAt, ms: endedAt - startedAt } : undefined;
      };
    },
  };
}

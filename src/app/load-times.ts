/** When the model of the page was being loaded: so a turn can say for how long it waited for that. */
import type { LoadWait } from '../contracts/model';
import type { HostPhase } from '../engines/host/model-host';

export interface LoadTimes {
  /** Told each time the host changes. */
  see: (phase: HostPhase) => void;
  /** From now on: what each call gives is what it was loaded since the call before, several loads in a row as one. */
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
      // Its progress comes as the same phase again.
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

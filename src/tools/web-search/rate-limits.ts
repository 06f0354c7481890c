/** How often each provider may be asked in a minute, so that a model in a loop costs nobody's quota. */

export interface RateLimits {
  /** Counts one search; 0 where it may be made now, else the milliseconds until the next may. */
  take: (id: string, perMinute: number) => number;
}

const minute = 60_000;

/** `now` in milliseconds, from any start. */
export function createRateLimits(now: () => number): RateLimits {
  const asked = new Map<string, number[]>();
  return {
    take(id, perMinute) {
      const recent = (asked.get(id) ?? []).filter((at) => at > now() - minute);
      asked.set(id, recent);
      const wait = recent.length < perMinute ? 0 : (recent.at(-perMinute) ?? 0) + minute - now();
      if (wait === 0) recent.push(now());
      return wait;
    },
  };
}

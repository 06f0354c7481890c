/** Limits requests per minute, so that a model in a loop does not use up a quota. */

export interface RateLimits {
  /** Counts one request and returns 0, or returns the milliseconds to wait if the limit is reached. */
  take: (id: string, perMinute: number) => number;
}

const minute = 60_000;

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

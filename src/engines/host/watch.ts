/** Watches a load or a reply for signs of life, so that no request waits forever for an engine that hangs. */

export interface WatchLimits {
  /** Maximum milliseconds without progress. Longer than an engine's own limit, and than a processor takes to read the instructions. */
  loadMs: number;
  firstTokenMs: number;
  betweenTokensMs: number;
  /** Milliseconds after which the user is told that the reply is slow. */
  slowMs: number;
}

export const watchLimits: WatchLimits = {
  loadMs: 600_000,
  firstTokenMs: 180_000,
  betweenTokensMs: 30_000,
  slowMs: 10_000,
};

interface Callbacks {
  onSlow: (isSlow: boolean) => void;
  onSilent: (seconds: number) => void;
}

export function createWatch(limits: WatchLimits, { onSlow, onSilent }: Callbacks) {
  let isSlow = false;
  let slowTimer: ReturnType<typeof setTimeout> | undefined;
  let silentTimer: ReturnType<typeof setTimeout> | undefined;

  const setSlow = (value: boolean) => {
    if (isSlow === value) return;
    isSlow = value;
    onSlow(value);
  };
  const clear = () => {
    clearTimeout(slowTimer);
    clearTimeout(silentTimer);
  };
  const wait = (ms: number) => {
    clear();
    slowTimer = setTimeout(() => setSlow(true), limits.slowMs);
    silentTimer = setTimeout(() => onSilent(ms / 1000), ms);
  };
  wait(limits.firstTokenMs);

  return {
    seen(isToken: boolean): void {
      setSlow(false);
      wait(isToken ? limits.betweenTokensMs : limits.firstTokenMs);
    },
    pause(): void {
      clear();
      setSlow(false);
    },
    end(): void {
      clear();
      setSlow(false);
    },
  };
}

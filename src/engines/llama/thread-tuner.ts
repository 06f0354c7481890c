/**
 * PURE: finds the fastest number of threads for one kind of work by timing the work itself. Threads wait for each other some hundred times
 * a token, so more of them help only while each has its own core, which a page cannot ask.
 */

export interface ThreadTuner {
  readonly threads: number;
  readonly choice: number;
  /** Adds the time of one piece of work on `threads`, in milliseconds per token. */
  add: (msPerToken: number) => void;
}

/** Samples for each number of threads. The best time counts, because other programs only slow it down. */
const samplesEach = 3;
/**
 * Pieces of work after which the neighbours of the choice are timed again: another program may want the cores now, and browsers optimise a
 * program while it runs. While the choice stays the same, each round is twice as long as the last.
 */
const firstRoundLength = 16;
const maxRoundLength = 256;
/** A smaller gain does not justify another core. */
const leastGain = 1.1;

/** `max`: maximum threads. `known`: the fastest number of an earlier visit. */
export function createThreadTuner(max: number, known?: number): ThreadTuner {
  const candidates = [1, 2, 4, 8].filter((count) => count <= max);
  const first = candidates.find((count) => count === known);
  let choice = first ?? 1;
  let waiting = candidates.length === 1 || first !== undefined ? [] : repeat(candidates);
  let best = new Map<number, number>();
  let left = 0;
  let round = firstRoundLength;

  function choose(): void {
    // Fewest first, so that each further thread must pay off.
    const timed = candidates.filter((count) => best.has(count));
    const timeOf = (count: number) => best.get(count) ?? Infinity;
    const before = choice;
    choice = timed.reduce((one, more) => (timeOf(more) * leastGain < timeOf(one) ? more : one));
    best = new Map();
    round = choice === before ? Math.min(2 * round, maxRoundLength) : firstRoundLength;
    left = round;
  }

  return {
    get threads() {
      return waiting[0] ?? choice;
    },
    get choice() {
      return choice;
    },
    add(msPerToken) {
      const [timed, ...rest] = waiting;
      if (timed !== undefined) {
        best.set(timed, Math.min(msPerToken, best.get(timed) ?? Infinity));
        waiting = rest;
        if (rest.length === 0) choose();
        return;
      }
      if (candidates.length === 1 || --left > 0) return;
      const place = candidates.indexOf(choice);
      waiting = repeat(candidates.slice(Math.max(0, place - 1), place + 2));
    },
  };
}

/** Alternates the counts, so that a change in load affects all of them. */
function repeat(counts: readonly number[]): number[] {
  return Array.from({ length: samplesEach }, () => counts.toReversed()).flat();
}

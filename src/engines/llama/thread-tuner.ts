/**
 * PURE: finds out on how many threads one kind of work is fastest, by timing the work itself. Threads wait for each other some hundred
 * times a token, so more of them help only while each has a core to itself, and a page cannot ask whether it has.
 */

export interface ThreadTuner {
  /** How many threads to use for the next piece of work. */
  readonly threads: number;
  /** What was fastest when it was last timed. */
  readonly choice: number;
  /** Takes the time of one piece of work that ran on `threads`, in milliseconds per token. */
  add: (msPerToken: number) => void;
}

/** Each number of threads is timed this often, and its best time counts: what else the machine does only makes it slower. */
const samplesEach = 3;
/**
 * After so many pieces of work the neighbours of the choice are timed again, for another program may want the cores now, and browsers
 * compile a program better while it runs. Each time the choice stays the same the next round is twice as long.
 */
const firstRoundLength = 16;
const maxRoundLength = 256;
/** A smaller gain than this is not worth another core. */
const leastGain = 1.1;

/** At most `max` threads. `known`: what was fastest in an earlier visit. */
export function createThreadTuner(max: number, known?: number): ThreadTuner {
  const candidates = [1, 2, 4, 8].filter((count) => count <= max);
  const first = candidates.find((count) => count === known);
  let choice = first ?? 1;
  /** To be timed, in this order. */
  let waiting = candidates.length === 1 || first !== undefined ? [] : repeat(candidates);
  let best = new Map<number, number>();
  let left = 0;
  let round = firstRoundLength;

  function choose(): void {
    // From the fewest on, so that more of them must earn their place.
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

/** In turn, so that what changes meanwhile changes for all of them. */
function repeat(counts: readonly number[]): number[] {
  return Array.from({ length: samplesEach }, () => counts.toReversed()).flat();
}

/** PURE: finds out on how many threads one kind of work is fastest, by timing the work itself. */

export interface ThreadTuner {
  /** How many threads to use next. */
  readonly threads: number;
  /** What was chosen; undefined while it is still timing. */
  readonly choice: number | undefined;
  /** Takes the time of one piece of work that ran on `threads`, in milliseconds per token. */
  add: (msPerToken: number) => void;
}

/** Each number of threads is timed this often, and its best time counts: what else the machine does only makes it slower. */
const samplesEach = 3;
/** The last times that are compared with the one that led to the choice. */
const recentSamples = 16;
/** How much slower than that the median of these may become before it is timed again. */
const tolerance = 1.6;

/** `max`: at most so many threads. `known`: what was chosen in an earlier visit. */
export function createThreadTuner(max: number, known?: number): ThreadTuner {
  const candidates = [1, 2, 4, 8].filter((count) => count <= max);
  let times = new Map<number, number[]>();
  let choice = candidates.length === 1 ? 1 : candidates.find((count) => count === known);
  /** Milliseconds per token to expect of the choice. */
  let expected = Infinity;
  let recent: number[] = [];

  const timesOf = (count: number) => times.get(count) ?? [];
  const untimed = () => candidates.find((count) => timesOf(count).length < samplesEach);

  function choose(): void {
    const best = (count: number) => Math.min(...timesOf(count));
    choice = candidates.reduce((one, other) => (best(other) < best(one) ? other : one));
    expected = best(choice);
    recent = [];
  }

  return {
    get threads() {
      return choice ?? untimed() ?? 1;
    },
    get choice() {
      return choice;
    },
    add(msPerToken) {
      if (choice === undefined) {
        const timed = untimed() ?? 1;
        times.set(timed, [...timesOf(timed), msPerToken]);
        if (untimed() === undefined) choose();
        return;
      }
      recent = [...recent, msPerToken].slice(-recentSamples);
      if (recent.length < recentSamples) return;
      const median = recent.toSorted((one, other) => one - other)[recentSamples / 2] ?? 0;
      if (expected === Infinity) expected = median;
      if (candidates.length === 1 || median <= tolerance * expected) return;
      // Another program wants the cores now, or the device is hot.
      times = new Map();
      choice = undefined;
    },
  };
}

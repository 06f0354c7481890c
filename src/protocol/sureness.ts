/** How sure a model was of its reply, from what the engine says of each token; as `Usage` has it. */

export interface Sureness {
  add(logProbability: number | undefined): void;
  /** Undefined where the engine has not told of every part. */
  of(reply: 'call' | 'words'): number | undefined;
}

export function createSureness(): Sureness {
  let all = 0;
  /** Of words it says that no call comes: what they are could have been said in many ways. */
  let first: number | undefined;
  let isTold = true;
  return {
    add(logProbability) {
      if (logProbability === undefined) isTold = false;
      all += logProbability ?? 0;
      first ??= all;
    },
    of: (reply) => (!isTold || first === undefined ? undefined : reply === 'call' ? all : first),
  };
}

/** What one turn may take. Each limit ends in a sentence the person can read. */
export interface Limits {
  /** How often the model is asked in a turn. */
  rounds: number;
  /** Tool calls in a turn. */
  calls: number;
  /** Milliseconds for one call, from its start or from the last that it said of its progress. */
  callMs: number;
  /** Milliseconds for one call, however often it says that it goes on. */
  longestCallMs: number;
  /** Times in a turn that an invalid call is asked for again. */
  secondChances: number;
  /** Characters of one tool result. */
  resultCharacters: number;
}

export const defaultLimits: Limits = {
  rounds: 8,
  calls: 16,
  callMs: 30_000,
  longestCallMs: 300_000,
  secondChances: 2,
  resultCharacters: 8_000,
};

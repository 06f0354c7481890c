/** What was done so that a turn goes on although its model could not: for the screen, the store and the trace. */
import { errorCodes } from './app-error';
import { z } from './schema';

/** The steps there are, in the order in which they are tried. */
export const rungs = ['fresh-worker', 'less-context', 'f32-twin', 'smaller-model', 'built-in'] as const;
export type Rung = (typeof rungs)[number];

export const RecoveryStep = z.object({
  rung: z.enum(rungs),
  /** What the model could not go on for; `detail` is what the engine said, in English. */
  fault: z.enum(errorCodes),
  detail: z.string(),
  /** As shown to a person: what could not go on, and what does. */
  from: z.string(),
  to: z.string(),
  /** Tokens that it reads at once from now on. */
  contextTokens: z.number(),
  /** Id of a variant that may do better and is not on this device: nothing is downloaded unasked. */
  missing: z.optional(z.string()),
});
export type RecoveryStep = z.infer<typeof RecoveryStep>;

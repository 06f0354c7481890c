/** What was done so that a turn goes on although its model could not: for the screen, the store and the trace. */
import { errorCodes } from './error-code';
import { z } from './schema';

/** The steps there are, in the order in which they are tried. */
export const rungs = ['fresh-worker', 'less-context', 'f32-twin', 'smaller-model', 'built-in'] as const;
export type Rung = (typeof rungs)[number];

export const RecoveryStep = z.object({
  /** `moved`: another tab had the engine, and is gone; the same model was started in one that is there. */
  rung: z.enum([...rungs, 'moved']),
  /** Why the model could not go on. */
  fault: z.enum(errorCodes),
  /** What the engine said of it, in English. */
  detail: z.string(),
  /** Name of the model that could not go on, as shown to a person. */
  from: z.string(),
  /** Name of the model that goes on: another, or the same. */
  to: z.string(),
  /** Context of the model that goes on: tokens of prompt and reply together. */
  contextTokens: z.number(),
  /** Id of a variant that may do better and is not on this device: nothing is downloaded unasked. Missing where there is none. */
  missing: z.optional(z.string()),
});
export type RecoveryStep = z.infer<typeof RecoveryStep>;

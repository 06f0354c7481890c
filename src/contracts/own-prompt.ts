/** A text that a person uses again: offered after `/`, with variables that are asked for (`prompt-template.ts`). */
import { z } from './schema';

export const OwnPrompt = z.object({
  id: z.string(),
  /** What it is found by. No two need differ, but the form sees to it. */
  name: z.string(),
  text: z.string(),
  /** Its place among the others, from the least on. */
  place: z.number(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  /** Milliseconds since the epoch: of the newest edit, or `createdAt`. Another place is no edit. */
  updatedAt: z.number(),
  /** Since when it is in the bin. Missing where it is not. */
  deletedAt: z.optional(z.number()),
});
export type OwnPrompt = z.infer<typeof OwnPrompt>;

/** Those there are, in their order, and what is there but cannot be read. */
export interface OwnPromptList {
  prompts: readonly OwnPrompt[];
  damaged: readonly { id: string; reason: string }[];
}

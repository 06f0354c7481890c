/** What is written down of a round beside its reply: when the model was asked, and what of the chat it was given. */
import { ContextUse, StageName } from './model';
import { z } from './schema';

/** That the model had to be loaded first, or was being loaded already. */
const LoadWait = z.object({
  /** Milliseconds since the epoch; before `askedAt` where something else of the turn had it loaded. */
  startedAt: z.number(),
  ms: z.number(),
});
export type LoadWait = z.infer<typeof LoadWait>;

export const RoundRecord = z.object({
  /** When the model was asked. Milliseconds since the epoch. */
  askedAt: z.number(),
  /** What of the chat stood in the prompt. Missing where the model did not come to that. */
  context: z.optional(ContextUse),
  /** Milliseconds that summing up the earlier part of the chat took, before the reply. Missing where nothing was summed up. */
  summingUpMs: z.optional(z.number()),
  /** Missing where the model was there. */
  loading: z.optional(LoadWait),
  /** The stages that the request passed, in their order. Missing in chats of an older version, and where a later one wrote it otherwise. */
  stages: z.catch(z.optional(z.array(StageName)), undefined),
});
export type RoundRecord = z.infer<typeof RoundRecord>;

/** What stands in a prompt for the beginning of a chat that has outgrown its model. The chat itself stays as it is. */
import { z } from './schema';

export const Summary = z.object({
  text: z.string(),
  /** `rule`: the page put it together from what was said, word for word. */
  by: z.enum(['model', 'rule']),
  /** Name of the model that wrote it, or the older part of it, as shown to a person. Missing where the page wrote all of it. */
  model: z.optional(z.string()),
  /** Hosts whose text is in what it sums up: then it is outside text itself. Missing where there are none. */
  sources: z.optional(z.array(z.string())),
  /** Marks it in the prompt, so that no text in it can seem to end it. Stored, so that a rendered history never changes. */
  nonce: z.string(),
});
export type Summary = z.infer<typeof Summary>;

/** Of one branch. */
export const BranchSummary = z.extend(Summary, {
  /** For how many of the oldest messages it stands; system messages are not counted. */
  messages: z.number(),
});
export type BranchSummary = z.infer<typeof BranchSummary>;

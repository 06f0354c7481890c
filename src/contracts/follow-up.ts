/** A message that waits: it was written while an answer was on its way, and is asked when that has ended. */
import { Attached } from './message';
import { z } from './schema';

export const FollowUp = z.object({
  /** Also that of the message that it becomes. */
  id: z.string(),
  chatId: z.string(),
  /** Those of a chat are asked in the order of it, the lowest first. */
  place: z.number(),
  text: z.string(),
  /** As in the message that it will be. Missing where there is none. */
  sources: z.optional(z.array(z.string())),
  attached: z.optional(z.array(Attached)),
});
export type FollowUp = z.infer<typeof FollowUp>;

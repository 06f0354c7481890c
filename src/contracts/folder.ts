/** A folder of the list of chats: a chat is in one or in none. */
import { z } from './schema';

export const Folder = z.object({
  id: z.string(),
  /** As shown in the list. */
  name: z.string(),
  /** Whether its chats are out of sight. */
  isFolded: z.boolean(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});
export type Folder = z.infer<typeof Folder>;

/** How one tool has fared so far, on this device. */
import { z } from './schema';

export const ToolStatistics = z.object({
  /** Of the tool. */
  name: z.string(),
  /** Calls that ran. */
  calls: z.number(),
  /** Calls whose result was an error. */
  failures: z.number(),
  /** Calls whose text had to be repaired before it could be read. */
  repairs: z.number(),
  /** Milliseconds, of all calls together. */
  totalMs: z.number(),
});
export type ToolStatistics = z.infer<typeof ToolStatistics>;

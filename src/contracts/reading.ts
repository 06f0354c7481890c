/** Of a request that a model was not sure of: the ways in which it may be read. */
import { z } from './schema';

/** What a model was not sure of, and what was made of it. */
export const Doubt = z.object({
  /** The commonest first. */
  readings: z.array(
    z.object({
      calls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })),
      /** So many of the replies that were drawn read it so. */
      votes: z.number(),
    }),
  ),
  /** Replies that were drawn, those that read it in no way among them. */
  replies: z.number(),
  /** The reading that was gone on with: its place in the list. Missing where it was none of them. */
  chosen: z.optional(z.number()),
  /** Who chose. */
  by: z.enum(['person', 'page']),
});
export type Doubt = z.infer<typeof Doubt>;

/** From which log probability on, as in `Usage`, a reply counts as sure. */
export interface Thresholds {
  /** Of a reply in words: that no call was meant. */
  words: number;
  /** By the name of a tool that the model was trained on. */
  byTool: Readonly<Record<string, number>>;
  /** Of every other tool. */
  others: number;
}

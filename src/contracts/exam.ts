/** The exam: fixed requests that test a model on this device, and its results. */
import { z } from './schema';

/** Topics, in the order of the results table. `honest`: the request is impossible, and the model must not invent an answer. */
export const examKinds = [
  'sums',
  'time',
  'search',
  'page',
  'custom',
  'several',
  'chain',
  'none',
  'honest',
] as const;

export const ExamKind = z.enum(examKinds);
export type ExamKind = z.infer<typeof ExamKind>;

const ExamCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ExamCall = z.infer<typeof ExamCall>;

const ExamMistake = z.object({
  request: z.string(),
  expected: z.object({
    /** The calls that the model should have made, with an accepted value for each argument. Empty: no calls. Absent: any calls were right. */
    calls: z.optional(z.array(ExamCall)),
    facts: z.array(z.string()),
    /** True if every number in the answer must come from the request or a tool result. */
    isPlain: z.boolean(),
  }),
  came: z.object({
    calls: z.array(ExamCall),
    text: z.string(),
    invented: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
});
export type ExamMistake = z.infer<typeof ExamMistake>;

const ExamAnswer = z.object({
  id: z.string(),
  kind: ExamKind,
  language: z.enum(['en', 'zh']),
  /** True if the model was unsure. In a chat, Hearth would have asked the user. */
  isAsked: z.boolean(),
  mistake: z.optional(ExamMistake),
  /** Tokens that the model generated, without the first one of each reply. `decodeMs`: milliseconds that these tokens took. */
  outputTokens: z.number(),
  decodeMs: z.number(),
  firstTokenMs: z.optional(z.number()),
});
export type ExamAnswer = z.infer<typeof ExamAnswer>;

export const ExamRun = z.object({
  /** Identifies the set of requests. An exam can resume only a run of the same set. */
  set: z.string(),
  of: z.number(),
  updatedAt: z.number(),
  answers: z.array(ExamAnswer),
  /** True if the small model chose the tools, because the user wants that for this model. */
  withSmallModel: z.optional(z.boolean()),
});
export type ExamRun = z.infer<typeof ExamRun>;

export const ExamRecord = z.object({
  modelId: z.string(),
  modelName: z.string(),
  finished: z.optional(ExamRun),
  begun: z.optional(ExamRun),
});
export type ExamRecord = z.infer<typeof ExamRecord>;

export interface ExamStore {
  /** Leaves out unreadable records. Their models are tested again. */
  list: () => Promise<ExamRecord[]>;
  save: (record: ExamRecord) => Promise<void>;
  remove: (modelId: string) => Promise<void>;
}

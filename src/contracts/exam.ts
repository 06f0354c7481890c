/** The exam: fixed requests that test a model on this device, and its results. */
import { z } from './schema';

/** Topics in the order of the table. `honest`: the request is impossible, and the model must not invent an answer. */
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

const WrittenCall = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type WrittenCall = z.infer<typeof WrittenCall>;

/** A wrong answer: what was expected, and what the model did. */
const ExamMistake = z.object({
  request: z.string(),
  expected: z.object({
    /** Expected calls in order, with the first of the allowed values for each argument. Empty: no call. Absent: any calls. */
    calls: z.optional(z.array(WrittenCall)),
    /** Texts that the answer must contain. */
    facts: z.array(z.string()),
    /** Whether the answer must not contain anything that is in no tool result. */
    isPlain: z.boolean(),
  }),
  came: z.object({
    calls: z.array(WrittenCall),
    text: z.string(),
    /** What the answer invented or had to leave out. Absent if nothing. */
    invented: z.optional(z.string()),
    /** `writeError` of the failure. Absent if the model answered. */
    error: z.optional(z.string()),
  }),
});
export type ExamMistake = z.infer<typeof ExamMistake>;

const ExamAnswer = z.object({
  /** Id of the request, unique in the set. */
  id: z.string(),
  kind: ExamKind,
  language: z.enum(['en', 'zh']),
  /** The model was unsure and would have asked the user. */
  isAsked: z.boolean(),
  /** Absent if the answer was right. */
  mistake: z.optional(ExamMistake),
  /** Tokens the model generated itself, and the milliseconds from the first to the last token of each reply. */
  outputTokens: z.number(),
  decodeMs: z.number(),
  /** Milliseconds until the first token of the first reply. Absent if there was none. */
  firstTokenMs: z.optional(z.number()),
});
export type ExamAnswer = z.infer<typeof ExamAnswer>;

const ExamRun = z.object({
  /** Identifies the set of requests. A run with another set cannot be continued. */
  set: z.string(),
  /** Number of requests in the set. */
  of: z.number(),
  /** Milliseconds since the epoch. */
  updatedAt: z.number(),
  answers: z.array(ExamAnswer),
});
export type ExamRun = z.infer<typeof ExamRun>;

export const ExamRecord = z.object({
  modelId: z.string(),
  modelName: z.string(),
  /** The last complete run. */
  finished: z.optional(ExamRun),
  /** An interrupted or running run. */
  begun: z.optional(ExamRun),
});
export type ExamRecord = z.infer<typeof ExamRecord>;

export interface ExamStore {
  /** Leaves out records that cannot be read. Those models are tested again. */
  list: () => Promise<ExamRecord[]>;
  /** Replaces the record of the model. */
  save: (record: ExamRecord) => Promise<void>;
  remove: (modelId: string) => Promise<void>;
}

/** The exam: requests of ours that a model on this device is asked, and how it fared. */
import { z } from './schema';

/** What a request is about, in the order of the table. `honest`: what is asked for cannot be had, and must not be made up. */
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

/** A request that was not answered as it should be: what was expected, and what came. */
const ExamMistake = z.object({
  /** As a person would have typed it. */
  request: z.string(),
  expected: z.object({
    /** In their order; where an argument may have one of several values, the first. Empty: no call. Missing: whatever was called. */
    calls: z.optional(z.array(WrittenCall)),
    /** What the answer had to hold, each. */
    facts: z.array(z.string()),
    /** That nothing is said that stands in no result. */
    isPlain: z.boolean(),
  }),
  came: z.object({
    calls: z.array(WrittenCall),
    /** Of the answer. */
    text: z.string(),
    /** Said that stands in no result, or that had to be left out. Missing where nothing was. */
    invented: z.optional(z.string()),
    /** `writeError` of why there was no answer; missing where the model gave one. */
    error: z.optional(z.string()),
  }),
});
export type ExamMistake = z.infer<typeof ExamMistake>;

const ExamAnswer = z.object({
  /** Of the request; unique in the set. */
  id: z.string(),
  kind: ExamKind,
  language: z.enum(['en', 'zh']),
  /** The model was not sure, and would have let a person choose what they meant. */
  isAsked: z.boolean(),
  /** Missing where it was right. */
  mistake: z.optional(ExamMistake),
  /** Tokens that the model wrote by itself, and the milliseconds it took from the first to the last of each reply. */
  outputTokens: z.number(),
  decodeMs: z.number(),
  /** Milliseconds until the first token of the first reply. Missing where none came. */
  firstTokenMs: z.optional(z.number()),
});
export type ExamAnswer = z.infer<typeof ExamAnswer>;

const ExamRun = z.object({
  /** Names the requests: one that was begun with others cannot go on. */
  set: z.string(),
  /** How many requests there are. */
  of: z.number(),
  /** Milliseconds since the epoch. */
  updatedAt: z.number(),
  answers: z.array(ExamAnswer),
});
export type ExamRun = z.infer<typeof ExamRun>;

/** Of one model. */
export const ExamRecord = z.object({
  modelId: z.string(),
  /** As shown to a person. */
  modelName: z.string(),
  /** The last that came to its end. Missing where none has. */
  finished: z.optional(ExamRun),
  /** One that was broken off, or is going on. Missing where none is. */
  begun: z.optional(ExamRun),
});
export type ExamRecord = z.infer<typeof ExamRecord>;

/** How exams fared, by model. */
export interface ExamStore {
  /** Those that cannot be read are left out: such a model is tested anew. */
  list: () => Promise<ExamRecord[]>;
  /** Takes the place of what is kept of this model. */
  save: (record: ExamRecord) => Promise<void>;
  /** Resolves also if there is none. */
  remove: (modelId: string) => Promise<void>;
}

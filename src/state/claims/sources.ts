/** PURE: what an answer may rest on, and what has been done for it. */
import type { DateReading } from './dates-in';
import type { SourceIndex } from './index-text';

export interface DoneCall {
  /** Of the tool. */
  name: string;
  /** It was carried out, as far as its result says. */
  isDone: boolean;
  /** The tool says that it changes nothing. Missing where it does not say so. */
  isReading?: boolean;
}

export interface Sources {
  /** What was asked in this turn. */
  question: string;
  /** Of this turn: its question, arguments and results. Small steps of arithmetic go from these. */
  near: readonly SourceIndex[];
  /** Of the question alone, which is among those that are near. */
  asked: SourceIndex;
  /** Everything else that was said before. */
  far: readonly SourceIndex[];
  /** Of this turn. */
  calls: readonly DoneCall[];
  /** Of the turns before. */
  earlierCalls: readonly DoneCall[];
}

export interface Mark {
  type: 'number' | 'date' | 'deed';
  /** As it stands in the answer. */
  text: string;
  start: number;
  end: number;
}

/** Of a chat that told the time: the last word on it. */
export function todayOf({ near, far }: Sources): DateReading | undefined {
  return [...near, ...far].findLast(({ today }) => today !== undefined)?.today;
}

/** One request of the exam: the question, the results of its tools, and the correct answer. */
import type { ExamKind, WrittenCall } from '../../contracts/exam';
import type { JsonSchema } from '../../contracts/schema';

/** A tool made up for the exam, as a user might write it. No model has seen it in training. */
export interface CannedTool {
  name: string;
  description: string;
  /** Schema of each argument. Every argument is required. */
  parameters: Readonly<Record<string, JsonSchema>>;
  gives: string;
}

export interface WantedCall {
  name: string;
  /** Accepted values of each argument, the most common one first. For a search query: words, one of which it must contain. */
  arguments: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface ExamRequest {
  id: string;
  kind: ExamKind;
  language: 'en' | 'zh';
  text: string;
  /** Tools that are on in addition to the app's own. */
  tools?: readonly CannedTool[];
  found?: readonly { title: string; url: string; content: string }[];
  /** Text of each page, by URL. All other URLs fail. */
  pages?: Readonly<Record<string, string>>;
  /** The calls that must be made, in any order. If empty, no call is allowed. If undefined, any call is allowed. */
  calls?: readonly WantedCall[];
  /** Lists of alternative spellings. The answer must contain one string from each list. */
  facts?: readonly (readonly string[])[];
  /** If true, the answer may only contain numbers from the request or from a result. */
  isPlain?: true;
}

/** Returns the accepted spellings of a time: the one that tools use, and other common ones. */
export function timeSpellings(hour: number, minute: number): string[] {
  const two = String(minute).padStart(2, '0');
  const half = hour % 12 || 12;
  const padded = String(hour).padStart(2, '0');
  return [`${padded}:${two}`, `${hour}:${two}`, `${half}:${two}`, `${hour}点${minute}`, `${half}点${minute}`];
}

/** The time that every clock in the exam shows: `2026-03-18 06:40` UTC, a Wednesday. */
export const examTime = Date.UTC(2026, 2, 18, 6, 40);

export function usualCalls(calls: readonly WantedCall[]): WrittenCall[] {
  return calls.map(({ name, arguments: wanted }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(wanted).map(([key, [first]]) => [key, first])),
  }));
}

export const toolCall = (name: string, given: WantedCall['arguments']): WantedCall => ({
  name,
  arguments: given,
});
export const clockCall = (...place: string[]) => toolCall('clock', { place });
export const searchCall = (...words: string[]) => toolCall('web_search', { query: words });
export const pageCall = (url: string) => toolCall('fetch_page', { url: [url] });

export function createRequest(
  language: ExamRequest['language'],
  kind: ExamKind,
  at: number,
  text: string,
  rest: Omit<ExamRequest, 'id' | 'kind' | 'language' | 'text'>,
): ExamRequest {
  return { id: `${kind}-${language}-${at}`, kind, language, text, ...rest };
}

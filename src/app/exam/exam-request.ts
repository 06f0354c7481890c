/** One request of the exam: the question, what its tools return, and the correct answer. */
import type { ExamKind, WrittenCall } from '../../contracts/exam';
import type { JsonSchema } from '../../contracts/schema';

/** A tool that no model has seen in training, like one that a user might write. */
export interface CannedTool {
  name: string;
  description: string;
  /** Schema of each argument. All are required. */
  parameters: Readonly<Record<string, JsonSchema>>;
  /** The result of every call. */
  gives: string;
}

export interface WantedCall {
  name: string;
  /** Accepted values of each argument, the usual one first. A search query must contain only one of them. */
  arguments: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface ExamRequest {
  id: string;
  kind: ExamKind;
  language: 'en' | 'zh';
  text: string;
  /** Tools in addition to the app's own. */
  tools?: readonly CannedTool[];
  /** The hits of every search. */
  found?: readonly { title: string; url: string; content: string }[];
  /** Text of each page, by address. Other addresses fail. */
  pages?: Readonly<Record<string, string>>;
  /** The calls that must be made, in any order. Empty: no call is allowed. Undefined: any call is. */
  calls?: readonly WantedCall[];
  /** The answer must contain one string of each list. */
  facts?: readonly (readonly string[])[];
  /** The answer may contain no number that is neither in the request nor in a result. */
  isPlain?: true;
}

/** A time in the spelling of the tools and in common spellings. */
export function time(hour: number, minute: number): string[] {
  const two = String(minute).padStart(2, '0');
  const half = hour % 12 || 12;
  const padded = String(hour).padStart(2, '0');
  return [`${padded}:${two}`, `${hour}:${two}`, `${half}:${two}`, `${hour}点${minute}`, `${half}点${minute}`];
}

/** `2026-03-18 06:40` UTC, a Wednesday: the time that every clock of the exam shows. */
export const examTime = Date.UTC(2026, 2, 18, 6, 40);

export function shown(calls: readonly WantedCall[]): WrittenCall[] {
  return calls.map(({ name, arguments: wanted }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(wanted).map(([key, [first]]) => [key, first])),
  }));
}

export const own = (name: string, given: WantedCall['arguments']): WantedCall => ({ name, arguments: given });
export const clock = (...place: string[]) => own('clock', { place });
export const search = (...words: string[]) => own('web_search', { query: words });
export const page = (url: string) => own('fetch_page', { url: [url] });

export function ask(
  language: ExamRequest['language'],
  kind: ExamKind,
  at: number,
  text: string,
  rest: Omit<ExamRequest, 'id' | 'kind' | 'language' | 'text'>,
): ExamRequest {
  return { id: `${kind}-${language}-${at}`, kind, language, text, ...rest };
}

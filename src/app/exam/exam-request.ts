/** One request of the exam: the question, the results of its tools, and the right answer. */
import type { ExamKind, WrittenCall } from '../../contracts/exam';
import type { JsonSchema } from '../../contracts/schema';

/** A tool that no model has seen before, like one that a user might write. */
export interface CannedTool {
  name: string;
  description: string;
  /** Schema of each argument. All arguments are required. */
  parameters: Readonly<Record<string, JsonSchema>>;
  /** The result of every call. */
  gives: string;
}

export interface WantedCall {
  name: string;
  /** The right values of each argument, the usual one first. For search words it is enough to contain one of them. */
  arguments: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface ExamRequest {
  id: string;
  kind: ExamKind;
  language: 'en' | 'zh';
  text: string;
  /** Tools that are on in addition to the app's own. */
  tools?: readonly CannedTool[];
  /** The hits of every search. */
  found?: readonly { title: string; url: string; content: string }[];
  /** Pages by address. Any other address fails. */
  pages?: Readonly<Record<string, string>>;
  /** The calls to make, in any order. Empty: none is allowed. Absent: any calls that lead to the answer. */
  calls?: readonly WantedCall[];
  /** The answer must contain one text of each list. */
  facts?: readonly (readonly string[])[];
  /** The answer may contain no numbers except those of the request and the results. */
  isPlain?: true;
}

/** Returns a time as tools write it and as people say it. */
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

/** The schema of a text argument of a canned tool. */
export const word = (description: string) => ({ type: 'string', description });
export const count = (description: string) => ({ type: 'integer', description });

export const own = (name: string, given: WantedCall['arguments']): WantedCall => ({ name, arguments: given });
export const clock = (...place: string[]) => own('clock', { place });
export const search = (...words: string[]) => own('web_search', { query: words });
export const page = (url: string) => own('fetch_page', { url: [url] });

type Rest = Omit<ExamRequest, 'id' | 'kind' | 'language' | 'text'>;

export function ask(
  language: ExamRequest['language'],
  kind: ExamKind,
  at: number,
  text: string,
  rest: Rest,
): ExamRequest {
  return { id: `${kind}-${language}-${at}`, kind, language, text, ...rest };
}

export const sum = (language: ExamRequest['language'], at: number, text: string, answer: string) =>
  ask(language, 'sums', at, text, { facts: [[answer]] });

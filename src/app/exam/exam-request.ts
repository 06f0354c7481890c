/** One request of the exam: what is asked, what its tools give, and what a right answer is. */
import type { ExamKind, WrittenCall } from '../../contracts/exam';
import type { JsonSchema } from '../../contracts/schema';

/** A tool that no model has seen before, as a person might have made it. */
export interface CannedTool {
  name: string;
  description: string;
  /** Of each argument; all of them are required. */
  parameters: Readonly<Record<string, JsonSchema>>;
  /** What every call of it gives. */
  gives: string;
}

export interface WantedCall {
  name: string;
  /** Of each argument, the values that are right, the usual one first. Words of a search need only hold one of them. */
  arguments: Readonly<Record<string, readonly (string | number)[]>>;
}

export interface ExamRequest {
  id: string;
  kind: ExamKind;
  language: 'en' | 'zh';
  text: string;
  /** On beside the app's own. */
  tools?: readonly CannedTool[];
  /** What every search finds. */
  found?: readonly { title: string; url: string; content: string }[];
  /** By address. There are no others. */
  pages?: Readonly<Record<string, string>>;
  /** All that has to be called, in any order. Empty: nothing may be. Missing: whatever leads to the answer. */
  calls?: readonly WantedCall[];
  /** What the answer has to hold: of each list one. */
  facts?: readonly (readonly string[])[];
  /** No number may be said but those of the request and of results. */
  isPlain?: true;
}

/** As the tools give it, and as people say it. */
export function time(hour: number, minute: number): string[] {
  const two = String(minute).padStart(2, '0');
  const half = hour % 12 || 12;
  const padded = String(hour).padStart(2, '0');
  return [`${padded}:${two}`, `${hour}:${two}`, `${half}:${two}`, `${hour}点${minute}`, `${half}点${minute}`];
}

/** `2026-03-18 06:40` UTC, a Wednesday: what every clock of the exam shows. */
export const examTime = Date.UTC(2026, 2, 18, 6, 40);

export function shown(calls: readonly WantedCall[]): WrittenCall[] {
  return calls.map(({ name, arguments: wanted }) => ({
    name,
    arguments: Object.fromEntries(Object.entries(wanted).map(([key, [first]]) => [key, first])),
  }));
}

/** An argument of a canned tool. */
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

/** The requests of the exam, the languages in turn, so that what is broken off has seen of both. */
import type { ExamRequest } from './exam-request';
import { requestsEn } from './requests-en';
import { requestsZh } from './requests-zh';

const all: readonly ExamRequest[] = requestsEn.flatMap((request, at) => {
  const other = requestsZh[at];
  return other ? [request, other] : [request];
});

/** Of each kind the first, in one of the languages in turn. */
const some = all.filter(({ id }) => id.endsWith('-1')).filter((_, at) => at % 4 === 0 || at % 4 === 3);

/** In the build that the end-to-end tests drive, some of them: all take a minute there. */
export const examRequests: readonly ExamRequest[] = import.meta.env.MODE === 'e2e' ? some : all;

/** Names these requests, asked of these weights: any other word of one makes another name. `bytes` are of the model's file. */
export function setOf(requests: readonly ExamRequest[], bytes: number): string {
  let sum = 0;
  for (const character of JSON.stringify(requests))
    sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return `${sum.toString(16)}-${bytes}`;
}

/** The requests of the exam, alternating between the languages, so that an interrupted exam has tested both. */
import type { ExamRequest } from './exam-request';
import { requestsEn } from './requests-en';
import { requestsZh } from './requests-zh';

const all: readonly ExamRequest[] = requestsEn.flatMap((request, at) => {
  const other = requestsZh[at];
  return other ? [request, other] : [request];
});

/** The first request of each kind, alternating between the languages. */
const some = all.filter(({ id }) => id.endsWith('-1')).filter((_, at) => at % 4 === 0 || at % 4 === 3);

/** The build for end-to-end tests has only some of the requests, because all of them would take a minute. */
export const examRequests: readonly ExamRequest[] = import.meta.env.MODE === 'e2e' ? some : all;

/** Returns a name for these requests with these weights. It changes with any word of a request. `bytes`: size of the model's file. */
export function setOf(requests: readonly ExamRequest[], bytes: number): string {
  let sum = 0;
  for (const character of JSON.stringify(requests))
    sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return `${sum.toString(16)}-${bytes}`;
}

/**
 * Replaces src/app/exam/requests.ts in the build for end-to-end tests: the first request of each kind, alternating between the languages. All of
 * them would take a minute.
 */
import { englishRequests as allEn, chineseRequests as allZh } from '../../src/app/exam/requests';

export const requestsEn = allEn.filter(({ id }) => id.endsWith('-1')).filter((_, at) => at % 2 === 0);
export const requestsZh = allZh.filter(({ id }) => id.endsWith('-1')).filter((_, at) => at % 2 === 1);

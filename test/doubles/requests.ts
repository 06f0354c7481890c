/**
 * Replaces src/app/exam/requests.ts in the build for end-to-end tests: the first request of each kind, alternating between the languages. All of
 * them would take a minute.
 */
import * as whole from '../../src/app/exam/requests';

const { englishRequests: english, chineseRequests: chinese, examTime, toExampleCalls } = whole;
const firstOfEachKind = (requests: typeof english) => requests.filter(({ id }) => id.endsWith('-1'));

export { examTime, toExampleCalls };
export const englishRequests = firstOfEachKind(english).filter((_, at) => at % 2 === 0);
export const chineseRequests = firstOfEachKind(chinese).filter((_, at) => at % 2 === 1);

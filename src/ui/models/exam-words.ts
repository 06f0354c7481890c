/** PURE: what went wrong in the exam, in words. */
import type { ExamMistake, WrittenCall } from '../../contracts/exam';
import type { LateWords } from '../i18n/words';

/** As sentences, in their order. */
export function writeMistake(
  { expected, came }: ExamMistake,
  words: LateWords['exam'],
  isAsked: boolean,
): { expected: string[]; came: string[] } {
  return {
    expected: [
      ...(expected.calls
        ? [
            expected.calls.length > 0
              ? words.expected.calls(writeCalls(expected.calls))
              : words.expected.noCall,
          ]
        : []),
      ...(expected.facts.length > 0 ? [words.expected.facts(expected.facts.join(', '))] : []),
      ...(expected.isPlain ? [words.expected.plain] : []),
    ],
    came: [
      ...(isAsked && came.calls.length === 0 ? [words.came.choice] : []),
      came.calls.length > 0 ? words.came.calls(writeCalls(came.calls)) : words.came.noCall,
      ...(came.error === undefined
        ? [came.text.trim() === '' ? words.came.noText : words.came.text(came.text)]
        : [words.came.failed(came.error)]),
      ...(came.invented === undefined ? [] : [words.came.invented(came.invented)]),
    ],
  };
}

/** `clock {"place":"Lima"}`, one after another. */
function writeCalls(calls: readonly WrittenCall[]): string {
  return calls.map(({ name, arguments: given }) => `${name} ${JSON.stringify(given)}`).join(', ');
}

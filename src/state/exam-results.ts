/** PURE: what the answers of an exam come to. */
import { type ExamAnswer, examKinds, type ExamKind, type ExamRecord, type ExamRun } from '../contracts/exam';

export interface Share {
  right: number;
  of: number;
}

export interface ExamResult {
  kinds: readonly (Share & { kind: ExamKind })[];
  languages: Readonly<Record<'en' | 'zh', Share>>;
  all: Share;
  /** How often a person would have been asked what they meant. */
  asked: number;
  /** Missing where the model wrote nothing by itself. */
  tokensPerSecond?: number;
  /** Milliseconds, the middle of all. Missing where no token came. */
  firstTokenMs?: number;
}

export function resultOf({ answers }: Pick<ExamRun, 'answers'>): ExamResult {
  const decodeMs = sum(answers, (answer) => answer.decodeMs);
  const firsts = answers.flatMap(({ firstTokenMs }) => firstTokenMs ?? []).sort((one, other) => one - other);
  const middle = firsts[Math.floor(firsts.length / 2)];
  return {
    kinds: examKinds.map((kind) => ({ kind, ...shareOf(answers.filter((answer) => answer.kind === kind)) })),
    languages: {
      en: shareOf(answers.filter(({ language }) => language === 'en')),
      zh: shareOf(answers.filter(({ language }) => language === 'zh')),
    },
    all: shareOf(answers),
    asked: answers.filter(({ isAsked }) => isAsked).length,
    ...(decodeMs > 0 && {
      tokensPerSecond: (1000 * sum(answers, (answer) => answer.outputTokens)) / decodeMs,
    }),
    ...(middle !== undefined && { firstTokenMs: middle }),
  };
}

/** Those that came to their end, this one first, then the newest. */
export function finishedFirst(
  records: readonly ExamRecord[],
  modelId: string,
): (ExamRecord & { finished: ExamRun })[] {
  const rank = ({ modelId: id, finished }: ExamRecord) =>
    id === modelId ? Infinity : (finished?.updatedAt ?? 0);
  return records
    .flatMap((record) => (record.finished ? [{ ...record, finished: record.finished }] : []))
    .sort((one, other) => rank(other) - rank(one));
}

function shareOf(answers: readonly ExamAnswer[]): Share {
  return { right: answers.filter(({ mistake }) => !mistake).length, of: answers.length };
}

function sum(answers: readonly ExamAnswer[], value: (answer: ExamAnswer) => number): number {
  return answers.reduce((total, answer) => total + value(answer), 0);
}

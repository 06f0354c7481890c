/** Asks a model the requests of the exam that it was not asked yet, one after another. */
import { AppError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import type { ExamAnswer, ExamRun } from '../../contracts/exam';
import type { ExamRequest } from './exam-request';

export interface ExamOptions {
  requests: readonly ExamRequest[];
  /** `setOf` the requests. */
  set: string;
  /** What an earlier run came to; undefined where there was none. */
  begun: ExamRun | undefined;
  /** Never rejects because `signal` aborts: what it resolves to is then not looked at. */
  ask: (request: ExamRequest, signal: AbortSignal) => Promise<ExamAnswer>;
  /** Waits until no chat is being answered. Resolves to what aborts when one is again. Rejects when `signal` aborts. */
  whenQuiet: (signal: AbortSignal) => Promise<AbortSignal>;
  /** After each answer. Rejects with an `AppError` where it cannot be kept. */
  save: (run: ExamRun) => Promise<void>;
  /** Milliseconds since the epoch. */
  date: () => number;
  signal: AbortSignal;
}

/**
 * Resolves to all answers there are by then: fewer than `of` where `signal` aborted. Rejects with an `AppError` where the model
 * broke down at two requests in a row, each asked twice: it would at the others too. They count as wrong, so that a run that is
 * gone on with begins after them.
 */
export async function runExam(options: ExamOptions): Promise<ExamRun> {
  const { requests, set, begun, ask, whenQuiet, save, date, signal } = options;
  let run: ExamRun =
    begun?.set === set ? begun : { set, of: requests.length, updatedAt: date(), answers: [] };
  const known = new Set(run.answers.map(({ id }) => id));
  let broken = 0;

  /** Undefined where the person has stopped it. */
  async function askInPeace(request: ExamRequest): Promise<ExamAnswer | undefined> {
    for (;;) {
      const busy = await whenQuiet(signal).catch(() => undefined);
      if (!busy) return undefined;
      const answer = await ask(request, AbortSignal.any([signal, busy]));
      if (signal.aborted) return undefined;
      // Broken off for a chat, it is asked anew.
      if (!busy.aborted) return answer;
    }
  }

  for (const request of requests) {
    if (known.has(request.id)) continue;
    let answer = await askInPeace(request);
    // Once more: what it ran on may only have been taken away, and is mended with the next request.
    if (answer && faultOf(answer)) answer = await askInPeace(request);
    if (!answer) return run;
    run = { ...run, updatedAt: date(), answers: [...run.answers, answer] };
    await save(run);
    const fault = faultOf(answer);
    broken = fault ? broken + 1 : 0;
    if (fault && broken > 1) throw fault;
  }
  return run;
}

/** Why there was no answer; undefined where there was one, or the request alone was too much. */
function faultOf({ mistake }: ExamAnswer): AppError | undefined {
  if (mistake?.came.error === undefined) return undefined;
  const { code = 'engine-crashed', detail } = readError(mistake.came.error);
  if (code === 'message-too-long' || code === 'tools-too-long') return undefined;
  return new AppError(code, detail);
}

/** Asks a model the remaining requests of the exam, one after another. */
import { AppError } from '../../contracts/app-error';
import { readError } from '../../contracts/error-code';
import type { ExamAnswer, ExamRun } from '../../contracts/exam';
import type { ExamRequest } from './exam-request';

export interface ExamOptions {
  requests: readonly ExamRequest[];
  /** Name of the set of requests, made by `setOf`. */
  set: string;
  /** The state of an interrupted run. Undefined if there is none. */
  begun: ExamRun | undefined;
  /** Must not reject because `signal` aborts. The result is then ignored. */
  ask: (request: ExamRequest, signal: AbortSignal) => Promise<ExamAnswer>;
  /** Waits until no chat is being answered. Resolves to a signal that aborts when an answer begins. Rejects when `signal` aborts. */
  whenQuiet: (signal: AbortSignal) => Promise<AbortSignal>;
  /** Called after each answer. Rejects with an `AppError` if it cannot be stored. */
  save: (run: ExamRun) => Promise<void>;
  /** Milliseconds since the epoch. */
  date: () => number;
  signal: AbortSignal;
}

/**
 * Resolves to all answers so far, which are fewer than `of` if `signal` aborted. Rejects with an `AppError` if the model failed at two requests
 * in a row, each tried twice, because it would fail at the others too. These two count as wrong, so that a continued run starts after them.
 */
export async function runExam(options: ExamOptions): Promise<ExamRun> {
  const { requests, set, begun, ask, whenQuiet, save, date, signal } = options;
  let run: ExamRun =
    begun?.set === set ? begun : { set, of: requests.length, updatedAt: date(), answers: [] };
  const known = new Set(run.answers.map(({ id }) => id));
  let broken = 0;

  /** Undefined if the user has stopped the exam. */
  async function askInPeace(request: ExamRequest): Promise<ExamAnswer | undefined> {
    for (;;) {
      const busy = await whenQuiet(signal).catch(() => undefined);
      if (!busy) return undefined;
      const answer = await ask(request, AbortSignal.any([signal, busy]));
      if (signal.aborted) return undefined;
      // A request that a chat interrupted is asked again.
      if (!busy.aborted) return answer;
    }
  }

  for (const request of requests) {
    if (known.has(request.id)) continue;
    let answer = await askInPeace(request);
    // Ask once more: the engine may only have lost its worker or GPU, and reloads with the next request.
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

/** Returns why there was no answer. Undefined if there was one, or if only this request was too much. */
function faultOf({ mistake }: ExamAnswer): AppError | undefined {
  if (mistake?.came.error === undefined) return undefined;
  const { code = 'engine-crashed', detail } = readError(mistake.came.error);
  if (code === 'message-too-long' || code === 'tools-too-long') return undefined;
  return new AppError(code, detail);
}

/** Exams of models: their results, and the running exam. Loaded with the Models screen. */
import { AppError } from '../contracts/app-error';
import type { ErrorCode } from '../contracts/error-code';
import { type ExamAnswer, examKinds, type ExamRecord, type ExamRun } from '../contracts/exam';
import type { ModelName } from '../contracts/model-library';

export interface ExamFunctions {
  list: () => Promise<readonly ExamRecord[]>;
  remove: (modelId: string) => Promise<void>;
  /** Starts or resumes an exam. `elsewhere`: another tab runs one. `replaced`: the user loaded another model. */
  run: (
    model: ModelName,
    options: {
      signal: AbortSignal;
      onRecord: (record: ExamRecord) => void;
      onWaiting: (isWaiting: boolean) => void;
    },
  ) => Promise<'ended' | 'elsewhere' | 'replaced'>;
}

type ExamProblem = { modelId: string } & (
  | { type: 'busy' | 'elsewhere' | 'replaced' }
  | { type: 'failed'; code: ErrorCode; detail: string }
);

export class Exams {
  records = $state.raw<readonly ExamRecord[]>([]);
  running = $state.raw<{ model: ModelName; isWaiting: boolean }>();
  trouble = $state.raw<ExamProblem>();
  /** Id of the model whose results are open. Undefined: the model with the newest results. */
  #opened = $state<string>();
  readonly #functions: ExamFunctions;
  #ending: { abort: AbortController; over: Promise<void> } | undefined;

  constructor(functions: ExamFunctions) {
    this.#functions = functions;
  }

  get shownId(): string | undefined {
    return findFinishedExams(this.records, this.#opened)[0]?.modelId;
  }

  recordOf(modelId: string): ExamRecord | undefined {
    return this.records.find((record) => record.modelId === modelId);
  }

  troubleOf(modelId: string): ExamProblem | undefined {
    return this.trouble?.modelId === modelId ? this.trouble : undefined;
  }

  open(modelId: string): void {
    this.#opened = modelId;
  }

  /** Reloads the results. Does nothing during an exam, which updates them itself. */
  async refresh(): Promise<void> {
    const records = await this.#functions.list();
    if (!this.running) this.records = records;
  }

  /** Starts an exam. If another exam is running, stops it if `instead` is true, otherwise sets `trouble`. Never rejects. */
  async start(model: ModelName, instead = false): Promise<void> {
    if (this.running?.model.id === model.id) return;
    if (this.running && !instead) {
      this.trouble = { modelId: model.id, type: 'busy' };
      return;
    }
    await this.stop();
    if (this.running) return;
    const abort = new AbortController();
    this.trouble = undefined;
    this.running = { model, isWaiting: false };
    this.#ending = { abort, over: this.#run(model, abort.signal) };
    await this.#ending.over;
  }

  async stop(): Promise<void> {
    this.#ending?.abort.abort();
    await this.#ending?.over;
  }

  async forget(modelId: string): Promise<void> {
    if (this.running?.model.id === modelId) await this.stop();
    await this.#functions.remove(modelId);
    this.records = this.records.filter((record) => record.modelId !== modelId);
    if (this.trouble?.modelId === modelId) this.trouble = undefined;
  }

  async #run(model: ModelName, signal: AbortSignal): Promise<void> {
    try {
      const end = await this.#functions.run(model, {
        signal,
        onRecord: (record) => this.#take(record),
        onWaiting: (isWaiting) => (this.running = { model, isWaiting }),
      });
      if (end !== 'ended') this.trouble = { modelId: model.id, type: end };
    } catch (error) {
      const { code, message: detail } =
        error instanceof AppError ? error : new AppError('engine-crashed', String(error));
      this.trouble = { modelId: model.id, type: 'failed', code, detail };
    } finally {
      this.running = undefined;
      this.#ending = undefined;
    }
  }

  #take(record: ExamRecord): void {
    this.records = [...this.records.filter(({ modelId }) => modelId !== record.modelId), record];
    if (!record.begun && record.finished) this.#opened = record.modelId;
  }
}

export type ExamScore = ReturnType<typeof scoreOf>;
export type ExamResult = ReturnType<typeof resultOf>;

export function resultOf({ answers }: Pick<ExamRun, 'answers'>) {
  const decodeMs = sumBy(answers, (answer) => answer.decodeMs);
  const firsts = answers.flatMap(({ firstTokenMs }) => firstTokenMs ?? []).sort((one, other) => one - other);
  return {
    kinds: examKinds.map((kind) => ({ kind, ...scoreOf(answers.filter((answer) => answer.kind === kind)) })),
    languages: {
      en: scoreOf(answers.filter(({ language }) => language === 'en')),
      zh: scoreOf(answers.filter(({ language }) => language === 'zh')),
    },
    all: scoreOf(answers),
    asked: answers.filter(({ isAsked }) => isAsked).length,
    tokensPerSecond:
      decodeMs > 0 ? (1000 * sumBy(answers, (answer) => answer.outputTokens)) / decodeMs : undefined,
    firstTokenMs: firsts[Math.floor(firsts.length / 2)],
  };
}

export function findFinishedExams(records: readonly ExamRecord[], modelId: string | undefined) {
  const rank = ({ modelId: id, finished }: ExamRecord) =>
    id === modelId ? Infinity : (finished?.updatedAt ?? 0);
  return records
    .flatMap((record) => (record.finished ? [{ ...record, finished: record.finished }] : []))
    .sort((one, other) => rank(other) - rank(one));
}

function scoreOf(answers: readonly ExamAnswer[]) {
  return { right: answers.filter(({ mistake }) => !mistake).length, of: answers.length };
}

function sumBy(answers: readonly ExamAnswer[], value: (answer: ExamAnswer) => number): number {
  return answers.reduce((total, answer) => total + value(answer), 0);
}

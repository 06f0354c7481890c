/** The page's end of the calculator's worker: started when first needed, ended when it takes too long. */
import { releaseProxy, type Remote, wrap } from 'comlink';
import type { Read } from '../../../contracts/schema';
import type { Calculate } from '../calculator';

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface CalculatorWorkerApi {
  /** Answers as soon as the worker's code has loaded. */
  start(): void;
  calculate(expression: unknown): Read<string>;
}

/** Milliseconds: until the worker's code has loaded, and for one expression. */
const defaultLimits = { startMs: 10_000, answerMs: 2_000 };

export interface RemoteCalculator {
  /** Rejects with a sentence for the model, or with the reason of the signal. */
  calculate: Calculate;
  /** Starts the worker ahead of the first expression, which then need not wait for it. */
  prepare: () => void;
}

/** `startWorker` is called when first needed, and again after an expression that had to be ended. */
export function createCalculator(startWorker: () => Worker, limits = defaultLimits): RemoteCalculator {
  let running: { worker: Worker; remote: Remote<CalculatorWorkerApi> } | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const start = () => {
    const worker = startWorker();
    return { worker, remote: wrap<CalculatorWorkerApi>(worker) };
  };
  const end = () => {
    running?.remote[releaseProxy]();
    running?.worker.terminate();
    running = undefined;
  };

  async function ask(expression: string, signal: AbortSignal): Promise<Read<string>> {
    const { worker, remote } = (running ??= start());
    const tooSlow = `The calculation took longer than ${limits.answerMs / 1000} s and was ended`;
    try {
      await orEnded(
        remote.start(),
        worker,
        signal,
        limits.startMs,
        'The calculator did not start; try again',
      );
      return await orEnded<Read<string>>(
        remote.calculate(expression),
        worker,
        signal,
        limits.answerMs,
        tooSlow,
      );
    } catch (error) {
      end();
      throw error;
    }
  }

  const calculate: Calculate = async (expression, signal) => {
    // One after another: an expression that has to be ended takes no other with it.
    const turn = last.then(() => {
      signal.throwIfAborted();
      return ask(expression, signal);
    });
    last = turn.catch(() => undefined);
    const answer = await turn;
    if (!answer.ok) throw new Error(answer.reason);
    return answer.value;
  };
  return {
    calculate,
    prepare() {
      try {
        running ??= start();
      } catch {
        // The first expression tries it again, and says so.
      }
    },
  };
}

/** The work's value, unless the signal, the time or the worker's life ends first. */
function orEnded<Value>(
  work: Promise<Value>,
  worker: Worker,
  signal: AbortSignal,
  ms: number,
  tooSlow: string,
): Promise<Value> {
  const over = new AbortController();
  return new Promise<Value>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(tooSlow)), ms);
    over.signal.addEventListener('abort', () => clearTimeout(timer));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { signal: over.signal });
    const crash = () => reject(new Error('The calculator crashed; try again'));
    worker.addEventListener('error', crash, { signal: over.signal });
    work.then(resolve, reject);
  }).finally(() => over.abort());
}

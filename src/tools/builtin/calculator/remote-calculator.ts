/** The page's end of the calculator's worker: started when first needed, ended when it takes too long. */
import type { Read } from '../../../contracts/schema';
import { createEndedWorker, type EndedWorker } from '../../ended-worker';
import type { Calculate } from '../calculator';

/** What the worker exposes. Comlink clones arguments but does not check them: `unknown` says so. */
export interface CalculatorWorkerApi {
  start: () => void;
  calculate: (expression: unknown) => Read<string>;
}

const defaultLimits = { startMs: 10_000, answerMs: 2_000 };

export interface RemoteCalculator extends Pick<EndedWorker<CalculatorWorkerApi>, 'prepare'> {
  /** Rejects with a sentence for the model, or with the reason of the signal. */
  calculate: Calculate;
}

export function createCalculator(startWorker: () => Worker, limits = defaultLimits): RemoteCalculator {
  const { ask, prepare } = createEndedWorker<CalculatorWorkerApi>(startWorker, limits, {
    notStarted: 'The calculator did not start; try again',
    tooSlow: `The calculation took longer than ${limits.answerMs / 1000} s and was ended`,
    crashed: 'The calculator crashed; try again',
  });
  return {
    prepare,
    async calculate(expression, signal) {
      const answer = await ask<Read<string>>((remote) => remote.calculate(expression), signal);
      if (!answer.ok) throw new Error(answer.reason);
      return answer.value;
    },
  };
}

/** The calculator tool, and the page side of its worker, which we terminate if it takes too long. */
import { type ReadResult, z } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import { Expression } from './calculator/expression';
import { createTimedWorker } from '../timed-worker';

/** Resolves to the formatted result. Rejects with a readable message for the model. */
export type Calculate = (expression: string, signal: AbortSignal) => Promise<string>;

export function createCalculatorTool(calculate: Calculate): Tool {
  return defineTool({
    name: 'calculator',
    title: 'Calculator',
    description:
      'Calculates an expression exactly. Knows + - * / ^ %, functions such as sqrt, round, sin, log, gcd, and units: 26.2 mi in km.',
    keywords: {
      en: 'sum, add, plus, minus, times, divided, percent, square root, arithmetic, math, how much is, convert'.split(
        ', ',
      ),
      zh: ['计算', '算', '加', '减', '乘', '除以', '等于几', '百分之', '平方根', '数学', '换算'],
    },
    input: z.strictObject({ expression: Expression }),
    composedArguments: ['expression'],
    failure: 'sum',
    annotations: { readOnlyHint: true, idempotentHint: true },
    examples: [
      { request: 'What is 17 times 23?', arguments: { expression: '17*23' } },
      { request: 'How much is 15% of 80?', arguments: { expression: '15% of 80' } },
      { request: 'How many km are 26.2 miles?', arguments: { expression: '26.2 miles in km' } },
    ],
    async run({ expression }, { signal }) {
      const written = await calculate(expression, signal);
      // The first text is only the number. The second says how exact it is.
      const note = written.indexOf(' (');
      return note === -1 ? written : [written.slice(0, note), written.slice(note + 1)];
    },
  });
}

/** Parameters are `unknown` because Comlink does not check arguments. */
export interface CalculatorWorkerApi {
  start: () => void;
  calculate: (expression: unknown) => ReadResult<string>;
}

const defaultTimeouts = { startMs: 10_000, answerMs: 2_000 };

export function createCalculator(startWorker: () => Worker, limits = defaultTimeouts) {
  const { ask, prepare } = createTimedWorker<CalculatorWorkerApi>(startWorker, limits, {
    notStarted: 'The calculator did not start; try again',
    tooSlow: `The calculation took longer than ${limits.answerMs / 1000} s and was ended`,
    crashed: 'The calculator crashed; try again',
  });
  return {
    prepare,
    calculate: async (expression: string, signal: AbortSignal): Promise<string> => {
      const answer = await ask<ReadResult<string>>((remote) => remote.calculate(expression), signal);
      if (!answer.ok) throw new Error(answer.reason);
      return answer.value;
    },
  };
}

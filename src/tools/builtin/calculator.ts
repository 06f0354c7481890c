/** Exact arithmetic. It is handed what computes, which in the page is a worker that can be ended. */
import { z } from '../../contracts/schema';
import type { Tool } from '../../contracts/tool';
import { defineTool } from '../define-tool';
import { Expression } from './calculator/expression';

/** Rejects with a sentence for the model. */
export type Calculate = (expression: string, signal: AbortSignal) => Promise<string>;

export function createCalculatorTool(calculate: Calculate): Tool {
  return defineTool({
    name: 'calculator',
    title: 'Calculator',
    description:
      'Calculates an expression exactly. Knows + - * / ^ % and functions such as sqrt, round, sin, log, gcd.',
    keywords: {
      en: [
        'sum',
        'add',
        'plus',
        'minus',
        'times',
        'divided',
        'percent',
        'square root',
        'arithmetic',
        'math',
        'how much is',
      ],
      zh: ['计算', '算', '加', '减', '乘', '除以', '等于几', '百分之', '平方根', '数学'],
    },
    input: z.strictObject({ expression: Expression }),
    composedArguments: ['expression'],
    failure: 'sum',
    annotations: { readOnlyHint: true, idempotentHint: true },
    examples: [
      { request: 'What is 17 times 23?', arguments: { expression: '17*23' } },
      { request: 'How much is 15% of 80?', arguments: { expression: '15% of 80' } },
    ],
    async run({ expression }, { signal }) {
      const written = await calculate(expression, signal);
      // The number answers alone; how exact it is comes after it, as a text of its own.
      const note = written.indexOf(' (');
      return note === -1 ? written : [written.slice(0, note), written.slice(note + 1)];
    },
  });
}

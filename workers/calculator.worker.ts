import { expose } from 'comlink';
import { calculate } from '../src/tools/builtin/calculator/calculate';
import { Expression } from '../src/tools/builtin/calculator/expression';
import type { CalculatorWorkerApi } from '../src/tools/builtin/calculator';

expose({
  start: () => undefined,
  calculate: (expression) => calculate(Expression.parse(expression)),
} satisfies CalculatorWorkerApi);

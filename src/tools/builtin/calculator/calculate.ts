/** From an expression to what the model reads. */
import type { Read } from '../../../contracts/schema';
import { evaluate } from './evaluate';
import { ExpressionError } from './expression';
import { parse } from './parse';
import { writeNumber } from './write-number';

/** The result, or what is wrong with the expression and where. Takes milliseconds, but is made for a worker. */
export function calculate(expression: string): Read<string> {
  try {
    return { ok: true, value: writeNumber(evaluate(parse(expression))) };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, reason: error.describe() };
    throw error;
  }
}

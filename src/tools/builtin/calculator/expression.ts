/** The schema of an expression and the class of its errors, shared by the tool on the page and the parser in the worker. */
import { z } from '../../../contracts/schema';

/** The length limit keeps nested expressions from overflowing the stack. */
export const Expression = z
  .string()
  .check(
    z.maxLength(1000),
    z.describe('Such as (2+3)*4, 15% of 80, sqrt(2), 2^10; log is base 10, ln natural'),
  );

/** A mistake in an expression. If the position is undefined, the evaluator fills it in. */
export class ExpressionError extends Error {
  at: number | undefined;
  readonly #hint: string;

  constructor(message: string, at?: number, hint = '') {
    super(message);
    this.name = 'ExpressionError';
    this.at = at;
    this.#hint = hint;
  }

  /** Returns the mistake, its position (counted from 1) and a hint in one line. */
  describe(): string {
    const place = this.at === undefined ? '' : ` at position ${this.at + 1}`;
    return this.message + place + (this.#hint && `; ${this.#hint}`);
  }
}

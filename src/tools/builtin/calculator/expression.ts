/** Schema and errors of an expression. The tool on the page and the parser in the worker share them. */
import { z } from '../../../contracts/schema';

/** The length limit keeps nested expressions from overflowing the stack. */
export const Expression = z
  .string()
  .check(
    z.maxLength(1000),
    z.describe('Such as (2+3)*4, 15% of 80, sqrt(2), 2^10; log is base 10, ln natural'),
  );

/** A mistake in an expression. If its position is undefined, the evaluator fills it in. */
export class ExpressionError extends Error {
  position: number | undefined;
  readonly #hint: string;

  constructor(message: string, position?: number, hint = '') {
    super(message);
    this.name = 'ExpressionError';
    this.position = position;
    this.#hint = hint;
  }

  describe(): string {
    const place = this.position === undefined ? '' : ` at position ${this.position + 1}`;
    return this.message + place + (this.#hint && `; ${this.#hint}`);
  }
}

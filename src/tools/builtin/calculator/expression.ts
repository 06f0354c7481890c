/** What an expression may be, and what is said of a wrong one. */
import { z } from '../../../contracts/schema';

/** Short enough that no way of nesting it exhausts the stack. */
export const Expression = z
  .string()
  .check(
    z.maxLength(1000),
    z.describe('Such as (2+3)*4, 15% of 80, sqrt(2), 2^10; log is base 10, ln natural'),
  );

/** Something in the expression is wrong. Without a place until the part of the expression it came from is known. */
export class ExpressionError extends Error {
  /** Index into the expression. */
  at: number | undefined;
  readonly #hint: string;

  constructor(message: string, at?: number, hint = '') {
    super(message);
    this.name = 'ExpressionError';
    this.at = at;
    this.#hint = hint;
  }

  /** One sentence: what, where (counted from 1) and what to do. */
  describe(): string {
    const place = this.at === undefined ? '' : ` at position ${this.at + 1}`;
    return this.message + place + (this.#hint && `; ${this.#hint}`);
  }
}

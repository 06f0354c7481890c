/** The engine is in another tab than before: what waited for it begins anew with whoever has it next. */
import { AppError } from '../../../contracts/app-error';

export const moved = () => new AppError('engine-moved', 'The tab that had the engine is gone.');

export function isMoved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'engine-moved';
}

/** A form in a list row: saves with Ctrl+Enter, closes with Escape, and keeps the input if saving fails. */
import { AppError } from '../../contracts/app-error';
import { getLanguage } from '../i18n/language.svelte';
import { UnsavedForm } from './unsaved.svelte';
import { InputMethod } from './word-choice';

interface RowFormOptions {
  /** Starts to save. Returns undefined if the form cannot be saved now. */
  save: () => Promise<void> | undefined;
  onCancel?: (() => void) | undefined;
}

/** Create this during component setup. */
export class RowForm<Written extends Record<string, string>> extends UnsavedForm<Written> {
  failureMessage = $state('');
  isBusy = $state(false);
  readonly inputMethod = new InputMethod();
  readonly #language = getLanguage();
  readonly #options: RowFormOptions;

  constructor(form: string, initial: Written, options: RowFormOptions) {
    super(form, initial);
    this.#options = options;
  }

  readonly submit = async (event?: SubmitEvent): Promise<void> => {
    event?.preventDefault();
    const saving = this.isBusy ? undefined : this.#options.save();
    if (!saving) return;
    this.isBusy = true;
    try {
      await saving;
      this.forget();
    } catch (error) {
      this.failureMessage =
        error instanceof AppError
          ? this.#language.rest.errors[error.code]('Hearth', error.message)
          : String(error);
    } finally {
      this.isBusy = false;
    }
  };

  readonly cancel = (): void => {
    this.forget();
    this.#options.onCancel?.();
  };

  readonly onkeydown = (event: KeyboardEvent): void => {
    if (this.inputMethod.isOpen(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void this.submit();
    else if (event.key === 'Escape' && this.#options.onCancel) this.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

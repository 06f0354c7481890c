/** Writes what a chat grows by, one after another; what cannot be written waits in its place, and is tried again. */
import { AppError } from '../contracts/app-error';

type Write = () => Promise<unknown>;

export class WriteQueue {
  readonly #onDone: (isSaved: boolean) => void;
  #unwritten: Write[] = [];
  #writing = Promise.resolve();

  /** `onDone` is told after each attempt; `false` if something could not be written. */
  constructor(onDone: (isSaved: boolean) => void) {
    this.#onDone = onDone;
  }

  get isEmpty(): boolean {
    return this.#unwritten.length === 0;
  }

  /** Settles when all that was added so far was tried; it does not reject. */
  get settled(): Promise<void> {
    return this.#writing;
  }

  /**
   * Writes in order, so that no checkpoint lands after the message it belongs to. Without `write`, only what waits is tried
   * again.
   */
  add(write?: Write): Promise<void> {
    if (write) this.#unwritten.push(write);
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      for (let next = this.#unwritten[0]; next; next = this.#unwritten[0]) {
        await next();
        this.#unwritten.shift();
      }
      this.#onDone(true);
    } catch (error) {
      // Deleted in another tab: there is nothing left to write it to.
      if (error instanceof AppError && error.code === 'chat-deleted') this.#unwritten = [];
      this.#onDone(false);
    }
  }
}

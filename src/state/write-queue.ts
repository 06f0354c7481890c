/** Writes the changes of a chat in order. A failed write stays at the front of the queue until a retry succeeds. */
import { AppError } from '../contracts/app-error';

type Write = () => Promise<unknown>;

export class WriteQueue {
  readonly #onDone: (isSaved: boolean) => void;
  #unwritten: Write[] = [];
  #writing = Promise.resolve();

  /** `onDone` is called after each attempt, with false if something could not be written. */
  constructor(onDone: (isSaved: boolean) => void) {
    this.#onDone = onDone;
  }

  get isEmpty(): boolean {
    return this.#unwritten.length === 0;
  }

  /** Settles once each queued write has been tried. Never rejects. */
  get settled(): Promise<void> {
    return this.#writing;
  }

  /** Adds a write. Writes run in order, so a checkpoint of a message never replaces the finished message. Without `write`, retries the queue. */
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
      // Another tab has deleted the chat, so there is nothing left to write.
      if (error instanceof AppError && error.code === 'chat-deleted') this.#unwritten = [];
      this.#onDone(false);
    }
  }
}

/** Questions that let the user choose between meanings of a request. A chat asks one at a time, and its turn waits for the answer. */
import type { ReadingChoice } from '../contracts/small-model-policy';
import { untilAborted } from '../contracts/until-aborted';

export class Choices {
  #asked = $state.raw<readonly { choice: ReadingChoice; settle: (place: number | undefined) => void }[]>([]);

  /** Resolves to the index of the chosen meaning, or undefined if the user wants none. Rejects when `signal` aborts. */
  async ask(choice: ReadingChoice, signal: AbortSignal): Promise<number | undefined> {
    signal.throwIfAborted();
    const answered = new Promise<number | undefined>((settle) => {
      this.#asked = [...this.#asked, { choice, settle }];
    });
    return untilAborted(answered, signal).finally(() => {
      this.#asked = this.#asked.filter((waiting) => waiting.choice !== choice);
    });
  }

  choiceIn(chatId: string): ReadingChoice | undefined {
    return this.#asked.find(({ choice }) => choice.chatId === chatId)?.choice;
  }

  /** `place`: index of the chosen meaning, undefined for none. Ignores a choice that is no longer offered. */
  answer(choice: ReadingChoice, place: number | undefined): void {
    this.#asked.find((waiting) => waiting.choice === choice)?.settle(place);
  }
}

/** What a person can choose from in a chat whose model was not sure what they mean. One choice a chat: a turn waits for it. */
import type { ToolCall } from '../contracts/message';
import { untilAborted } from '../contracts/until-aborted';

/** One way to read the request. */
export interface ShownReading {
  calls: readonly ToolCall[];
  /** What came of each call, where it was tried; undefined where it was not. In the order of the calls. */
  results: readonly (string | undefined)[];
}

export interface Choice {
  chatId: string;
  readings: readonly ShownReading[];
}

export class Choices {
  #waiting = $state.raw<readonly { choice: Choice; settle: (place: number | undefined) => void }[]>([]);

  /** Resolves to the place of the reading that was chosen; undefined where it was none. Rejects when `signal` aborts. */
  async ask(choice: Choice, signal: AbortSignal): Promise<number | undefined> {
    signal.throwIfAborted();
    const answered = new Promise<number | undefined>((settle) => {
      this.#waiting = [...this.#waiting, { choice, settle }];
    });
    return untilAborted(answered, signal).finally(() => {
      this.#waiting = this.#waiting.filter((waiting) => waiting.choice !== choice);
    });
  }

  in(chatId: string): Choice | undefined {
    return this.#waiting.find(({ choice }) => choice.chatId === chatId)?.choice;
  }

  /** `place` is undefined for none of them. An answer to what is not asked any more changes nothing. */
  answer(choice: Choice, place: number | undefined): void {
    this.#waiting.find((waiting) => waiting.choice === choice)?.settle(place);
  }
}

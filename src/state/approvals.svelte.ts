/** What a person is being asked: to allow a call, or by a server. One question at a time, each answered once. */
import type { ServerAnswer, ServerQuestion } from '../contracts/mcp-server';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  ReadingAnswer,
  ReadingQuestion,
} from '../contracts/permission';
import { untilAborted } from '../contracts/until-aborted';

export type Asked = ApprovalRequest | ReadingQuestion | ServerQuestion;
type AnswerTo<Question extends Asked> = Question extends ServerQuestion
  ? ServerAnswer
  : Question extends ReadingQuestion
    ? ReadingAnswer
    : ApprovalAnswer;

export class Approvals {
  /** What is asked now. */
  current = $state.raw<Asked>();
  #waiting: { asked: Asked; settle(answer: unknown): void }[] = [];

  /** Shows the question when those before it are answered. Rejects with the signal's reason when it aborts. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return this.#ask(request, signal);
  }

  /** As `ask`, where it is not sure which call is meant. */
  askWhich(question: ReadingQuestion, signal: AbortSignal): Promise<ReadingAnswer> {
    return this.#ask(question, signal);
  }

  /** As `ask`, for what a server wants to know. */
  askForServer(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
    return this.#ask(question, signal);
  }

  /** An answer to a question that is not asked any more changes nothing. */
  answer<Question extends Asked>(asked: Question, answer: AnswerTo<Question>): void {
    const entry = this.#waiting.find((waiting) => waiting.asked === asked);
    if (!entry || this.current !== asked) return;
    this.#leave(asked);
    entry.settle(answer);
  }

  async #ask<Answer>(asked: Asked, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const answered = new Promise<Answer>((settle) => {
      this.#waiting.push({ asked, settle });
      this.current ??= asked;
    });
    return untilAborted(answered, signal).finally(() => this.#leave(asked));
  }

  #leave(asked: Asked): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.asked !== asked);
    if (this.current === asked) this.current = this.#waiting[0]?.asked;
  }
}

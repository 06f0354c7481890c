/** Questions to the user, one at a time: permission for a call, the meaning of a request, or a question from a server. */
import type { ServerAnswer, ServerQuestion } from '../contracts/mcp-server';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  ReadingAnswer,
  ReadingQuestion,
} from '../contracts/permission';
import { untilAborted } from '../contracts/until-aborted';

export type UserQuestion = ApprovalRequest | ReadingQuestion | ServerQuestion;
type AnswerOf<Question extends UserQuestion> = Question extends ServerQuestion
  ? ServerAnswer
  : Question extends ReadingQuestion
    ? ReadingAnswer
    : ApprovalAnswer;

type Ask<Asked extends UserQuestion> = (question: Asked, signal: AbortSignal) => Promise<AnswerOf<Asked>>;

export class Approvals {
  current = $state.raw<UserQuestion>();
  #waiting: { asked: UserQuestion; settle(answer: unknown): void }[] = [];

  /** Asks for permission once earlier questions are answered. Rejects with the signal's reason when the signal aborts. */
  readonly ask: Ask<ApprovalRequest> = (request, signal) => this.#ask(request, signal);
  readonly askForMeaning: Ask<ReadingQuestion> = (question, signal) => this.#ask(question, signal);
  readonly askForServer: Ask<ServerQuestion> = (question, signal) => this.#ask(question, signal);

  /** Ignores an answer to any question other than the current one. */
  answer<Question extends UserQuestion>(asked: Question, answer: AnswerOf<Question>): void {
    const entry = this.#waiting.find((waiting) => waiting.asked === asked);
    if (!entry || this.current !== asked) return;
    this.#leave(asked);
    entry.settle(answer);
  }

  async #ask<Answer>(asked: UserQuestion, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const answered = new Promise<Answer>((settle) => {
      this.#waiting.push({ asked, settle });
      this.current ??= asked;
    });
    return untilAborted(answered, signal).finally(() => this.#leave(asked));
  }

  #leave(asked: UserQuestion): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.asked !== asked);
    if (this.current === asked) this.current = this.#waiting[0]?.asked;
  }
}

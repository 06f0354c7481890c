/** What a person is being asked to allow: one question at a time, each answered once. */
import type { ApprovalAnswer, ApprovalRequest } from '../contracts/permission';
import { untilAborted } from '../contracts/until-aborted';

export class Approvals {
  /** What is asked now. */
  current = $state.raw<ApprovalRequest>();
  #waiting: { request: ApprovalRequest; settle: (answer: ApprovalAnswer) => void }[] = [];

  /** Shows the question when those before it are answered. Rejects with the signal's reason when it aborts. */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    const answered = new Promise<ApprovalAnswer>((settle) => {
      this.#waiting.push({ request, settle });
      this.current ??= request;
    });
    return untilAborted(answered, signal).finally(() => this.#leave(request));
  }

  /** An answer to a question that is not asked any more changes nothing. */
  answer(request: ApprovalRequest, answer: ApprovalAnswer): void {
    const entry = this.#waiting.find((waiting) => waiting.request === request);
    if (!entry || this.current !== request) return;
    this.#leave(request);
    entry.settle(answer);
  }

  #leave(request: ApprovalRequest): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.request !== request);
    if (this.current === request) this.current = this.#waiting[0]?.request;
  }
}

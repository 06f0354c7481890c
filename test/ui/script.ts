/** A turn that a test controls. */
import type { AgentEvent, TurnEnd } from '../../src/contracts/turn';
import type { AssistantMessage, Message } from '../../src/contracts/message';

export const usage = {
  promptTokens: 120,
  prefilledTokens: 20,
  outputTokens: 22,
  firstTokenMs: 70,
  decodeMs: 100,
};

/** A turn whose events come when the test sends them, and which ends when it is stopped. */
export class Script {
  readonly histories: (readonly Message[])[] = [];
  readonly toolsOff: (readonly string[])[] = [];
  #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;

  say(...events: AgentEvent[]): void {
    this.#waiting.push(...events);
    this.#wake?.();
  }

  text(text: string): void {
    this.say({ type: 'text-delta', text });
  }

  /** Completes the reply and ends the turn. */
  end(
    reason: TurnEnd,
    content: AssistantMessage['content'] = [],
    changed: Partial<AssistantMessage> = {},
  ): void {
    const message: AssistantMessage = { role: 'assistant', content, finishReason: 'stop', ...changed };
    this.say({ type: 'message-end', message, usage, prompt: 'PROMPT' }, { type: 'turn-end', reason });
  }

  async *run(
    history: readonly Message[],
    { toolsOff, signal }: { toolsOff: readonly string[]; signal: AbortSignal },
  ): AsyncGenerator<AgentEvent, Message[]> {
    this.histories.push(history);
    this.toolsOff.push(toolsOff);
    signal.addEventListener('abort', () => this.#wake?.());
    yield { type: 'turn-start', promptOrigins: [] };
    for (;;) {
      const event = this.#waiting.shift();
      if (event) {
        yield event;
        if (event.type === 'turn-end') return [];
      } else if (signal.aborted) {
        yield { type: 'turn-end', reason: 'stopped' };
        return [];
      } else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

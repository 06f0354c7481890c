/** The end of a reply that a person stopped, where the engine itself has not ended it. */
import type { AssistantMessage } from '../../contracts/message';
import type { ModelEvent } from '../../contracts/model';

/** Milliseconds that a person who pressed Stop waits for an engine's own end of the reply. */
export const heardWithinMs = 100;

/** `content` is what of the reply has come. The engine ends it later, before it begins another. */
export function stopped(content: AssistantMessage['content']): ModelEvent {
  return {
    type: 'finish',
    message: { role: 'assistant', content, finishReason: 'aborted' },
    usage: { promptTokens: 0, prefilledTokens: 0, outputTokens: 0 },
  };
}

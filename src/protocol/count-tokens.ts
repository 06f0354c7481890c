/** Counts tokens through the engine, each text once: a long chat is not counted anew in every round. */
import type { PromptMessage, TextEngine } from '../contracts/model';

/** Texts remembered; several long chats. */
const limit = 2000;

export function createCounter(engine: Pick<TextEngine, 'count'>) {
  const known = new Map<string, number>();

  /** Tokens of each message in its template. */
  return async function count(messages: readonly PromptMessage[]): Promise<number[]> {
    if (known.size > limit) known.clear();
    const unknown = messages.filter((message) => !known.has(keyOf(message)));
    if (unknown.length > 0) {
      const counts = await engine.count(unknown);
      for (const [index, message] of unknown.entries()) known.set(keyOf(message), counts[index] ?? 0);
    }
    return messages.map((message) => (known.get(keyOf(message)) ?? 0) + ofPictures(message));
  };
}

/** The engine counts the text alone. */
function ofPictures({ parts }: PromptMessage): number {
  return parts?.type === 'question' ? parts.pictureTokens : 0;
}

function keyOf({ role, content }: PromptMessage): string {
  return `${role}\n${content}`;
}

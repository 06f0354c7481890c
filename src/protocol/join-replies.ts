/** PURE: replies that follow one another become one. */
import type { PromptMessage } from '../contracts/model';

/** A reply that was broken off and went on is one reply. Where it is the last, the engine goes on with it. */
export function joinReplies(messages: readonly PromptMessage[]): PromptMessage[] {
  const joined: PromptMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSameReply = last?.role === 'assistant' && message.role === 'assistant';
    if (isSameReply) joined[joined.length - 1] = joinTwo(last, message);
    else joined.push(message);
  }
  return joined;
}

function joinTwo(one: PromptMessage, other: PromptMessage): PromptMessage {
  const joined = { ...one, content: one.content + other.content };
  if (one.parts?.type !== 'reply' || other.parts?.type !== 'reply') return joined;
  const parts = {
    type: 'reply' as const,
    text: one.parts.text + other.parts.text,
    calls: [...one.parts.calls, ...other.parts.calls],
  };
  return { ...joined, parts };
}

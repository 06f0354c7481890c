/** How events become a message: the one place, so that worker, loop, screen and store cannot disagree. Without zod, for the first paint. */
import type { AssistantMessage } from './message';
import type { ModelEvent } from './model';

export function appendEvent(
  content: AssistantMessage['content'],
  event: ModelEvent,
): AssistantMessage['content'] {
  if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
    const type = event.type === 'text-delta' ? 'text' : 'reasoning';
    const last = content.at(-1);
    if (last?.type !== type) return [...content, { type, text: event.text }];
    return content.with(-1, { type, text: last.text + event.text });
  }
  if (event.type === 'tool-call') return [...content, event.call];
  // The others say nothing of the message.
  return event.type === 'finish' ? event.message.content : content;
}

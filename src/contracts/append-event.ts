/** How events become a message: the one place, so that worker, loop, screen and store cannot disagree. Without zod, for the first paint. */
import type { AssistantMessage } from './message';
import type { ModelEvent } from './model';

export function appendEvent(
  content: AssistantMessage['content'],
  event: ModelEvent,
): AssistantMessage['content'] {
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta': {
      const type = event.type === 'text-delta' ? 'text' : 'reasoning';
      const last = content.at(-1);
      if (last?.type !== type) return [...content, { type, text: event.text }];
      return content.with(-1, { type, text: last.text + event.text });
    }
    case 'tool-call':
      return [...content, event.call];
    case 'finish':
      return event.message.content;
    case 'call-delta':
    case 'context':
    case 'tool-offer':
    case 'server-wait':
      return content;
  }
}

/** Turns a reply that arrives as messages, from a worker or from another tab, into a generator of events. */
import { appendEvent } from '../../contracts/chat-logic';
import { createInbox } from '../../contracts/inbox';
import type { AssistantMessage } from '../../contracts/message';
import type { ModelEvent } from '../../contracts/model';
import { stopped } from '../../contracts/pipeline';

export interface ReplyInbox {
  push: (events: readonly ModelEvent[]) => void;
  fail: (reason: unknown) => void;
}

interface Sender {
  ask: (inbox: ReplyInbox) => void;
  /** Requests its end: the user stopped it, or nobody reads the rest. May be called twice. */
  stop: () => void;
  /** Milliseconds after `stop` at which the stream ends without the engine. By default it waits for the engine. */
  patienceMs?: () => number;
  close: () => void;
}

/** Rejects with the reason that was passed to `fail`. */
export async function* streamReply(sender: Sender, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const inbox = createInbox<readonly ModelEvent[]>();
  let content: AssistantMessage['content'] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    sender.stop();
    if (sender.patienceMs) timer ??= setTimeout(() => inbox.push([stopped(content)]), sender.patienceMs());
  };
  signal.addEventListener('abort', stop);
  sender.ask(inbox);
  if (signal.aborted) stop();

  let isWhole = false;
  try {
    for await (const events of inbox) {
      for (const event of events) {
        content = appendEvent(content, event);
        isWhole = event.type === 'finish';
        yield event;
        if (isWhole) return;
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    if (!isWhole) sender.stop();
    sender.close();
  }
}

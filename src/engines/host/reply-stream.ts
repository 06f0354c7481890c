/** A reply that comes as messages, from a worker or from another tab, as a generator of events. */
import { appendEvent } from '../../contracts/chat-logic';
import { createInbox } from '../../contracts/inbox';
import type { AssistantMessage } from '../../contracts/message';
import type { ModelEvent } from '../../contracts/model';
import { stopped } from '../../contracts/pipeline';

/** Milliseconds that a person who pressed Stop waits for the engine to end the reply. */
const heardWithinMs = 100;

/** Where the messages of one reply go. */
export interface ReplyInbox {
  push: (events: readonly ModelEvent[]) => void;
  fail: (reason: unknown) => void;
}

interface Sender {
  /** Asks for the reply. */
  ask: (inbox: ReplyInbox) => void;
  /** Asks for its end, because the person stopped it or nobody reads on. May be called twice. */
  stop: () => void;
  /** Whether the reply waits for another one. Then nothing is lost if it ends at once. */
  isQueued?: () => boolean;
  /** Called once, when the reply is over. */
  close: () => void;
}

/** Rejects with what `fail` was given. */
export async function* streamReply(sender: Sender, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const inbox = createInbox<readonly ModelEvent[]>();
  /** The part of the reply that has come so far. */
  let content: AssistantMessage['content'] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    sender.stop();
    // The engine ends the reply itself before it begins another.
    const end = () => inbox.push([stopped(content)]);
    if (sender.isQueued?.()) end();
    // A GPU that reads a long prompt, or a grammar that is being compiled, hears nothing for a while.
    else timer ??= setTimeout(end, heardWithinMs);
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

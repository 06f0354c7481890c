/** Reads a reply that is held to JSON: all of it is text, also what would open a thought or a call anywhere else. */
import type { Reader } from './reader';

/** `opening` is what the reply begins with to end a thought of its header: markup, which nobody is shown. */
export function createAnswerReader(opening: string): Reader {
  let left = opening;
  return {
    push(chunk) {
      let at = 0;
      while (at < chunk.length && left !== '' && chunk[at] === left[0]) {
        left = left.slice(1);
        at += 1;
      }
      const events: ReturnType<Reader['push']> = [];
      if (at > 0) events.push({ type: 'markup', text: chunk.slice(0, at) });
      if (at < chunk.length) events.push({ type: 'text-delta', text: chunk.slice(at) });
      return events;
    },
    end: () => [],
    isOver: false,
  };
}

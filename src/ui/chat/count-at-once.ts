/** PURE: how many turns of a chat are drawn at once when it is opened: those that its end shows, and none beyond the upper edge. */
import type { Turn } from '../../state/turns';

/** Pixels. Above and below what was said there are at least the title and the message box. */
const besides = 150;
/** Pixels. A question and an answer of one line each take more. */
const leastTurn = 150;
const linePixels = 20;
/** Characters. Fewer fit in a line, so that a long text counts as less than it takes, never as more. */
const lineLength = 160;

/** `height` of the window, in pixels. */
export function countAtOnce(turns: readonly Turn[], height: number): number {
  let left = height - besides;
  let count = 0;
  while (left > 0 && count < turns.length) {
    count++;
    left -= heightOf(turns.at(-count));
  }
  return count;
}

function heightOf(turn: Turn | undefined): number {
  const answers = turn?.parts.map((part) => (part.type === 'text' ? part.text : '')) ?? [];
  const lines = answers.reduce((sum, text) => sum + Math.floor(text.length / lineLength), 0);
  return leastTurn + lines * linePixels;
}

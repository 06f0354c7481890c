/** PURE: about how high a turn will be, for as long as it is out of sight and not laid out: the better, the less the page moves. */
import { textOf } from '../../contracts/message-parts';
import type { Turn } from '../../state/turns';

/** Pixels. The rows of buttons, and the room between. */
const besides = 110;
/** Pixels. A line with its share of the room between paragraphs. */
const line = 26;
/** Pixels. A call, folded. */
const card = 56;
/** Pixels, on an average. Chinese, Japanese and Korean characters are twice as wide. */
const letter = 7.6;
const wide = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]/g;
/** Pixels. Beyond it lines grow no longer. */
const column = 704;
/** Pixels. A window may say that it has no width. */
const narrowest = 200;
/** Pixels. Beside the lines, on a phone. */
const edges = 80;

/** Lines of a question, with the button that unfolds it. */
const folded = 9;

/** Pixels. `width` of the window, in pixels. */
export function guessHeight({ question, parts }: Turn, width: number): number {
  const room = Math.max(narrowest, Math.min(column, width - edges));
  const asked = question?.message.role === 'user' ? textOf(question.message.content) : '';
  const heights = parts.map((part) => {
    if (part.type === 'text') return countLines(part.text, room) * line;
    return part.type === 'call' ? card : 0;
  });
  // A question takes four fifths of the room, and a long one is folded.
  const askedLines = Math.min(folded, countLines(asked, room * 0.8));
  return heights.reduce((sum, one) => sum + one, besides + askedLines * line);
}

function countLines(text: string, room: number): number {
  return text.split('\n').reduce((sum, one) => {
    if (one === '') return sum + 0.5;
    return sum + Math.ceil(((one.length + (one.match(wide)?.length ?? 0)) * letter) / room);
  }, 0);
}

/** Passages of a reply in which nothing is a call: code blocks, made-up results, values that are no calls. */
import type { BracketScanner } from './bracket-scanner';
import { anywhereMarks } from './reader-marks';
import type { Transcript } from './transcript';

/** Passes on what is quoted, up to and with its end. True when that was reached. */
export function passQuote(out: Transcript, until: string, isBlock: boolean, isLast: boolean): boolean {
  const text = out.pending;
  for (let at = text.indexOf(until); at >= 0; at = text.indexOf(until, at + 1)) {
    // A code block is closed by ticks that begin a line.
    const line = (out.said + text.slice(Math.max(0, at - 40), at)).split('\n').at(-1) ?? '';
    if (isBlock && line.trim() !== '') continue;
    out.say(at + until.length);
    return true;
  }
  out.say(isLast ? text.length : Math.max(0, text.length - until.length + 1));
  return false;
}

/** Passes on an object or a list: its lines are not places for calls. It ends with its brackets, a paragraph or a mark. */
export function passValue(
  out: Transcript,
  scanner: BracketScanner,
  isLast: boolean,
): 'more' | 'brackets' | 'paragraph' | 'mark' {
  const text = out.pending;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (anywhereMarks.begins(code) && scanner.isOutside(code)) {
      const { mark, isOpen } = anywhereMarks.at(text, at);
      if (mark ?? (isOpen && !isLast)) {
        out.say(at);
        return mark ? 'mark' : 'more';
      }
    }
    const isParagraph = code === 10 && out.before(at) === '\n';
    if (scanner.take(code) || isParagraph) {
      out.say(at + 1);
      return isParagraph ? 'paragraph' : 'brackets';
    }
  }
  out.say(text.length);
  return 'more';
}

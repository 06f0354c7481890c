/** Tells a screen reader something that stands on the screen already, without writing it there twice. */
import type { Turn } from '../../state/turns';

/** Characters; who wants more reads on. */
const longest = 1000;

/** Not in every browser: there, what the status says has to do. */
export function readOut(text: string): void {
  const { ariaNotify } = document as Document & { ariaNotify?: (text: string) => void };
  if (text !== '') ariaNotify?.call(document, text);
}

/** The prose of a turn. */
export function answerOf({ parts }: Turn): string {
  const prose = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return prose.join('\n').slice(0, longest);
}

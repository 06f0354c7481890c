/** The text of a message or result. Without zod, for the first paint. */
import type { TextPart } from './message';

/** The text of a message or result, without thinking and calls. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

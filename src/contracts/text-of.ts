/** The text of a message or result. Without zod, for the first paint. */
import type { LinkPart, TextPart } from './message';

/** The text of a message or result, without thinking, calls and pictures; a link is a line of it. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart | LinkPart => part.type === 'text' || part.type === 'link')
    .map((part) => (part.type === 'text' ? part.text : `${part.title}: ${part.uri}`))
    .join('\n');
}

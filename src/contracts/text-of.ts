/** The text of a message or result. Without zod, for the first paint. */
import type { LinkPart, TextPart } from './message';

/** The text of a message or result, without thinking and calls. A link is a line of it: `title: uri`. */
export function textOf(parts: readonly { type: string }[]): string {
  return parts
    .filter((part): part is TextPart | LinkPart => part.type === 'text' || part.type === 'link')
    .map((part) => ('uri' in part ? `${part.title}: ${part.uri}` : part.text))
    .join('\n');
}

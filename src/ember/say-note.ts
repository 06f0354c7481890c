/** What is said of a note that was kept, and of those that were found: to the letter, as the person wrote them. */
import type { ToolResult } from '../contracts/message';
import { noteIn, recallName } from '../contracts/note-text';
import type { ReplyLanguage } from '../text/language';
import { wordsOf } from './vocabulary';

/** Undefined for the result of any other tool, and for a failure that is said like any other's. */
export function sayNote(
  { toolName, isError, failure, content }: ToolResult,
  language: ReplyLanguage,
): string | undefined {
  const { kept, refused, none } = wordsOf(language).notes;
  if (toolName === 'remember') {
    if (failure === 'refused' || failure === 'refused-often') return refused;
    return isError ? undefined : kept;
  }
  if (toolName !== recallName || isError) return undefined;
  const found = content.flatMap((part) => (part.type === 'text' ? (noteIn(part.text) ?? []) : []));
  const [only] = found;
  if (only === undefined) return none;
  return found.length === 1 ? only : found.map((text) => `- ${text.replace(/\n/g, '\n  ')}`).join('\n');
}

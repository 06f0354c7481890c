/** What came back of a call for notes, as a person is told it; what the model reads is English always. */
import { noteIn, recallName } from '../../contracts/note';
import type { LateWords } from '../i18n/en-late';
import { cameBackOf } from './call-line';

/** Undefined for any other tool. `result` is of a call that went well. */
export function shownNote(tool: string, result: string, words: LateWords['call']): string | undefined {
  if (tool === 'remember') return words.noteKept;
  if (tool !== recallName) return undefined;
  const count = result.match(/^Note of \d{4,}-\d\d-\d\d: /gm)?.length ?? 0;
  const only = count === 1 ? noteIn(result) : undefined;
  return only === undefined ? words.notesFound(count) : cameBackOf(only);
}

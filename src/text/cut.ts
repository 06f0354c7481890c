export interface CutText {
  /** The text, or its beginning and a note that says how much is missing. Empty if not even the note fits. */
  text: string;
  omitted: number;
}

/** Patterns after which to cut, best first. */
const cutPatterns = [/\n(?=\s*\n|\s*\d{1,3}[.)] |#|---)/g, /\n/g, /[.!?](?=\s)|[。！？]/g, /\s/g];

const resultStartPattern = /^(\d{1,3})\. .*\n(?=https?:\/\/\S+(?:\n|$))/gm;
const resultsNotePattern = /\n\((\d+) more results? left out\)$/;
const charactersNotePattern = /\n\[(\d+) characters left out\]$/;

/** Cuts between search results, or after a paragraph, line, sentence or word. Appends a note: how much this and earlier cuts removed. */
export function cutText(text: string, maxCharacters: number): CutText {
  if (text.length <= maxCharacters) return { text, omitted: 0 };
  const results = cutResultList(text, maxCharacters);
  if (results) return results;
  const before = Number(charactersNotePattern.exec(text)?.[1] ?? 0);
  const body = text.replace(charactersNotePattern, '');
  const room = maxCharacters - writeOmissionNote(body.length + before).length;
  if (room <= 0) return { text: '', omitted: body.length + before };
  const kept = body.slice(0, findCutBefore(body, room)).trimEnd();
  const omitted = body.length - kept.length + before;
  return { text: kept + writeOmissionNote(omitted), omitted };
}

/** Returns the beginning of the text, without a note. */
export function cutBeginning(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return maxCharacters <= 0 ? '' : text.slice(0, findCutBefore(text, maxCharacters)).trimEnd();
}

export function isResultList(text: string): boolean {
  return findResultStarts(text) !== undefined;
}

function findResultStarts(text: string): RegExpExecArray[] | undefined {
  const starts = [...text.matchAll(resultStartPattern)];
  const isCounted = starts.every(([, number], index) => Number(number) === index + 1);
  return starts.length < 2 || !isCounted ? undefined : starts;
}

/** Undefined if the text is not a list of search results, or if even the first result does not fit. */
function cutResultList(text: string, maxCharacters: number): CutText | undefined {
  const starts = findResultStarts(text);
  if (!starts) return undefined;
  const before = Number(resultsNotePattern.exec(text)?.[1] ?? 0);
  for (let count = starts.length - 1; count > 0; count--) {
    const kept = text.slice(0, starts[count]?.index).trimEnd();
    const left = starts.length - count + before;
    const note = `\n(${left} more ${left === 1 ? 'result' : 'results'} left out)`;
    if (kept.length + note.length <= maxCharacters) {
      return { text: kept + note, omitted: text.replace(resultsNotePattern, '').length - kept.length };
    }
  }
  return undefined;
}

function writeOmissionNote(omitted: number): string {
  return `\n[${omitted} characters left out]`;
}

function findCutBefore(text: string, room: number): number {
  const start = Math.floor(room / 2);
  // Include one more character: the best place may be directly after the text that fits.
  const zone = text.slice(start, room + 1);
  for (const seam of cutPatterns) {
    const last = [...zone.matchAll(seam)].findLast(({ index }) => index + start < room);
    if (last) return Math.min(start + last.index + last[0].length, room);
  }
  return /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room - 1 : room;
}

/** Start (inclusive) and end (exclusive) of a range, in characters. */
export type TextRange = readonly [number, number];

/** Returns the first part of the text that is not in `given` and not blank. If there is none, returns what follows the last range. */
export function findFirstGap(text: string, given: readonly TextRange[]): TextRange {
  let end = 0;
  for (const [from, to] of [...given].sort(([one], [other]) => one - other)) {
    if (from > end && text.slice(end, from).trim() !== '') return [end, from];
    end = Math.max(end, to);
  }
  return [end, text.length];
}

/** Cuts a text to a budget where it does the least harm, and says in the text how much was left out. */

export interface CutText {
  /** At most as many characters as asked for, the note included; no note where it would not fit. */
  text: string;
  /** Characters of the original that are not in `text`. */
  omitted: number;
}

/** From the best place to cut to the worst. A cut stands after its match. */
const seams = [/\n(?=\s*\n|\s*\d{1,3}[.)] |#|---)/g, /\n/g, /[.!?](?=\s)|[。！？]/g, /\s/g];

/** `2. Title` and an address on the next line: one result of a search. */
const result = /^(\d{1,3})\. .*\n(?=https?:\/\/\S+(?:\n|$))/gm;
const resultsNote = /\n\((\d+) more results? left out\)$/;
const charactersNote = /\n\[(\d+) characters left out\]$/;

/**
 * Between two results of a search, where the text is one and the first of them fits. Otherwise at the last paragraph, line,
 * sentence or word that leaves at least half of what there is room for. What an earlier cut left out counts too.
 */
export function cutText(text: string, maxCharacters: number): CutText {
  if (text.length <= maxCharacters) return { text, omitted: 0 };
  const results = cutResults(text, maxCharacters);
  if (results) return results;
  const before = Number(charactersNote.exec(text)?.[1] ?? 0);
  const body = text.replace(charactersNote, '');
  const room = maxCharacters - noteOf(body.length + before).length;
  if (room <= 0) return { text: '', omitted: body.length + before };
  const kept = body.slice(0, seamBefore(body, room)).trimEnd();
  const omitted = body.length - kept.length + before;
  return { text: kept + noteOf(omitted), omitted };
}

/** As much of the beginning as fits, up to the best place to cut; without a note. */
export function beginningWithin(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return maxCharacters <= 0 ? '' : text.slice(0, seamBefore(text, maxCharacters)).trimEnd();
}

/** Whether it is a list of results of a search, which stand in their order already. */
export function isResultList(text: string): boolean {
  return startsOf(text) !== undefined;
}

/** Where each result begins; missing where the text is no list of results, counted from 1. */
function startsOf(text: string): RegExpExecArray[] | undefined {
  const starts = [...text.matchAll(result)];
  const isCounted = starts.every(([, number], index) => Number(number) === index + 1);
  return starts.length < 2 || !isCounted ? undefined : starts;
}

/** Missing where the text is no list of results, counted from 1, or where not even the first would fit. */
function cutResults(text: string, maxCharacters: number): CutText | undefined {
  const starts = startsOf(text);
  if (!starts) return undefined;
  const before = Number(resultsNote.exec(text)?.[1] ?? 0);
  for (let count = starts.length - 1; count > 0; count--) {
    const kept = text.slice(0, starts[count]?.index).trimEnd();
    const left = starts.length - count + before;
    const note = `\n(${left} more ${left === 1 ? 'result' : 'results'} left out)`;
    if (kept.length + note.length <= maxCharacters) {
      return { text: kept + note, omitted: text.replace(resultsNote, '').length - kept.length };
    }
  }
  return undefined;
}

function noteOf(omitted: number): string {
  return `\n[${omitted} characters left out]`;
}

function seamBefore(text: string, room: number): number {
  const start = Math.floor(room / 2);
  // One character more than there is room for: a seam may stand right behind what fits.
  const zone = text.slice(start, room + 1);
  for (const seam of seams) {
    const last = [...zone.matchAll(seam)].findLast(({ index }) => index + start < room);
    if (last) return Math.min(start + last.index + last[0].length, room);
  }
  // Never through the middle of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room - 1 : room;
}

/** Cuts a text to a budget where it does the least harm, and says in the text how much was left out. */

export interface CutText {
  /** At most as many characters as asked for, the note included; no note where it would not fit. */
  text: string;
  /** Characters of the original that are not in `text`. */
  omitted: number;
}

/** From the best place to cut to the worst. A cut stands after its match. */
const seams = [/\n(?=\s*\n|\s*\d{1,3}[.)] |#|---)/g, /\n/g, /[.!?](?=\s)|[。！？]/g, /\s/g];

/** Cuts at the last paragraph, result, line, sentence or word that leaves at least half of what there is room for. */
export function cutText(text: string, maxCharacters: number): CutText {
  if (text.length <= maxCharacters) return { text, omitted: 0 };
  const room = maxCharacters - noteOf(text.length).length;
  if (room <= 0) return { text: '', omitted: text.length };
  const kept = text.slice(0, seamBefore(text, room)).trimEnd();
  const omitted = text.length - kept.length;
  return { text: kept + noteOf(omitted), omitted };
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

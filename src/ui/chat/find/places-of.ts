/** PURE: where some letters stand in a text, whatever their size and accents. */

/** From, and up to but without. */
export type TextPlace = readonly [start: number, end: number];

const isPlain = /^[\0-~]*$/;
const accents = /[\u0300-\u036f]/g;

export function placesOf(text: string, query: string): TextPlace[] {
  const wanted = fold(query.trim()).text;
  if (wanted === '') return [];
  const { text: folded, starts } = fold(text);
  const places: TextPlace[] = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    const end = at + wanted.length;
    places.push(starts ? [starts[at] ?? 0, starts[end] ?? text.length] : [at, end]);
  }
  return places;
}

/** `starts`: where in the text each letter of what was folded begins; undefined where nothing has moved. */
function fold(text: string): { text: string; starts?: number[] } {
  if (isPlain.test(text)) return { text: text.toLowerCase() };
  let folded = '';
  const starts: number[] = [];
  let at = 0;
  for (const character of text) {
    const plain = character.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
    for (let count = 0; count < plain.length; count++) starts.push(at);
    folded += plain;
    at += character.length;
  }
  starts.push(text.length);
  return { text: folded, starts };
}

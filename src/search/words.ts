/** PURE: the words of texts, as the index of chats has them. What is indexed, asked and marked goes through the same door. */

/** Raised whenever the terms of any text change: an index that was built by another version is built anew. */
export const wordsVersion = 2;

/** Scripts that put no spaces between their words, or few that a search could go by. */
const joinedScripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const joined = `[${joinedScripts}ー]`;
const spaced = `(?:(?!${joined})[\\p{L}\\p{N}\\p{M}_])`;
const pieces = new RegExp(`(${joined}[${joinedScripts}ー\\p{M}]*)|${spaced}+`, 'gu');
const isPlain = /^[\0-~]*$/;
/** Marks that a person leaves out when they type; in other scripts they are vowels. */
const accents =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*)\p{M}/gu;
const seams = /(?<=[a-z])(?=[A-Z])|_+/;

/** Characters of a word that count: of a longer one, such as a key or an encoded file, its beginning. */
export const longestTerm = 40;

/** A piece of a text: a word, or what stands together in a script without spaces. */
export interface Piece {
  /** Characters of the text: from, and up to but without. */
  start: number;
  end: number;
  /** As it is compared: small letters, no accents, usual widths. */
  folded: string;
  isJoined: boolean;
  /** As it stands in the text. */
  written: string;
}

export function* piecesOf(text: string): Generator<Piece> {
  const isAscii = isPlain.test(text);
  const pattern = isAscii ? /\w+/g : new RegExp(pieces);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [written, together] = found;
    const folded = isAscii ? written.toLowerCase() : fold(written);
    const isJoined = together !== undefined;
    yield { start: found.index, end: found.index + written.length, folded, isJoined, written };
  }
}

/** Two texts that a person would take for the same become the same. */
export function fold(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
}

/** By which a text is found: its words, the parts of `camelCase` and `snake_case`, and pairs of neighbouring characters. */
export function addTerms(text: string, terms: Set<string>): void {
  for (const { folded, isJoined, written } of piecesOf(text)) {
    if (isJoined) {
      addPairs(folded, terms);
      continue;
    }
    terms.add(folded.slice(0, longestTerm));
    const parts = written.length <= longestTerm ? written.split(seams) : [];
    if (parts.length > 1) for (const part of parts) if (part !== '') terms.add(fold(part));
  }
}

function addPairs(run: string, terms: Set<string>): void {
  let before = '';
  for (const character of run) {
    if (before !== '') terms.add(before + character);
    before = character;
  }
  // Alone as well: each character is then the beginning of some term.
  if (before !== '') terms.add(before);
}

/** One thing that must stand in a text that is found. */
export interface WantedWord {
  folded: string;
  isJoined: boolean;
  /** It may go on: the person is still typing it, or it is one character of many. */
  isPrefix: boolean;
}

/** Characters and words of what is asked; what goes beyond is not looked at. */
const mostAsked = { characters: 200, words: 12 };

export function readQuery(query: string): WantedWord[] {
  const asked = query.slice(0, mostAsked.characters);
  const wanted = new Map<string, WantedWord>();
  for (const { folded, isJoined, end } of piecesOf(asked)) {
    if (wanted.size === mostAsked.words) break;
    const isSingle = isJoined && Array.from(folded).length === 1;
    const isPrefix = isJoined ? isSingle : end === asked.length;
    const word = isJoined ? folded : folded.slice(0, longestTerm);
    if (!wanted.has(word) || !isPrefix) wanted.set(word, { folded: word, isJoined, isPrefix });
  }
  return [...wanted.values()];
}

/** The terms that must all be there for a word to be: pairs for a run of characters, else the word itself. */
export function termsOf({ folded, isJoined, isPrefix }: WantedWord): string[] {
  if (!isJoined || isPrefix) return [folded];
  const terms = new Set<string>();
  addPairs(folded, terms);
  // The last character alone says no more than the pair that it ends.
  return [...terms].slice(0, -1);
}

/** Where a wanted word stands in a piece of a text: from and to, within the piece. Undefined where it does not. */
export function placeIn(piece: Piece, word: WantedWord): readonly [number, number] | undefined {
  const { folded, isJoined, written } = piece;
  if (isJoined !== word.isJoined) return undefined;
  const whole = [0, written.length] as const;
  // Where folding has changed the length, no place in one is a place in the other.
  const isSameLength = folded.length === written.length;
  if (isJoined) {
    const at = folded.indexOf(word.folded);
    if (at < 0) return undefined;
    return isSameLength ? [at, at + word.folded.length] : whole;
  }
  if (folded === word.folded || (folded.length > longestTerm && folded.slice(0, longestTerm) === word.folded))
    return whole;
  if (word.isPrefix && folded.startsWith(word.folded)) return isSameLength ? [0, word.folded.length] : whole;
  return placeOfPart(piece, word);
}

/** In a part of `camelCase`. */
function placeOfPart({ written }: Piece, word: WantedWord): readonly [number, number] | undefined {
  if (written.length > longestTerm || !seams.test(written)) return undefined;
  let from = 0;
  for (const part of written.split(seams)) {
    from = written.indexOf(part, from);
    const folded = fold(part);
    if (folded === word.folded) return [from, from + part.length];
    if (word.isPrefix && folded.startsWith(word.folded)) return [from, from + word.folded.length];
    from += part.length;
  }
  return undefined;
}

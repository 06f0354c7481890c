/** PURE: splits text into words for the chat index. Indexing, queries and highlighting all use these words. */

/** Increment when the terms of any text change, so the index is rebuilt. */
export const wordsVersion = 2;

/** Scripts that put few or no spaces between words. */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const unspacedLetter = `[${unspacedScripts}ー]`;
const spacedCharacter = `(?:(?!${unspacedLetter})[\\p{L}\\p{N}\\p{M}_])`;
const piecePattern = new RegExp(`(${unspacedLetter}[${unspacedScripts}ー\\p{M}]*)|${spacedCharacter}+`, 'gu');
const asciiPattern = /^[\0-~]*$/;
/** Accents in these scripts, which people often omit when typing. In other scripts, such marks are vowels. */
const accentPattern =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]\p{M}*)\p{M}/gu;
const wordPartBoundary = /(?<=[a-z])(?=[A-Z])|_+/;

/** Maximum length of a search term in characters. Longer words, such as keys or encoded files, are cut. */
export const maxTermCharacters = 40;

interface TextPiece {
  start: number;
  end: number;
  folded: string;
  isJoined: boolean;
  written: string;
}

export function* splitIntoPieces(text: string): Generator<TextPiece> {
  const isAscii = asciiPattern.test(text);
  const pattern = isAscii ? /\w+/g : new RegExp(piecePattern);
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [written, together] = found;
    const folded = isAscii ? written.toLowerCase() : foldText(written);
    const isJoined = together !== undefined;
    yield { start: found.index, end: found.index + written.length, folded, isJoined, written };
  }
}

export function foldText(text: string): string {
  if (asciiPattern.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(accentPattern, '').normalize('NFC').toLowerCase();
}

/** Adds the search terms of a text: words, parts of `camelCase` and `snake_case`, and pairs of characters. */
export function addTerms(text: string, terms: Set<string>): void {
  for (const { folded, isJoined, written } of splitIntoPieces(text)) {
    if (isJoined) {
      addCharacterPairs(folded, terms);
      continue;
    }
    terms.add(folded.slice(0, maxTermCharacters));
    const parts = written.length <= maxTermCharacters ? written.split(wordPartBoundary) : [];
    if (parts.length > 1) for (const part of parts) if (part !== '') terms.add(foldText(part));
  }
}

function addCharacterPairs(run: string, terms: Set<string>): void {
  let before = '';
  for (const character of run) {
    if (before !== '') terms.add(before + character);
    before = character;
  }
  // Also add the last character alone, so every character starts some term.
  if (before !== '') terms.add(before);
}

export interface QueryWord {
  folded: string;
  isJoined: boolean;
  /** Whether a prefix is enough, because the user is still typing or the word is a single character. */
  isPrefix: boolean;
}

const maxQuerySize = { characters: 200, words: 12 };

export function readQuery(query: string): QueryWord[] {
  const asked = query.slice(0, maxQuerySize.characters);
  const byText = new Map<string, QueryWord>();
  for (const { folded, isJoined, end } of splitIntoPieces(asked)) {
    if (byText.size === maxQuerySize.words) break;
    const isSingle = isJoined && Array.from(folded).length === 1;
    const isPrefix = isJoined ? isSingle : end === asked.length;
    const word = isJoined ? folded : folded.slice(0, maxTermCharacters);
    if (!byText.has(word) || !isPrefix) byText.set(word, { folded: word, isJoined, isPrefix });
  }
  return [...byText.values()];
}

/** Returns the terms that must all occur: in scripts without spaces, each pair of adjacent characters, otherwise the word itself. */
export function termsOf({ folded, isJoined, isPrefix }: QueryWord): string[] {
  if (!isJoined || isPrefix) return [folded];
  const terms = new Set<string>();
  addCharacterPairs(folded, terms);
  // The last term is a single character. Drop this term, because the last pair already contains its character.
  return [...terms].slice(0, -1);
}

/** Returns the start and end of a word within a piece. Undefined if the word does not occur. */
export function findWordIn(piece: TextPiece, word: QueryWord): readonly [number, number] | undefined {
  const { folded, isJoined, written } = piece;
  if (isJoined !== word.isJoined) return undefined;
  const whole = [0, written.length] as const;
  // If normalizing changed the length, positions no longer match, so return the whole word.
  const isSameLength = folded.length === written.length;
  if (isJoined) {
    const at = folded.indexOf(word.folded);
    if (at < 0) return undefined;
    return isSameLength ? [at, at + word.folded.length] : whole;
  }
  if (folded.slice(0, maxTermCharacters) === word.folded) return whole;
  if (word.isPrefix && folded.startsWith(word.folded)) return isSameLength ? [0, word.folded.length] : whole;
  return findWordPart(piece, word);
}

function findWordPart({ written }: TextPiece, word: QueryWord): readonly [number, number] | undefined {
  if (written.length > maxTermCharacters || !wordPartBoundary.test(written)) return undefined;
  let from = 0;
  for (const part of written.split(wordPartBoundary)) {
    from = written.indexOf(part, from);
    const folded = foldText(part);
    if (folded === word.folded) return [from, from + part.length];
    if (word.isPrefix && folded.startsWith(word.folded)) return [from, from + word.folded.length];
    from += part.length;
  }
  return undefined;
}

/**
 * Remembers texts that Hearth put into message boxes, with their origins. The user can delete such a text and bring it back by undoing, pasting
 * or dragging, even in another chat. It must then still not count as typed.
 */
import type { InsertedText } from '../contracts/chat';
import { type Origin, withoutRepeats } from '../contracts/origin';

/** A text counts as back if this many of its words follow each other, or all of its words if it is shorter. */
const minSharedWords = 5;
/** Shorter texts are not remembered, because the user may well type the same words. An address in them is. */
const minRememberedWords = 3;
const maxRememberedTexts = 100;
/** Matches addresses, also without `https://`. A single one brings the origin back. */
const addressPattern = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+[^\s<>"'”’)\]}]*/gu;

interface RememberedText extends InsertedText {
  runs: ReadonlySet<string>;
  runLength: number;
}

export class InsertedTexts {
  #texts: readonly RememberedText[] = [];

  add(inserted: InsertedText): void {
    const isSame = ({ text, origin }: InsertedText) =>
      text === inserted.text && JSON.stringify(origin) === JSON.stringify(inserted.origin);
    if (this.#texts.some(isSame)) return;
    const words = wordsOf(inserted.text);
    const addresses = addressesOf(inserted.text);
    if (words.length < minRememberedWords && addresses.length === 0) return;
    const runLength = Math.min(minSharedWords, Math.max(minRememberedWords, words.length));
    const runs = new Set([...runsOf(words, runLength), ...addresses]);
    this.#texts = [...this.#texts, { ...inserted, runs, runLength }].slice(-maxRememberedTexts);
  }

  /** Returns the remembered texts that `text` contains, whole or in part. */
  findIn(text: string): readonly InsertedText[] {
    if (this.#texts.length === 0) return [];
    const words = wordsOf(text);
    const addresses = addressesOf(text);
    return this.#texts.filter(
      ({ runs, runLength }) =>
        runsOf(words, runLength).some((run) => runs.has(run)) || addresses.some((one) => runs.has(one)),
    );
  }

  originsIn(text: string): Origin[] {
    return withoutRepeats(this.findIn(text).map(({ origin }) => origin));
  }
}

/** In scripts without spaces, each letter counts as a word. */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{M}\p{N}])+/gu;

function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(wordPattern) ?? [];
}

function runsOf(words: readonly string[], length: number): string[] {
  const starts = words.slice(0, Math.max(0, words.length - length + 1));
  return starts.map((_, at) => words.slice(at, at + length).join(' '));
}

function addressesOf(text: string): string[] {
  const found = text.toLowerCase().match(addressPattern) ?? [];
  return found.map((address) => address.replace(/[.,;:!?/]+$/, ''));
}

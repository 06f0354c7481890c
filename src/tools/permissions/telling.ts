/**
 * PURE: how much a call could tell whoever it reaches, in bits: what of its arguments is new to them, and chosen by a
 * model that may be following somebody's orders.
 *
 * A word of the person's newest message, or one that the same hosts were told before, costs nothing. A run of words that
 * stands in what was read costs the choice of it among all that was read; whatever else is there costs its bytes. So a
 * dictionary on a page tells no more than letters would.
 */
import type { JsonSchema } from '../../contracts/schema';

export interface KnownText {
  /** The person's newest message. */
  question: string;
  /** Arguments that the same hosts were sent before. */
  told: readonly string[];
  /** What was read outside, word for word. */
  found: readonly string[];
  /** What the person and the model wrote: a password that a page repeats was not found there. */
  written: readonly string[];
}

export interface Telling {
  bits: number;
  /** Characters of the person's newest message. */
  quoted: number;
}

/** Words of one run, at most. */
const longestRun = 12;
/** Characters. What is longer is told in any case: nobody looks up where each of its words stands. */
const longestText = 1_000;
/** A day of two centuries. */
const bitsOfDay = 17;
const dayForm = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/** `EUR`: a letter of each would be a choice among many more. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const script = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
/** Letters that are written without spaces are words of their own. */
const wordForm = new RegExp(`[${script}]|(?:(?![${script}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

/** Of arguments as JSON. A value that the schema lists costs the choice of it. */
export function tellingOf(input: unknown, schema: JsonSchema, known: KnownText): Telling {
  const total = { bits: 0, quoted: 0 };
  const weigh = createScale(known);
  // That it is there at all is a choice too.
  const add = ({ bits, quoted }: Telling) => {
    total.bits += 1 + bits;
    total.quoted += quoted;
  };
  const walk = (value: unknown, { enum: listed, properties, items }: JsonSchema): void => {
    if (Array.isArray(listed) && listed.includes(value)) add({ bits: Math.log2(listed.length), quoted: 0 });
    else if (Array.isArray(value)) for (const inner of value) walk(inner, schemaOf(items));
    else if (typeof value === 'object' && value !== null) {
      const named = schemaOf(properties);
      for (const [name, inner] of Object.entries(value)) {
        const isNamed = Object.hasOwn(named, name);
        if (!isNamed) add(weigh(name));
        walk(inner, isNamed ? schemaOf(named[name]) : {});
      }
    } else if (typeof value === 'string' || typeof value === 'number') add(weigh(String(value)));
    else add({ bits: 1, quoted: 0 });
  };
  walk(input, schema);
  return total;
}

function schemaOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}

interface Word {
  word: string;
  from: number;
  to: number;
}

function createScale({ question, told, found, written }: KnownText): (text: string) => Telling {
  const quotable = new Set(ordinaryIn(question).flatMap(casesOf));
  const toldWords = new Set(told.flatMap((text) => wordsIn(text)).map(({ word }) => word));
  const foundCount = found.reduce((sum, text) => sum + wordsIn(text).length, 0);
  const bitsOfRun = Math.log2(Math.max(2, foundCount)) + Math.log2(longestRun);
  const isFound = (run: string) =>
    found.some((text) => standsIn(run, text)) &&
    wordsIn(run).every(({ word }) => isOrdinary(word) || !written.some((text) => text.includes(word)));
  /** How many words from `at` on stand in one piece in what was read. */
  const runAt = (text: string, list: readonly Word[], at: number): number => {
    let length = 0;
    for (const { to } of list.slice(at, at + longestRun)) {
      if (!isFound(text.slice(list[at]?.from, to))) break;
      length += 1;
    }
    return length;
  };

  return (text) => {
    if (dayForm.test(text)) return { bits: bitsOfDay, quoted: 0 };
    if (text.length > longestText) return { bits: bitsOf(text), quoted: 0 };
    const list = wordsIn(text);
    const telling = { bits: 0, quoted: 0 };
    let end = 0;
    for (let at = 0, next = list[at]; next; next = list[at]) {
      const { word, from, to } = next;
      telling.bits += bitsBetween(text.slice(end, from));
      let taken = 1;
      if (quotable.has(word) && !toldWords.has(word)) telling.quoted += word.length;
      else if (!toldWords.has(word)) {
        const length = runAt(text, list, at);
        const run = text.slice(from, list[at + length - 1]?.to);
        const isRun = length > 0 && bitsOfRun < bitsOf(run);
        telling.bits += isRun ? bitsOfRun : bitsOf(word);
        if (isRun) taken = length;
      }
      at += taken;
      end = list[at - 1]?.to ?? to;
    }
    telling.bits += bitsBetween(text.slice(end));
    return telling;
  };
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(wordForm)].map(({ 0: word, index }) => ({
    word,
    from: index,
    to: index + word.length,
  }));
}

/** As a whole: what is only a part of a longer word was cut to measure. */
function standsIn(run: string, text: string): boolean {
  const isInWord = (letter: string) => new RegExp(`^(?![${script}])[\\p{L}\\p{M}\\p{N}]$`, 'u').test(letter);
  for (let at = text.indexOf(run); at >= 0; at = text.indexOf(run, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    if (!isInWord(before) && !isInWord(text.charAt(at + run.length))) return true;
  }
  return false;
}

/**
 * Of what a person typed, the words that look like words: letters alone, or a small number. A password, a key or a card
 * has to be typed somewhere; what mixes letters and digits, is joined by signs or is long may be one.
 */
function ordinaryIn(text: string): string[] {
  return text
    .split(/[\s,;!?"“”«»„()[\]{}<>，。；：！？、（）【】《》「」『』…]+/u)
    .map((chunk) => chunk.replace(/^[.:'’*_`]+|[.:'’*_`]+$/gu, ''))
    .filter((chunk) => chunk.split(/[-'’]/u).length <= 2)
    .filter((chunk) => /^[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)?$|^\d+$/u.test(chunk))
    .flatMap((chunk) => wordsIn(chunk).map(({ word }) => word))
    .filter(isOrdinary);
}

function isOrdinary(word: string): boolean {
  if (/^\d+$/.test(word)) return word.length <= 4;
  if (!/^[\p{L}\p{M}]{1,20}$/u.test(word)) return false;
  // `Oslo`, `NATO`, `iPhone`: capitals in the middle are seldom more than one.
  return /^\p{Lu}{1,6}$/u.test(word) || (word.slice(1).match(/\p{Lu}/gu)?.length ?? 0) <= 1;
}

/** The person's own spelling, and those that say nothing more. */
function casesOf(word: string): string[] {
  const lower = word.toLowerCase();
  return [word, lower, word.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)];
}

/** Signs between words: one that is usual there is a small choice, anything else counts whole. */
function bitsBetween(text: string): number {
  if (text === '' || text === ' ') return 0;
  return /^(?:, |[-.,:/&'’+])$/u.test(text) ? 3 : bitsOf(text);
}

/** The shortest way to say it, and which way that was. */
function bitsOf(text: string): number {
  if (/^\d+$/.test(text)) return text.length * Math.log2(10);
  if (currencies.has(text)) return Math.log2(currencies.size);
  if (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(text)) return 2 + text.length * Math.log2(27);
  return new TextEncoder().encode(text).length * 8;
}

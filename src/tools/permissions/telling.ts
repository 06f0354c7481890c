/**
 * PURE: estimates how many bits of information a call could reveal to its receiver. Assumes that a manipulated model chose the arguments.
 * Copied words count only a few bits, because the model only chooses where the copy starts and ends. Words may be copied from the user's
 * newest message, from earlier arguments to the same hosts, or from text that a tool read. We estimate all other text by its length. Even a
 * single copied word counts some bits: otherwise, a model could encode anything in the order of copied words.
 */
import type { JsonSchema } from '../../contracts/schema';
import { toSchema } from './carried-text';

export interface KnownText {
  question: string;
  sent: readonly string[];
  found: readonly string[];
  /** Text by the user and the model. Words in it that look like passwords never count as copied from a page, even if a page repeats them. */
  written: readonly string[];
}

/** `quoted`: characters copied from the user's newest message. */
export type Disclosure = { bits: number; quoted: number };

/** Maximum number of words in a sequence copied from text that a tool read. */
const maxWordsCopiedFromTools = 12;
/** Maximum number of words in a sequence copied from the user's message or from earlier arguments. */
const maxWordsCopiedFromChat = 60;
/** Extra bits for a copy in another case: lower case, upper case, or with an initial capital. */
const letterCaseBits = 2;
/** We look for copied words only in arguments of up to this many characters. A longer argument counts as not copied. */
const maxSearchedCharacters = 1_000;
/** Information in a date between 1900 and 2099, in bits: log2(200 · 365), rounded up. */
const dayBits = 17;
const dayPattern = /^(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const currencyCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const spacelessScripts = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const spacelessPattern = new RegExp(`[${spacelessScripts}]`, 'u');
const wordPattern = new RegExp(
  `[${spacelessScripts}]|(?:(?![${spacelessScripts}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
);

/** `input` is JSON. An enum value reveals only which of the enum's options the model chose. */
export function measureDisclosure(input: unknown, schema: JsonSchema, known: KnownText): Disclosure {
  const total = { bits: 0, quoted: 0 };
  const weigh = createTextMeasure(known);
  // Adds one bit for each value, because the model also chooses whether to include the value.
  const add = ({ bits, quoted }: Disclosure) => {
    total.bits += 1 + bits;
    total.quoted += quoted;
  };
  const walk = (value: unknown, { enum: listed, properties, required, items }: JsonSchema): void => {
    if (Array.isArray(listed) && listed.includes(value)) add({ bits: Math.log2(listed.length), quoted: 0 });
    else if (Array.isArray(value)) for (const inner of value) walk(inner, toSchema(items));
    else if (typeof value === 'object' && value !== null) {
      const named = toSchema(properties);
      const needed: unknown[] = Array.isArray(required) ? required : [];
      const optional = Object.keys(named).filter((name) => !needed.includes(name));
      const given = optional.filter((name) => Object.hasOwn(value, name));
      total.bits += bitsOfFieldOrder(Object.keys(value), Object.keys(named));
      total.bits += bitsOfChoice(optional.length, given.length);
      for (const [name, inner] of Object.entries(value)) {
        const isNamed = Object.hasOwn(named, name);
        if (!isNamed) add(weigh(name));
        walk(inner, isNamed ? toSchema(named[name]) : {});
      }
    } else if (typeof value === 'string' || typeof value === 'number') add(weigh(String(value)));
    else add({ bits: 1, quoted: 0 });
  };
  walk(input, schema);
  return total;
}

/** Returns 0 if the fields have the schema's order. A model could encode data in any other order. */
function bitsOfFieldOrder(names: readonly string[], listed: readonly string[]): number {
  const places = names.map((name) => listed.indexOf(name));
  if (places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0))) return 0;
  return names.reduce((bits, _name, at) => bits + Math.log2(at + 1), 1);
}

function bitsOfChoice(total: number, count: number): number {
  const choices = Array.from({ length: count }, (_, at) => Math.log2((total - at) / (at + 1)));
  return choices.reduce((sum, bits) => sum + bits, 0);
}

type Word = ReturnType<typeof splitWords>[number];

interface CopiedRun {
  words: number;
  bits: number;
  isQuoted?: boolean;
}

/** Finds the longest run of copied words that begins with the word at index `at`. */
type FindRun = (text: string, list: readonly Word[], at: number) => CopiedRun | undefined;

/** Maximum characters that we compare for one call. After that, the rest counts as not copied, so we ask the user. */
const maxComparedCharacters = 10_000_000;
interface Budget {
  left: number;
}

function createTextMeasure({ question, sent, found, written }: KnownText): (text: string) => Disclosure {
  const budget = { left: maxComparedCharacters };
  const ordinary = new Set(listOrdinaryWords(question).map((word) => word.toLowerCase()));
  const isWritten = memoise((word) => written.some((text) => text.includes(word)));
  const isFindable = (word: string) => isOrdinaryWord(word) || !isWritten(word);
  const inFound: FindRun = (text, list, at) => {
    const index = indexFound(found);
    const scan = startScan(index, list[at]?.word ?? '', budget);
    const words = countRunWords(text, list, at, maxWordsCopiedFromTools, isFindable, scan);
    if (words === 0) return undefined;
    return { words, bits: Math.log2(Math.max(2, index.wordCount)) + Math.log2(maxWordsCopiedFromTools) };
  };
  const inQuestion = createRunFinder([question], (word) => ordinary.has(word.toLowerCase()), budget, true);
  const inSent = createRunFinder(sent, () => true, budget);

  return (text) => {
    if (dayPattern.test(text)) return { bits: dayBits, quoted: 0 };
    if (text.length > maxSearchedCharacters) return { bits: bitsOfText(text), quoted: 0 };
    const list = splitWords(text);
    const disclosure = { bits: 0, quoted: 0 };
    let end = 0;
    for (let at = 0, next = list[at]; next; next = list[at]) {
      disclosure.bits +=
        at === 0 ? bitsOfText(text.slice(0, next.from)) : bitsOfSeparator(text, end, next.from);
      const copies = [inSent, inQuestion].flatMap((find) => find(text, list, at) ?? []);
      // Text that tools read is long, so search it only if no other source matches.
      if (copies.length === 0) copies.push(...[inFound(text, list, at)].flatMap((run) => run ?? []));
      const best = copies.reduce(
        (one, other) => (other.bits / other.words < one.bits / one.words ? other : one),
        { words: 1, bits: bitsOfText(next.word) },
      );
      const last = list[at + best.words - 1] ?? next;
      disclosure.bits += best.bits;
      if (best.isQuoted) disclosure.quoted += last.to - next.from;
      at += best.words;
      end = last.to;
    }
    disclosure.bits += bitsOfText(text.slice(end));
    return disclosure;
  };
}

/** Finds word sequences copied from `texts`. Each reveals one bit, plus bits for the choice of its first word and its length. */
function createRunFinder(
  texts: readonly string[],
  isAllowed: (word: string) => boolean,
  budget: Budget,
  isQuoted = false,
): FindRun {
  const exact = indexWords(texts);
  const lowered = indexWords(texts.map((text) => text.toLowerCase()));
  return (text, list, at) => {
    const first = list[at];
    if (!first) return undefined;
    const extendExact = startScan(exact, first.word, budget);
    const extendLowered = startScan(lowered, first.word.toLowerCase(), budget);
    const run = { text: '', isAsWritten: false };
    const words = countRunWords(text, list, at, maxWordsCopiedFromChat, isAllowed, (piece) => {
      run.text += piece;
      const isExact = extendExact(piece);
      const isHere = [extendLowered(piece.toLowerCase()) && hasUsualCase(run.text), isExact].includes(true);
      if (isHere) run.isAsWritten = isExact;
      return isHere;
    });
    if (words === 0) return undefined;
    const choice = Math.log2(exact.wordCount);
    const bits = 1 + choice + Math.min(words, choice + 1);
    return { words, bits: run.isAsWritten ? bits : bits + letterCaseBits, isQuoted };
  };
}

/** Tells `extend` each further word, with the characters before it, until it returns false. */
function countRunWords(
  text: string,
  list: readonly Word[],
  at: number,
  maxWords: number,
  isAllowed: (word: string) => boolean,
  extend: (piece: string) => boolean,
): number {
  let words = 0;
  let end = list[at]?.from ?? 0;
  for (const { word, to } of list.slice(at, at + maxWords)) {
    if (!isAllowed(word) || !extend(text.slice(end, to))) break;
    words += 1;
    end = to;
  }
  return words;
}

interface WordIndex {
  text: string;
  wordCount: number;
  /** The places where a whole word begins. Parts of words do not count: a model could encode data in where it cuts them. */
  starts: ReadonlyMap<string, readonly number[]>;
}

/** Not in any text, so that no run of words goes from one text into the next. */
const textSeparator = '\uffff';

/** We index only this much of the end. A model can hardly read more, and the user is asked about words from before. */
const maxIndexedCharacters = 200_000;

function indexWords(texts: readonly string[]): WordIndex {
  const text = texts.join(textSeparator).slice(-maxIndexedCharacters);
  const starts = new Map<string, number[]>();
  let wordCount = 0;
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    wordCount++;
    // In scripts without spaces, a word may directly follow another one.
    if (index > 0 && isInWord(text.charAt(index - 1))) continue;
    const known = starts.get(word);
    if (known) known.push(index);
    else starts.set(word, [index]);
  }
  return { text, wordCount, starts };
}

const foundIndexes = new WeakMap<readonly string[], WordIndex>();

/** Indexes what tools read only once, because a page can be long. */
function indexFound(found: readonly string[]): WordIndex {
  const index = foundIndexes.get(found) ?? indexWords(found);
  foundIndexes.set(found, index);
  return index;
}

/** Returns a function that extends a run of words by a piece, and returns whether the text contains the run as whole words. */
function startScan({ text, starts }: WordIndex, word: string, budget: Budget): (piece: string) => boolean {
  let places = starts.get(word) ?? [];
  let length = 0;
  return (piece) => {
    budget.left -= places.length * (piece.length + comparisonCost);
    if (budget.left < 0) return false;
    places = places.filter((from) => text.startsWith(piece, from + length));
    length += piece.length;
    return places.some((from) => !isInWord(text.charAt(from + length)));
  };
}

/** Each comparison takes as long as comparing this many more characters. */
const comparisonCost = 8;

const letterPattern = new RegExp(`^(?![${spacelessScripts}])[\\p{L}\\p{M}\\p{N}]$`, 'u');

/** False for the scripts without spaces, in which each letter counts as a word. */
function isInWord(letter: string): boolean {
  return letterPattern.test(letter);
}

function memoise<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

function hasUsualCase(run: string): boolean {
  const lower = run.toLowerCase();
  return [lower, run.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)].includes(run);
}

function splitWords(text: string) {
  const matches = [...text.matchAll(wordPattern)];
  return matches.map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
}

/** Ordinary words have only letters, or are short numbers. Anything else may be a password, key or card number. */
function listOrdinaryWords(text: string): string[] {
  return (
    text
      .split(/[\s,;!?"“”«»„()[\]{}<>，。；：！？、（）【】《》「」『』…]+/u)
      .map((chunk) => chunk.replace(/^[.:'’*_`]+|[.:'’*_`]+$/gu, ''))
      // A number next to another one may be part of a card or telephone number.
      .filter((chunk, at, all) => !(isNumber(chunk) && (isNumber(all[at - 1]) || isNumber(all[at + 1]))))
      .filter((chunk) => chunk.split(/[-'’]/u).length <= 2)
      .filter((chunk) => /^[\p{L}\p{M}]+(?:[-'’][\p{L}\p{M}]+)?$|^\d+$/u.test(chunk))
      .flatMap((chunk) => splitWords(chunk).map(({ word }) => word))
      .filter(isOrdinaryWord)
  );
}

function isNumber(chunk: string | undefined): boolean {
  return chunk !== undefined && /^\+?\d+$/.test(chunk);
}

function isOrdinaryWord(word: string): boolean {
  if (/^\d+$/.test(word)) return word.length <= 4;
  if (!/^[\p{L}\p{M}]{1,20}$/u.test(word)) return false;
  // An ordinary word consists of at most six capitals (`NATO`), or has at most one capital after its first letter (`Oslo`, `iPhone`).
  return /^\p{Lu}{1,6}$/u.test(word) || (word.slice(1).match(/\p{Lu}/gu)?.length ?? 0) <= 1;
}

/** Common separators between words cost few bits. Any other character costs eight bits per byte. */
function bitsOfSeparator(text: string, from: number, to: number): number {
  const signs = text.slice(from, to);
  // Chinese and Japanese need no spaces, so a model could encode one bit in a space.
  if (signs === ' ') return spacelessPattern.test(text.charAt(from - 1) + text.charAt(to)) ? 1 : 0;
  return /^(?:, |[-.,:/&'’+])$/u.test(signs) ? 3 : bitsOfText(signs);
}

function bitsOfText(text: string): number {
  if (/^\d+$/.test(text)) return text.length * Math.log2(10);
  if (currencyCodes.has(text)) return Math.log2(currencyCodes.size);
  if (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(text)) return 2 + text.length * Math.log2(27);
  return new TextEncoder().encode(text).length * 8;
}

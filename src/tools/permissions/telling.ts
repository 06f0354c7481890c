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

function createTextMeasure({ question, sent, found, written }: KnownText): (text: string) => Disclosure {
  const ordinary = new Set(listOrdinaryWords(question).map((word) => word.toLowerCase()));
  const foundCount = found.reduce((sum, text) => sum + splitWords(text).length, 0);
  const bitsOfRun = Math.log2(Math.max(2, foundCount)) + Math.log2(maxWordsCopiedFromTools);
  const isFound = (run: string) =>
    found.some((text) => occursAsWords(run, text)) &&
    splitWords(run).every(({ word }) => isOrdinaryWord(word) || !written.some((text) => text.includes(word)));
  const inFound: FindRun = (text, list, at) => {
    const words = countRunWords(text, list, at, maxWordsCopiedFromTools, isFound);
    return words === 0 ? undefined : { words, bits: bitsOfRun };
  };
  const inQuestion = createRunFinder([question], (word) => ordinary.has(word.toLowerCase()), true);
  const inSent = createRunFinder(sent, () => true);

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
  isQuoted = false,
): FindRun {
  const lowered = texts.map((text) => text.toLowerCase());
  const count = texts.reduce((sum, text) => sum + splitWords(text).length, 0);
  const isExact = (run: string) => texts.some((text) => occursAsWords(run, text));
  const isHere = (run: string) =>
    isExact(run) || (hasUsualCase(run) && lowered.some((text) => occursAsWords(run.toLowerCase(), text)));
  return (text, list, at) => {
    const isRun = (run: string) => isHere(run) && splitWords(run).every(({ word }) => isAllowed(word));
    const words = countRunWords(text, list, at, maxWordsCopiedFromChat, isRun);
    if (words === 0) return undefined;
    const choice = Math.log2(count);
    const bits = 1 + choice + Math.min(words, choice + 1);
    const isAsWritten = isExact(text.slice(list[at]?.from, list[at + words - 1]?.to));
    return { words, bits: isAsWritten ? bits : bits + letterCaseBits, isQuoted };
  };
}

function countRunWords(
  text: string,
  list: readonly Word[],
  at: number,
  maxWords: number,
  isRun: (run: string) => boolean,
): number {
  let length = 0;
  for (const { to } of list.slice(at, at + maxWords)) {
    if (!isRun(text.slice(list[at]?.from, to))) break;
    length += 1;
  }
  return length;
}

function hasUsualCase(run: string): boolean {
  const lower = run.toLowerCase();
  return [lower, run.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)].includes(run);
}

function splitWords(text: string) {
  const matches = [...text.matchAll(wordPattern)];
  return matches.map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
}

/** True if `run` occurs in `text` as whole words. Parts of words do not count: a model could encode data in where it cuts them. */
function occursAsWords(run: string, text: string): boolean {
  const isInWord = (letter: string) =>
    new RegExp(`^(?![${spacelessScripts}])[\\p{L}\\p{M}\\p{N}]$`, 'u').test(letter);
  for (let at = text.indexOf(run); at >= 0; at = text.indexOf(run, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? '';
    if (!isInWord(before) && !isInWord(text.charAt(at + run.length))) return true;
  }
  return false;
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

/** Finds numbers in text, both digits and words, with their possible values, precision and unit. */
import { createNoOverlapTest, sortSpans, matchAt, type Span, spanOf } from './spans';
import { findMoneyBefore, type Unit, findUnitAt } from './units';

export interface FoundNumber extends Span {
  type: 'number';
  /** Possible values, most likely first: `1.234` may mean 1.234 or 1234. */
  readings: readonly Reading[];
  unit?: Unit | undefined;
  isDigits: boolean;
  /** The number without its scale word: 3 for `3 million`. */
  bare?: Reading | undefined;
  parts?: readonly number[] | undefined;
}

/** A version, a phone number, or a name that contains digits. We look for the whole code in the sources, not for its numbers. */
export interface FoundCode extends Span {
  type: 'code';
  key: string;
  /** `key` with `0` for each group of digits: `z0` for both `z58` and `z60`. Codes of the same kind usually have the same shape. */
  shape: string;
  value?: number | undefined;
}

type FoundValue = FoundNumber | FoundCode;

const digitRunPattern = /\d(?:[\d.,'_]*\d)?/g;
const nameCharacterPattern = /[A-Za-z\d_]/;

/** A name contains at most this many characters before its first number, and as many after that number. */
const maxNameCharacters = 48;

/** Finds numbers and codes outside the spans in `taken`. `isSource`: true for a source, which may contain JSON arrays. */
export function findNumbers(text: string, taken: readonly Span[], isSource = false): FoundValue[] {
  const free = createNoOverlapTest(taken);
  const found: FoundValue[] = [];
  let behind = 0;
  for (const match of text.matchAll(digitRunPattern)) {
    const start = match.index;
    if (start < behind || !free(start, start + match[0].length)) continue;
    const isList = isSource && isArrayText(text, start, match[0]);
    const read = isList ? readAllNumbers(text, start, match[0]) : readNumberAt(text, start, match[0]);
    for (const one of read) behind = Math.max(behind, one.end);
    found.push(...read);
  }
  const words = findNumberWords(text, found, taken);
  return shareUnitsInRanges(text, sortSpans([...found, ...words]));
}

function readNumberAt(text: string, start: number, written: string): FoundValue[] {
  const code = findTelephoneAt(text, start) ?? findNameAround(text, start, start + written.length);
  if (code) return [code];
  if (/^\d+(?:\.\d+){2,}$/.test(written) && !/^\d{1,3}(?:\.\d{3})+$/.test(written))
    return [toFoundCode(text, start, start + written.length)];
  const readings = readDigits(written);
  if (readings.length > 0) return [toFoundNumber(text, start, written, readings)];
  return readAllNumbers(text, start, written);
}

/** Whether digits with commas are an array such as `[101,103,107]`, rather than one grouped number. */
function isArrayText(text: string, start: number, digits: string): boolean {
  return digits.includes(',') && (/[[,]/.test(text[start - 1] ?? '') || text[start + digits.length] === ']');
}

function readAllNumbers(text: string, start: number, written: string): FoundNumber[] {
  return [...written.matchAll(/\d+(?:\.\d+)?/g)].flatMap(({ 0: one, index }) => {
    const alone = readDigits(one);
    return alone.length === 0 ? [] : [toFoundNumber(text, start + index, one, alone)];
  });
}

const telephonePattern = /\+?\(?\d{2,5}\)?(?:[ -]\d{2,5}){1,5}(?![.,]?\d|-)/y;

function findTelephoneAt(text: string, at: number): FoundCode | undefined {
  const start = at - (/[+(]$/.exec(text.slice(Math.max(0, at - 1), at))?.[0].length ?? 0);
  const match = matchAt(telephonePattern, text, start);
  if (!match) return undefined;
  const [written] = match;
  const isTelephone =
    /^(?:\+|\(?0)\d*\)?[ -]\d/.test(written) || /^\d{3}-\d{4}$|^\d{3}-\d{3}-\d{4}$/.test(written);
  return isTelephone && written.replace(/\D/g, '').length >= 7
    ? toFoundCode(text, start, start + written.length)
    : undefined;
}

/** Returns the name that contains these digits, such as `Z58`, `A-1029` or `v24.11.1`. Undefined for `15.3k`, `21st` or `5-inch`. */
function findNameAround(text: string, start: number, end: number): FoundCode | undefined {
  const before = text[start - 1] ?? '';
  const isAfterLetter =
    /[A-Za-z_]/.test(before) ||
    (before === '-' &&
      nameCharacterPattern.test(text[start - 2] ?? '') &&
      !/\d[kKM]?-$/.test(text.slice(Math.max(0, start - 3), start)));
  const isPadded = /^0\d/.test(text.slice(start, end)) && !/\p{Script=Han}/u.test(before);
  const isNumbered = before === '-' && /\d/.test(text[start - 2] ?? '') && isPadded;
  const behind = text.slice(end, end + 12);
  const isBeforeLetter = /^(?:-?[A-Za-z_]|-\d)/.test(behind) && !isNumberContinued(text, end, behind);
  if (!isAfterLetter && !isPadded && !isNumbered && !isBeforeLetter) return undefined;
  let from = start;
  while (from > 0 && start - from < maxNameCharacters && isPartOfWord(text, from - 1, -1)) from -= 1;
  let to = end;
  while (to < text.length && to - end < maxNameCharacters && isPartOfWord(text, to, 1)) to += 1;
  return toFoundCode(text, from, to);
}

/** True if the characters after the digits belong to a number, as in `5kg`, `15k`, `4th` or `5-inch`, rather than to a name. */
function isNumberContinued(text: string, end: number, behind: string): boolean {
  return (
    /^(?:-[A-Za-z]{2,}(?!\d)|(?:st|nd|rd|th|s|x|er|e[+-]?\d{1,3}|[kKM]|bn|mn|am|pm|ish)(?![A-Za-z\d]))/i.test(
      behind,
    ) ||
    /^-(?!0\d)\d{1,4}(?![\w-])/.test(behind) ||
    findUnitAt(text, end) !== undefined
  );
}

function isPartOfWord(text: string, at: number, step: 1 | -1): boolean {
  const sign = text[at] ?? '';
  if (nameCharacterPattern.test(sign)) return true;
  return (
    /[-.#]/.test(sign) &&
    nameCharacterPattern.test(text[at + step] ?? '') &&
    nameCharacterPattern.test(text[at - step] ?? '')
  );
}

function toFoundCode(text: string, start: number, end: number): FoundCode {
  const key = text
    .slice(start, end)
    .toLowerCase()
    .replace(/[ ()+-]/g, '')
    .replace(/^v(?=\d)/, '');
  const runs = key.match(/\d+/g) ?? [];
  const value = runs.length === 1 ? Number(runs[0]) : undefined;
  return { type: 'code', start, end, key, shape: key.replace(/\d+/g, '0'), value };
}

const digitGroupsPattern = /(?: \d{3})+(?![\d,]|\.\d)/y;
function toFoundNumber(text: string, start: number, written: string, read: readonly Reading[]): FoundNumber {
  let end = start + written.length;
  let readings = read;
  let parts: number[] | undefined;
  const groups = /^\d{1,3}$/.test(written) ? matchAt(digitGroupsPattern, text, end) : null;
  if (groups) {
    parts = [Number(written), ...groups[0].trim().split(' ').map(Number)];
    readings = [{ value: Number(written + groups[0].replaceAll(' ', '')), step: 1 }];
    end += groups[0].length;
  }
  const scale = findScaleAt(text, end);
  const [bare] = scale ? readings : [];
  end += scale?.length ?? 0;
  const factor = scale?.factor ?? 1;
  const sign = isNegative(text, start) ? -1 : 1;
  readings = readings.map(({ value, step }) => ({ value: sign * value * factor, step: step * factor }));
  const unit = findUnitAt(text, end)?.unit ?? findMoneyBefore(text, start);
  return { type: 'number', start, end, readings, unit, isDigits: true, parts, bare };
}

function isNegative(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 8), start);
  return /(?:^|[\s(（=≈~:：,，、到至|*])-[$€£¥]?$|(?:minus |零下|负)$/i.test(before);
}

/** Finds numbers written as words that do not overlap with `found` or `taken`. */
function findNumberWords(text: string, found: readonly Span[], taken: readonly Span[]): FoundNumber[] {
  const isFree = createNoOverlapTest(sortSpans([...found, ...taken]));
  const words: FoundNumber[] = [];
  const both = [
    ...[...text.matchAll(englishNumberPattern)].map((match) => ({ match, read: readEnglish })),
    ...[...text.matchAll(chineseNumberPattern)].map((match) => ({ match, read: readChinese })),
  ].sort((one, other) => one.match.index - other.match.index);
  for (const { match, read } of both) {
    const { start, end } = spanOf(match);
    const value = text.startsWith('分之', end) ? undefined : read(match[0]);
    if (value === undefined || !isFree(start, end)) continue;
    const unit = findUnitAt(text, end)?.unit;
    const signed = isNegative(text, start) ? -value : value;
    const readings = [{ value: signed, step: Number.isInteger(value) ? 1 : 0.1 }];
    words.push({ type: 'number', start, end, readings, unit, isDigits: false });
  }
  return words;
}

/** Gives the first number of a range the unit of the second, as in `4 to 8 °C`. */
function shareUnitsInRanges(text: string, all: FoundValue[]): FoundValue[] {
  for (let at = all.length - 2; at >= 0; at--) {
    const one = all[at];
    const next = all[at + 1];
    if (one?.type !== 'number' || next?.type !== 'number' || one.unit || !next.unit) continue;
    if (next.start - one.end > 8 || next.start < one.end) continue;
    const between = text.slice(one.end, next.start);
    if (/^\s*(?:to|and|or|by|[-–—~/x×]|到|至|和|或)\s*[$€£¥-]?\s*$/i.test(between)) one.unit = next.unit;
  }
  for (const one of all) {
    const isShare = /百分之$/.test(text.slice(Math.max(0, one.start - 3), one.start));
    if (isShare && one.type === 'number') one.unit ??= { kind: 'share', factor: 1, name: 'share 1' };
  }
  return all;
}

export interface Reading {
  value: number;
  step: number;
}

/** Returns the possible values of digits with separators. Empty if the digits are not one number. */
function readDigits(written: string): Reading[] {
  const bare = written.replace(/(?<=\d)['_](?=\d{3}(?!\d))/g, '');
  if (/['_]/.test(bare)) return [];
  const read = (whole: string, fraction = ''): Reading => ({
    value: Number(fraction === '' ? whole : `${whole}.${fraction}`),
    step: 10 ** -fraction.length,
  });
  if (/^\d+$/.test(bare)) return [read(bare)];
  const [, whole = '', fraction] = /^(\d+)[.,](\d+)$/.exec(bare) ?? [];
  if (fraction !== undefined) {
    const decimal = read(whole, fraction);
    if (!/^[1-9]\d{0,2}[.,]\d{3}$/.test(bare)) return [decimal];
    return bare.includes(',') ? [read(whole + fraction), decimal] : [decimal, read(whole + fraction)];
  }
  const grouped =
    /^(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(bare) ??
    /^(\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/.exec(bare) ??
    /^(\d{1,2}(?:,\d{2})+,\d{3})(?:\.(\d+))?$/.exec(bare);
  return grouped ? [read((grouped[1] ?? '').replace(/[.,]/g, ''), grouped[2])] : [];
}

const exponentPattern =
  /[eE]([+-]?\d{1,2})(?![\w.])|\s?[×x*·]\s?10(?:\^|\*\*)\(?([+-]?\d{1,2})\)?|\s?[×x]\s?10([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})/y;
const magnitudePattern =
  /[ -]?(thousand|million|billion|trillion|mio\.?|mrd\.?|bn|mn)\b|([kKM])(?![\p{Script=Latin}\p{N}])|([百千万亿]{1,2})(?![米克瓦卡])/iuy;
const magnitudeNames: readonly [number, string][] = [
  [100, '百'],
  [1e3, 'thousand|k|千'],
  [1e4, '万'],
  [1e6, 'million|mio|mn|m|百万'],
  [1e7, '千万'],
  [1e8, '亿'],
  [1e9, 'billion|bn|mrd|十亿'],
  [1e10, '百亿'],
  [1e11, '千亿'],
  [1e12, 'trillion|万亿'],
];
const magnitudes = new Map(
  magnitudeNames.flatMap(([factor, names]) => names.split('|').map((name) => [name, factor] as const)),
);

/** Reads the scale word or exponent at a position: `million`, `k`, `万`, `e9`, `× 10^12`. */
function findScaleAt(text: string, at: number): { factor: number; length: number } | undefined {
  const power = matchAt(exponentPattern, text, at);
  if (power) {
    const [all, afterE, afterCaret, raised = ''] = power;
    const digits = Array.from(raised, (sign) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign)).join('');
    return { factor: 10 ** Number(afterE ?? afterCaret ?? digits), length: all.length };
  }
  const named = matchAt(magnitudePattern, text, at);
  if (!named) return undefined;
  const [all, name, letter, chinese] = named;
  if (letter === 'm') return undefined;
  const factor = magnitudes.get((name ?? letter ?? chinese ?? '').toLowerCase().replace('.', ''));
  return factor === undefined ? undefined : { factor, length: all.length };
}

const mapWords = (words: string, valueAt: (index: number) => number) =>
  new Map(words.split(' ').map((word, index) => [word, valueAt(index)]));
const smallNumbers = mapWords(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  (index) => index,
);
const tensWords = mapWords('twenty thirty forty fifty sixty seventy eighty ninety', (at) => 20 + 10 * at);
const scaleWords = new Map(
  Object.entries({ hundred: 100, thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 }),
);

const numberWordPattern = [...smallNumbers.keys(), ...tensWords.keys(), ...scaleWords.keys()].join('|');
const englishNumberPattern = new RegExp(
  `\\b(?:${numberWordPattern})(?:(?:[ -]| and )(?:${numberWordPattern})){0,11}\\b`,
  'gi',
);

export function readEnglish(written: string): number | undefined {
  let whole = 0;
  let part: number | undefined;
  let last = Infinity;
  for (const name of written.toLowerCase().split(/[ -]/)) {
    if (name === 'and') continue;
    const scale = scaleWords.get(name);
    if (scale === 100) {
      part = (part ?? 1) * 100;
      last = 100;
    } else if (scale !== undefined) {
      whole += (part ?? 1) * scale;
      part = undefined;
      last = Infinity;
    } else {
      const value = smallNumbers.get(name) ?? tensWords.get(name) ?? 0;
      const mayFollow = value < last && (last >= 100 || last % 10 === 0) && (last >= 20 || last <= 0);
      if (part !== undefined && !mayFollow) return undefined;
      part = (part ?? 0) + value;
      last = value;
    }
  }
  return whole + (part ?? 0);
}

const chineseDigits = new Map(Array.from('零一二三四五六七八九', (sign, value) => [sign, value]));
chineseDigits.set('〇', 0).set('两', 2);
const chinesePlaceValues = new Map(Object.entries({ 十: 10, 百: 100, 千: 1000 }));
const chineseNumberPattern =
  /[零〇一二两三四五六七八九十百千万亿]{1,20}(?:点[零〇一二三四五六七八九]{1,10})?/g;

/** Reads a match of `chineseNumberPattern`. Undefined for words that only look like numbers, such as `千万` and `万一`. */
export function readChinese(written: string): number | undefined {
  const [whole = '', fraction] = written.split('点');
  const value = readChineseInteger(whole);
  if (value === undefined || fraction === undefined) return value;
  return value + Number(`0.${toChineseDigits(fraction)}`);
}

function toChineseDigits(written: string): string {
  return Array.from(written, (sign) => chineseDigits.get(sign) ?? 0).join('');
}

function readChineseInteger(written: string): number | undefined {
  const signs = Array.from(written);
  if (signs.every((sign) => chineseDigits.has(sign))) return Number(toChineseDigits(written));
  if (!chineseDigits.has(signs[0] ?? '') && signs[0] !== '十') return undefined;
  let all = 0;
  let block = 0;
  let digit: number | undefined;
  for (const sign of signs) {
    const place = chinesePlaceValues.get(sign);
    if (chineseDigits.has(sign)) digit = chineseDigits.get(sign);
    else if (place !== undefined) {
      block += (digit ?? 1) * place;
      digit = undefined;
    } else {
      const scale = sign === '万' ? 1e4 : 1e8;
      all = (all + block + (digit ?? 0)) * scale;
      block = 0;
      digit = undefined;
    }
  }
  return all + block + (digit ?? 0);
}

/** PURE: the numbers of a text, in every way they are written, with what they may mean and how exactly they are told. */
import { createFree, inOrder, matchAt, type Span } from './narrow';
import { chineseNumber, englishNumber, readChinese, readEnglish } from './number-words';
import { type Reading, readDigits, scaleAt } from './read-digits';
import { moneyUpTo, unitAt, type Unit } from './units';

export interface FoundNumber extends Span {
  type: 'number';
  /** `1.234` may be one and a bit, or a thousand and more. The likelier comes first. */
  readings: readonly Reading[];
  unit?: Unit | undefined;
  /** Written with digits, not with words. */
  isDigits: boolean;
  /** As it stands, of one that is told in thousands or millions. */
  bare?: Reading | undefined;
  /** What several groups of digits may mean one by one: `12 480`. */
  parts?: readonly number[];
}

/** Letters and digits in one, a version, a telephone number: it is right as a whole or not at all. */
export interface FoundCode extends Span {
  type: 'code';
  /** In small letters, without separators. */
  key: string;
  /** With every run of digits as one `0`. Codes of one shape are of one kind. */
  shape: string;
  /** What its digits alone say; undefined where there are several runs. */
  value?: number | undefined;
}

const digitRun = /\d(?:[\d.,'_]*\d)?/g;
/** A Latin letter or a digit, and what joins them to one name. */
const inName = /[A-Za-z\d_]/;

/** Signs read around a number to see whether it is part of a name: longer ones are none that anybody tells. */
const longestName = 48;

/** `isSource`: it may hold lists of JSON. */
export function numbersIn(
  text: string,
  taken: readonly Span[],
  isSource = false,
): (FoundNumber | FoundCode)[] {
  const free = createFree(taken);
  const found: (FoundNumber | FoundCode)[] = [];
  let behind = 0;
  for (const match of text.matchAll(digitRun)) {
    const start = match.index;
    if (start < behind || !free(start, start + match[0].length)) continue;
    const isList = isSource && isArray(text, start, match[0]);
    const read = isList ? readEach(text, start, match[0]) : readAt(text, start, match[0]);
    for (const one of read) behind = Math.max(behind, one.end);
    found.push(...read);
  }
  const words = wordsIn(text, found, taken);
  return shareUnits(text, inOrder([...found, ...words]));
}

function readAt(text: string, start: number, written: string): (FoundNumber | FoundCode)[] {
  const telephone = telephoneAt(text, start);
  if (telephone) return [telephone];
  const name = nameAround(text, start, start + written.length);
  if (name) return [name];
  if (/^\d+(?:\.\d+){2,}$/.test(written) && !/^\d{1,3}(?:\.\d{3})+$/.test(written))
    return [codeOf(text, start, start + written.length)];
  const readings = readDigits(written);
  if (readings.length > 0) return [numberAt(text, start, written, readings)];
  // `1,2,3`: several, each for itself.
  return readEach(text, start, written);
}

/** `[101,103,107]`: groups of three digits are numbers of their own. */
function isArray(text: string, start: number, written: string): boolean {
  return (
    written.includes(',') && (/[[,]/.test(text[start - 1] ?? '') || text[start + written.length] === ']')
  );
}

function readEach(text: string, start: number, written: string): FoundNumber[] {
  return [...written.matchAll(/\d+(?:\.\d+)?/g)].flatMap(({ 0: one, index }) => {
    const alone = readDigits(one);
    return alone.length === 0 ? [] : [numberAt(text, start + index, one, alone)];
  });
}

const telephone = /\+?\(?\d{2,5}\)?(?:[ -]\d{2,5}){1,5}(?![.,]?\d|-)/y;

function telephoneAt(text: string, at: number): FoundCode | undefined {
  const start = at - (/[+(]$/.exec(text.slice(Math.max(0, at - 1), at))?.[0].length ?? 0);
  const match = matchAt(telephone, text, start);
  if (!match) return undefined;
  const [written] = match;
  const isTelephone =
    /^(?:\+|\(?0)\d*\)?[ -]\d/.test(written) || /^\d{3}-\d{4}$|^\d{3}-\d{3}-\d{4}$/.test(written);
  return isTelephone && written.replace(/\D/g, '').length >= 7
    ? codeOf(text, start, start + written.length)
    : undefined;
}

/** Digits that are part of a name: `Z58`, `A-1029`, `blue-4471-sky`, `v24.11.1`. Not `15.3k`, `21st` or `5-inch`. */
function nameAround(text: string, start: number, end: number): FoundCode | undefined {
  const before = text[start - 1] ?? '';
  const isAfterLetter =
    /[A-Za-z_]/.test(before) ||
    (before === '-' &&
      inName.test(text[start - 2] ?? '') &&
      !/\d[kKM]?-$/.test(text.slice(Math.max(0, start - 3), start)));
  const isPadded = /^0\d/.test(text.slice(start, end)) && !/\p{Script=Han}/u.test(before);
  const isNumbered = before === '-' && /\d/.test(text[start - 2] ?? '') && isPadded;
  const behind = text.slice(end, end + 12);
  const isBeforeLetter = /^(?:-?[A-Za-z_]|-\d)/.test(behind) && !isNumberEnd(text, end, behind);
  if (!isAfterLetter && !isPadded && !isNumbered && !isBeforeLetter) return undefined;
  let from = start;
  while (from > 0 && start - from < longestName && isJoined(text, from - 1, -1)) from -= 1;
  let to = end;
  while (to < text.length && to - end < longestName && isJoined(text, to, 1)) to += 1;
  return codeOf(text, from, to);
}

/** What may stand right behind a number that is one: a unit, a magnitude, an ending, another word by a hyphen. */
function isNumberEnd(text: string, end: number, behind: string): boolean {
  return (
    /^(?:-[A-Za-z]{2,}(?!\d)|(?:st|nd|rd|th|s|x|er|e[+-]?\d{1,3}|[kKM]|bn|mn|am|pm|ish)(?![A-Za-z\d]))/i.test(
      behind,
    ) ||
    /^-(?!0\d)\d{1,4}(?![\w-])/.test(behind) ||
    unitAt(text, end) !== undefined
  );
}

function isJoined(text: string, at: number, step: 1 | -1): boolean {
  const sign = text[at] ?? '';
  if (inName.test(sign)) return true;
  return /[-.#]/.test(sign) && inName.test(text[at + step] ?? '') && inName.test(text[at - step] ?? '');
}

function codeOf(text: string, start: number, end: number): FoundCode {
  const key = text
    .slice(start, end)
    .toLowerCase()
    .replace(/[ ()+-]/g, '')
    .replace(/^v(?=\d)/, '');
  const runs = key.match(/\d+/g) ?? [];
  return {
    type: 'code',
    start,
    end,
    key,
    shape: key.replace(/\d+/g, '0'),
    ...(runs.length === 1 && { value: Number(runs[0]) }),
  };
}

const grouping = /(?: \d{3})+(?![\d,]|\.\d)/y;
function numberAt(text: string, start: number, written: string, read: readonly Reading[]): FoundNumber {
  let end = start + written.length;
  let readings = read;
  let parts: number[] | undefined;
  const groups = /^\d{1,3}$/.test(written) ? matchAt(grouping, text, end) : null;
  if (groups) {
    parts = [Number(written), ...groups[0].trim().split(' ').map(Number)];
    readings = [{ value: Number(written + groups[0].replaceAll(' ', '')), step: 1 }];
    end += groups[0].length;
  }
  const scale = scaleAt(text, end);
  const [bare] = scale ? readings : [];
  if (scale) {
    end += scale.length;
    readings = readings.map(({ value, step }) => ({
      value: value * scale.factor,
      step: step * scale.factor,
    }));
  }
  const sign = isNegative(text, start) ? -1 : 1;
  if (sign < 0) readings = readings.map(({ value, step }) => ({ value: -value, step }));
  const behind = unitAt(text, end);
  const unit = behind?.unit ?? moneyUpTo(text, start);
  return {
    type: 'number',
    start,
    end,
    readings,
    unit,
    isDigits: true,
    ...(parts && { parts }),
    ...(bare && { bare }),
  };
}

function isNegative(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 8), start);
  return /(?:^|[\s(（=≈~:：,，、到至|*])-[$€£¥]?$|(?:minus |零下|负)$/i.test(before);
}

/** Numbers in words that stand beside what was found in digits. */
function wordsIn(text: string, found: readonly Span[], taken: readonly Span[]): FoundNumber[] {
  const isDone = createFree(inOrder([...found, ...taken]));
  const words: FoundNumber[] = [];
  const add = (start: number, written: string, value: number | undefined) => {
    const end = start + written.length;
    if (value === undefined || !isDone(start, end)) return;
    const unit = unitAt(text, end)?.unit;
    const reading = {
      value: isNegative(text, start) ? -value : value,
      step: Number.isInteger(value) ? 1 : 0.1,
    };
    words.push({ type: 'number', start, end, readings: [reading], unit, isDigits: false });
  };
  const both = [
    ...[...text.matchAll(englishNumber)].map((match) => ({ match, read: readEnglish })),
    ...[...text.matchAll(chineseNumber)].map((match) => ({ match, read: readChinese })),
  ].sort((one, other) => one.match.index - other.match.index);
  for (const { match, read } of both) {
    // A share of hundred: `百分之八十五`.
    const [written] = match;
    if (text.slice(match.index + written.length, match.index + written.length + 2) === '分之') continue;
    add(match.index, written, read(written));
  }
  return words;
}

/** `4 to 8 °C`: the first number has the unit of the second. */
function shareUnits(text: string, all: (FoundNumber | FoundCode)[]): (FoundNumber | FoundCode)[] {
  for (let at = all.length - 2; at >= 0; at--) {
    const one = all[at];
    const next = all[at + 1];
    if (one?.type !== 'number' || next?.type !== 'number' || one.unit || !next.unit) continue;
    if (next.start - one.end > 8 || next.start < one.end) continue;
    const between = text.slice(one.end, next.start);
    if (/^\s*(?:to|and|or|by|[-–—~/x×]|到|至|和|或)\s*[$€£¥-]?\s*$/i.test(between)) one.unit = next.unit;
  }
  for (const one of all) {
    if (
      one.type !== 'number' ||
      one.unit ||
      !/百分之$/.test(text.slice(Math.max(0, one.start - 3), one.start))
    )
      continue;
    one.unit = { kind: 'share', factor: 1, name: 'share 1' };
  }
  return all;
}

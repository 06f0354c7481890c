/** PURE: what of all numbers somebody may have reckoned a number of the answer from, and whether it follows. */
import { isReckoning, stepsIn } from './cues';
import { isDerived, isRest } from './derive';
import type { Operand } from './index-text';
import { type FoundNumber, numbersIn } from './numbers-in';
import { clauseAt, sentenceAt } from './prose-of';
import type { Reader } from './reader';
import type { Sources } from './sources';

/** Texts of earlier turns that are compared with. */
const mostBefore = 6;
/** More, and almost anything follows from them. */
const mostOperands = 40;

export function isReckoned(fits: (size: number) => boolean, number: FoundNumber, reader: Reader): boolean {
  const { sources, text, held, spans } = reader;
  const sentence = sentenceAt(text, number);
  const clause = clauseAt(text, number);
  const steps = stepsIn(number.unit?.kind === 'share' ? sentence : clause, sources.question);
  const isOfRest = /\b(?:not|dry|remain\w*|others?|rest)\b|其余|剩|不/i.test(sentence);
  const { columns, near } = reader.reckoned;
  const isMany = near.length > mostOperands;
  const count = new Set(near.map(({ value }) => value)).size;
  const asked = sources.asked.operands;
  const before = sources.far.slice(-mostBefore).flatMap((index) => index.operands.slice(0, 6));
  const operands = distinct([...asked, ...(isMany ? [] : near), ...held, ...(isMany ? [] : before)]).filter(
    ({ value }) => value !== 0,
  );
  const all = steps.has('scale')
    ? distinct(spans.minutes.map((minutes) => ({ value: minutes / 60, group: 'hours' })))
    : [];
  // Of many stretches nearly anything is a product.
  const hours = all.length > mostStretches ? [] : all;
  const told = numbersIn(sentence, []).flatMap((one) =>
    one.type === 'number' ? [...one.readings, ...(one.bare ? [one.bare] : [])].map(({ value }) => value) : [],
  );
  const sizes = [...asked, ...held.slice(-mostTold)].map(({ value }) => value).concat(told);
  const isOther = (size: number) => !fits(size);
  const goal = {
    ...{ fits, steps, unit: number.unit },
    columns: [...columns, ...held],
    factors: [
      ...sizes.filter((size) => isFactor(size, asked)),
      ...partsIn(`${clause} ${sources.question}`),
    ].filter(isOther),
    isTold: (size: number) => sizes.includes(size) || hours.some(({ value }) => value === size),
    isFew: count <= mostOfAll,
  };
  if (
    /[²³^]|\b(?:squared|cubed)\b|平方|立方|次方/.test(sentence) &&
    sizes.some((size) => [size ** 2, size ** 3].some(fits))
  )
    return true;
  if (movesYear.test(sentence) && isYearFrom(fits, told, reader)) return true;
  if (isOfRest && isRest({ ...goal, operands })) return true;
  if (count > mostReckoned && isReckoning(clause, sources.question, number.unit)) return true;
  return isDerived({ ...goal, operands: [...operands, ...hours] });
}

const movesYear = /\b(?:before|after|later|earlier|ago|previous(?:ly)?|older|younger)\b|[年岁][前后]/i;

/** `six years before 1994`. */
function isYearFrom(fits: (size: number) => boolean, told: readonly number[], { all }: Reader): boolean {
  const years = all
    .flatMap(({ dates }) => dates.flatMap(({ year }) => year ?? []))
    .concat(told.filter((size) => size > 1000));
  const few = told.filter((size) => size > 0 && size <= 200);
  return years.some((year) => !fits(year) && few.some((count) => fits(year - count) || fits(year + count)));
}

const isFactor = (size: number, asked: readonly Operand[]) =>
  Number.isInteger(size) && size > 1 && (size <= 12 || asked.some(({ value }) => value === size));

/** Of the answer itself, what was told last is what the next number follows from. */
const mostTold = 6;
/** Numbers of all sources: what somebody may have reckoned from more than these is not found out here. */
const mostReckoned = 6;
const mostStretches = 6;
/** Numbers of all sources: of so few, any two may be meant. */
const mostOfAll = 6;

const parts: readonly [RegExp, readonly number[]][] = [
  [/\bhal(?:f|ve[sd]?)\b|一半|减半/i, [0.5]],
  [/\b(?:doubl(?:e[sd]?|ing)|twice|return|round trip)\b|两倍|加倍|翻倍|往返/i, [2]],
  [/\b(?:diameter|radius)\b|直径|半径/i, [2, 0.5]],
  [/\b(?:tripl(?:e[sd]?|ing)|three times)\b|三倍/i, [3]],
  [/\bquarter\b|四分之一/i, [0.25]],
  [/\bthird\b|三分之一/i, [1 / 3]],
  [/\b(?:months?|monthly|dozens?)\b|每月|月|打/i, [12, 1 / 12]],
  [/\b(?:weeks?|weekly)\b|周|星期/i, [7, 1 / 7, 52, 1 / 52]],
  [/\b(?:days?|daily)\b|天|日/i, [7, 1 / 7, 365, 1 / 365]],
];

/** What words make of a size. */
function partsIn(words: string): number[] {
  return parts.flatMap(([pattern, factors]) => (pattern.test(words) ? factors : []));
}

/** More, and no sentence sums them up. */
const mostColumns = 2000;

export function reckonedFrom({ near }: Sources): Reader['reckoned'] {
  const columns = near
    .flatMap(({ operands }, place) => operands.map((one) => inText(one, place)))
    .slice(0, mostColumns);
  return { columns, near: distinct(columns) };
}

/** Lines of one text are no lines of another; keys of JSON are of one kind wherever they stand. */
function inText(operand: Operand, place: number): Operand {
  const row = `${place} ${operand.row ?? ''}`;
  return operand.group.startsWith('key ')
    ? { ...operand, row }
    : { ...operand, row, group: `${place} ${operand.group}` };
}

function distinct(operands: readonly Operand[]): Operand[] {
  const known = new Set<string>();
  return operands.filter(({ value, unit, group }) => {
    const key = `${value} ${unit?.name ?? ''} ${group}`;
    return known.has(key) ? false : known.add(key);
  });
}

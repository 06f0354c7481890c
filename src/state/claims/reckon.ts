/** PURE: what of all numbers somebody may have reckoned a number of the answer from, and whether it follows. */
import { isReckoning, roundingAt, stepsIn } from './cues';
import { isDerived, isRest } from './derive';
import { followsWithoutWords, isFounded } from './beside';
import type { Operand } from './index-text';
import { type FoundNumber, numbersIn } from './numbers-in';
import { clauseAt, sentenceAt } from './prose-of';
import type { Reader } from './reader';
import type { Sources } from './sources';

/** Texts of earlier turns that are compared with. */
const mostBefore = 6;
/** More, and almost anything follows from them. */
const mostOperands = 40;

type Fits = (size: number) => boolean;

export function isReckoned(fits: Fits, number: FoundNumber, reader: Reader): boolean {
  const { sources, text, held, spans } = reader;
  const sentence = sentenceAt(text, number);
  const clause = clauseAt(text, number);
  const told = numbersIn(sentence, []).flatMap((one) =>
    one.type === 'number' ? [...one.readings, ...(one.bare ? [one.bare] : [])].map(({ value }) => value) : [],
  );
  // What the answer made up supports nothing that it makes up beside it.
  const beside = told.filter((size) => size !== 0 && !fits(size) && isFounded(size, reader));
  if (followsWithoutWords(fits, { number, sentence, told, beside }, reader)) return true;

  const { columns, near } = reader.reckoned;
  const count = new Set(near.map(({ value }) => value)).size;
  const { isAbout } = roundingAt(text, number.start, number.end);
  if (count > mostReckoned && isReckoning(clause, sources.question, number.unit, isAbout)) return true;

  const steps = stepsIn(number.unit?.kind === 'share' ? sentence : clause, sources.question);
  const asked = sources.asked.operands;
  const hours = steps.has('scale') ? hoursOf(spans.minutes) : [];
  const sizes = [...asked, ...held.slice(-mostTold)].map(({ value }) => value).concat(told);
  const factors = sizes.filter((size) => isFactor(size, asked));
  const operands = [...operandsOf(reader), ...hours, ...beside.map((value) => ({ value, group: 'answer' }))];
  const isOfRest = /\b(?:not|dry|remain\w*|others?|rest)\b|其余|剩|不/i.test(sentence);
  if (isOfRest && isRest({ fits, operands, unit: number.unit })) return true;
  return isDerived({
    ...{ fits, steps, operands, unit: number.unit },
    columns: [...columns, ...held],
    factors: [...factors, ...partsIn(`${clause} ${sources.question}`)].filter((size) => !fits(size)),
    isTold: (size) => sizes.includes(size) || hours.some(({ value }) => value === size),
    isFew: count <= mostOfAll,
  });
}

function operandsOf({ sources, held, reckoned: { near } }: Reader): Operand[] {
  const before = sources.far.slice(-mostBefore).flatMap((index) => index.operands.slice(0, 6));
  const others = near.length > mostOperands ? [] : [...near, ...before];
  return distinct([...sources.asked.operands, ...held, ...others]).filter(({ value }) => value !== 0);
}

/** Of many stretches nearly anything is a product. */
const mostStretches = 6;

function hoursOf(minutes: readonly number[]): Operand[] {
  const hours = distinct(minutes.map((span) => ({ value: span / 60, group: 'hours' })));
  return hours.length > mostStretches ? [] : hours;
}

const isFactor = (size: number, asked: readonly Operand[]) =>
  Number.isInteger(size) && size > 1 && (size <= 12 || asked.some(({ value }) => value === size));

/** Of the answer itself, what was told last is what the next number follows from. */
const mostTold = 6;
/** Numbers of all sources: what somebody may have reckoned from more than these is not found out here. */
const mostReckoned = 6;
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

/** PURE: what of all numbers somebody may have reckoned a number of the answer from, and whether it follows. */
import {
  type Goal,
  sumOf,
  takeFactors,
  takeLists,
  takeSomeOf,
  takeStep,
  takeTwoSteps,
  takeWithin,
  Tally,
} from './arithmetic';
import { isReckoning, roundingAt, stepsIn } from './cues';
import { hasValue, type Operand } from './index-text';
import { type FoundNumber, numbersIn } from './numbers-in';
import { clauseAt, sentenceAt } from './prose-of';
import type { Reader } from './reader';
import type { Sources } from './sources';
import { isOfNew, isToldOtherwise } from './told-of';
import type { Unit } from './units';

/**
 * How often of 1 a made-up number may be hit by chance: where words speak of reckoning, where they do not, where besides the number is
 * told of what no source names, and where only words of the other clauses speak of reckoning.
 */
const mostChance = {
  one: { spoken: 1, silent: 0.5, foreign: 0.03, apart: 0.2 },
  two: { spoken: 0.04, silent: 0.03, foreign: 0, apart: 0.005 },
};
/** More, and two steps lead nearly anywhere, however exact the number is. */
const mostOfTwo = 14;
/** More, and one step does. */
const mostOfOne = 60;
/** Numbers of all sources: what somebody may have reckoned from more than these is not found out here. */
const mostReckoned = 6;

export function isReckoned(told: Omit<Goal, 'isSquare'>, number: FoundNumber, reader: Reader): boolean {
  const { sources, text } = reader;
  const clause = clauseAt(text, number);
  const sentence = sentenceAt(text, number);
  const { near, lists, count } = reader.reckoned;
  if (
    count > mostReckoned &&
    isReckoning(clause, sources.question, number.unit, roundingAt(text, number.start, number.end).isAbout)
  )
    return true;
  const goal = { ...told, isSquare: ofPower.test(`${sentence} ${sources.question}`) };
  const isSpoken = goal.isRounded || stepsIn(sentence, sources.question).size > 0;
  const how = howTold(number, isSpoken, reader);
  const perHundred = near.some(({ group }) => group.endsWith('per')) ? [0.01] : [];
  const factors = [...partsIn(`${sentence} ${sources.question}`, number.unit), ...perHundred];
  const beside = toldIn(sentence, goal, reader);
  const own = distinct([...sources.asked.operands, ...reader.held.slice(-mostHeld), ...beside]);
  const all = distinct([...own, ...hoursOf(reader.spans.minutes), ...near, ...reader.reckoned.far]);

  const ofLists = new Tally(goal);
  if (isAge(goal)) for (const years of reader.spans.years) ofLists.visit(years);
  takeLists(lists, goal, ofLists.visit);
  if (isSpoken) for (const list of lists) takeSomeOf(list, ofLists.visit);
  const within = new Tally(goal);
  takeWithin(lists, goal, within.visit);
  if (
    isRest(goal, all) ||
    ofLists.isHit(mostChance.one[isSpoken && how !== 'foreign' ? 'spoken' : 'silent']) ||
    within.isHit(mostChance.one[how])
  )
    return true;
  return [all, own, beside].some((operands) => {
    if (operands.length > mostOfOne) return false;
    const named = new Tally(goal);
    takeFactors(operands, factors, goal, named.visit);
    const one = new Tally(goal);
    takeStep(operands, goal, one.visit);
    if (named.isHit(mostChance.one[how]) || one.isHit(mostChance.one[how])) return true;
    if (operands.length > mostOfTwo) return false;
    const two = new Tally(goal);
    takeTwoSteps(operands, goal, two.visit);
    return two.isHit(mostChance.two[how]);
  });
}

/** Of many stretches nearly anything is a product. */
const mostStretches = 6;

function hoursOf(minutes: readonly number[]): Operand[] {
  const hours = [...new Set(minutes)].map((span) => ({ value: span / 60, group: 'hours' }));
  return hours.length > mostStretches ? [] : hours;
}

function howTold(number: FoundNumber, isSpoken: boolean, reader: Reader): keyof (typeof mostChance)['one'] {
  const { text, sources } = reader;
  const isNew = isOfNew(number, reader);
  if (isNew && stepsIn(sentenceAt(text, number), sources.question).size === 0) return 'foreign';
  const isApart = stepsIn(clauseAt(text, number), sources.question).size === 0;
  if (isApart && isToldOtherwise(number, reader)) return 'foreign';
  if (isApart && isNew) return 'apart';
  return isSpoken ? 'spoken' : 'silent';
}

const ofPower = /\b(?:squared?|area|power|cubed?|matrix|grid)\b|²|\^|\*\*|平方|面积|次方|见方/i;

/** Dry with 90 %, where 10 % is the chance of rain. */
function isRest({ low, high, unit }: Goal, operands: readonly Operand[]): boolean {
  const isShare = (one: Operand) => one.unit?.kind === 'share';
  return (
    unit?.kind === 'share' &&
    operands.some((one) => isShare(one) && 100 - one.value >= low && 100 - one.value <= high)
  );
}

const isAge = ({ high, unit }: Goal) => high <= 200 && unit === undefined;

/** Of the answer itself, what was told last is what the next number follows from. */
const mostHeld = 6;

/** What the sentence tells beside the number. What the answer made up supports nothing that it makes up beside it. */
function toldIn(sentence: string, { low, high }: Goal, reader: Reader): Operand[] {
  return numbersIn(sentence, []).flatMap((one) => {
    if (one.type !== 'number') return [];
    return [...one.readings, ...(one.bare ? [one.bare] : [])]
      .filter(({ value }) => (Math.abs(value) < low || Math.abs(value) > high) && isFounded(value, reader))
      .map(({ value }) => ({ value, unit: one.unit, group: 'answer' }));
  });
}

/** Whether a number of the sentence is one that the answer did not make up. */
function isFounded(size: number, { all, held }: Reader): boolean {
  const known = Math.abs(size);
  return (
    known !== 0 &&
    (all.some((index) => hasValue(index, known, known)) ||
      held.some(({ value }) => Math.abs(value) === known))
  );
}

const parts: readonly [RegExp, readonly number[]][] = [
  [/\bhal(?:f|ve[sd]?)\b|一半|减半/i, [0.5]],
  [/\b(?:doubl(?:e[sd]?|ing)|twice|return|round trip)\b|两倍|加倍|翻倍|往返|来回/i, [2]],
  [/\b(?:diameter|radius)\b|直径|半径/i, [2, 0.5]],
  [/\b(?:squared?|circle|sphere)\b|圆|平方/i, [Math.PI]],
  [/\b(?:tripl(?:e[sd]?|ing)|three times)\b|三倍/i, [3]],
  [/\bquarters?\b|四分之/i, [0.25, 0.75]],
  [/\bthirds?\b|三分之/i, [1 / 3, 2 / 3]],
  [/\b(?:months?|monthly|years?|dozens?)\b|每月|月|年|打/i, [12, 1 / 12]],
  [/\b(?:weeks?|weekly|years?)\b|周|星期|年/i, [7, 1 / 7, 52, 1 / 52]],
  [/\b(?:days?|daily)\b|天|日/i, [7, 1 / 7, 24, 1 / 24, 30, 1 / 30, 365, 1 / 365]],
  [/\b(?:hours?|minutes?|min|h)\b|小时|时速|分/i, [60, 1 / 60]],
  [/\b(?:kilos?|kg|km|kilomet\w+|lit\w+|l)\b|公斤|公里|千克|升/i, [1000, 1 / 1000]],
  [/\b100\b|百公里/, [100, 0.01]],
  [/mega|百万像素/i, [1e-6]],
];

/** What words make of a size. */
function partsIn(words: string, unit: Unit | undefined): number[] {
  const ofTime = unit?.kind === 'time' && unit.factor <= 60 ? [60] : [];
  return [
    ...new Set([...ofTime, ...parts.flatMap(([pattern, factors]) => (pattern.test(words) ? factors : []))]),
  ];
}

/** More, and no sentence sums them up. */
const mostColumns = 2000;
/** Texts of earlier turns that are compared with. */
const mostBefore = 6;

export function reckonedFrom({ near, far }: Sources): Reader['reckoned'] {
  const columns = near
    .flatMap(({ operands }, place) => operands.map((one) => inText(one, place)))
    .slice(0, mostColumns);
  const count = new Set(columns.map(({ value }) => value)).size;
  const lists = listsOf(columns);
  const sums = lists.slice(0, 6).map((list) => ({
    ...{ value: sumOf(list.map(({ value }) => value)), group: 'sum' },
    unit: list[0]?.unit,
  }));
  const before = far.slice(-mostBefore).flatMap(({ operands }) => operands.slice(0, 6));
  const stretches = near.flatMap(({ stretches: minutes }) =>
    minutes.slice(0, 6).flatMap((size) => [size, size / 60].map((value) => ({ value, group: 'stretch' }))),
  );
  const years = [...new Set(near.flatMap(({ dates }) => dates.flatMap(({ year }) => year ?? [])))];
  const others = [...stretches, ...years.slice(0, 4).map((value) => ({ value, group: 'year' }))];
  return {
    near: distinct([...columns, ...others, ...(columns.length > 20 ? [] : sums)]),
    far: distinct(before),
    count,
    lists,
  };
}

/** Lines of one text are no lines of another; keys of JSON are of one kind wherever they stand. */
function inText(operand: Operand, place: number): Operand {
  const row = `${place} ${operand.row ?? ''}`;
  return operand.group.startsWith('key ')
    ? { ...operand, row }
    : { ...operand, row, group: `${place} ${operand.group}` };
}

/** What stands in one column, in one row, or is told in one unit. */
function listsOf(operands: readonly Operand[]): Operand[][] {
  const lists = new Map<string, Operand[]>();
  for (const operand of operands) {
    const unit = operand.unit?.name ?? '';
    const names = [`${operand.group} ${unit}`, `${operand.row} ${unit}`, ...(unit === '' ? [] : [unit])];
    for (const name of names) {
      const list = lists.get(name);
      if (list) list.push(operand);
      else lists.set(name, [operand]);
    }
  }
  return [...lists.values()].filter((list) => list.length > 1);
}

/** Each size once: of what, as far as one of them says it. */
function distinct(operands: readonly Operand[]): Operand[] {
  const known = new Map<string, Operand>();
  for (const operand of operands) {
    if (operand.value === 0) continue;
    const key = `${operand.value} ${operand.unit?.name ?? ''}`;
    if (!known.has(key)) known.set(key, operand);
  }
  const units = new Set([...known.values()].flatMap(({ value, unit }) => (unit ? [value] : [])));
  return [...known.values()].filter(({ value, unit }) => unit !== undefined || !units.has(value));
}

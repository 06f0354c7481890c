/** PURE: every size that a step or two of arithmetic make of others, and how likely a made-up number were among them. */
import type { Operand } from './index-text';
import { mayAgree, type Unit } from './units';

type Visit = (size: number, unit?: Unit) => void;

/** A number of the answer: how large it may be, and of what. */
export interface Goal {
  low: number;
  high: number;
  unit: Unit | undefined;
  /** `About 40`: how far it reaches then says nothing of how exact it is. */
  isRounded: boolean;
  /** Words speak of an area or a power. */
  isSquare: boolean;
}

/** Counts what is found, and what lies around it: of many sizes one is hit by chance. */
export class Tally {
  readonly #goal: Goal;
  readonly #size: number;
  #hits = 0;
  #around = 0;

  constructor(goal: Goal) {
    this.#goal = goal;
    this.#size = (goal.low + goal.high) / 2;
  }

  readonly visit: Visit = (result, unit) => {
    const size = Math.abs(result);
    if (size < this.#size / 2 || size > this.#size * 2 || !mayAgree(unit, this.#goal.unit)) return;
    if (size >= this.#goal.low && size <= this.#goal.high) this.#hits += 1;
    else this.#around += 1;
  };

  /** Whether it was hit, and a made-up number of its size and exactness would not be more often than `most`, of 1. */
  isHit(most: number): boolean {
    const { low, high, isRounded } = this.#goal;
    const width = isRounded ? Math.min(high - low, this.#size / 50) : high - low;
    const chance = (this.#around * width) / (1.5 * this.#size);
    return this.#hits > 0 && chance <= most;
  }
}

const squareMetre: Unit = { kind: 'area', factor: 1, name: 'area 1' };
const isShare = (unit: Unit | undefined) => unit?.kind === 'share';

const isYear = (size: number) => Number.isInteger(size) && size >= 1000 && size <= 2999;

/** Of one kind, as far as it is told; nobody adds a few of something to a thousand of what has another unit. */
function mayBeAdded({ value: a, unit }: Operand, { value: b, unit: other }: Operand): boolean {
  if (!mayAgree(unit, other) || isShare(unit) !== isShare(other)) return false;
  const [less = 0, more = 0] = [Math.abs(a), Math.abs(b)].sort((one, two) => one - two);
  const areYears = [unit, other].some((one) => one?.name === 'time 31556952');
  return areYears || unit?.name === other?.name || more <= less * 30;
}

/** What one step makes of two. */
function combine(one: Operand, other: Operand, goal: Goal, visit: Visit): void {
  const [a, b] = [one.value, other.value];
  if (mayBeAdded(one, other)) {
    const unit = one.unit ?? other.unit;
    for (const size of [a + b, a - b, (a + b) / 2]) visit(size, unit);
  }
  // Whoever was 81 in 2003 may have been born a year before 1922.
  if (isYear(a) && b <= 130) visit(a - b - 1);
  if (isShare(goal.unit)) {
    for (const size of [a / b, b / a, (a - b) / a, (a - b) / b]) visit(100 * size, goal.unit);
    if (isShare(one.unit) !== isShare(other.unit)) for (const size of [a * b, a / b, b / a]) visit(size);
    return;
  }
  if (isShare(other.unit)) byPercent(one, other, goal, visit);
  if (isShare(one.unit)) byPercent(other, one, goal, visit);
  const isOfOne = one.unit !== undefined && one.unit.name === other.unit?.name;
  const side = isOfOne && one.unit?.kind === 'length' ? one.unit : undefined;
  // Euros by euros are none.
  const mayBeOne = mayMake(one.unit, goal.unit);
  const mayBeOther = mayMake(other.unit, goal.unit);
  if (side) visit(a * b * side.factor ** 2, squareMetre);
  else if (!isOfOne && (mayBeOne || mayBeOther)) visit(a * b);
  if (isOfOne && goal.unit !== undefined) return;
  if (mayBeOne) visit(a / b);
  if (mayBeOther) visit(b / a);
  // `11 boxes`, where 10.5 would do.
  if (goal.unit === undefined) for (const size of [a / b, b / a]) if (size > 1) visit(Math.ceil(size));
}

/** A part of a size, and what it is with or without it. */
function byPercent({ value, unit }: Operand, percent: Operand, goal: Goal, visit: Visit): void {
  if (!mayMake(unit, goal.unit)) return;
  const part = percent.value / 100;
  for (const by of [part, 1 + part, 1 - part, 1 / (1 + part), 1 / (1 - part)]) visit(value * by);
}

/** Grams are made of grams, and euros of euros; kilometres and hours may make something else. */
function mayMake(unit: Unit | undefined, made: Unit | undefined): boolean {
  if (made?.kind === 'temperature') return false;
  if (!unit || !made || unit.kind === made.kind) return true;
  return !['money', 'mass', 'data'].includes(made.kind);
}

/** One step from some sizes. */
export function takeStep(operands: readonly Operand[], goal: Goal, visit: Visit): void {
  operands.forEach((one, index) => {
    if (isShare(one.unit)) visit(100 - one.value, one.unit);
    if (goal.isSquare || one.unit?.kind === 'length') visit(one.value ** 2);
    for (const other of operands.slice(index + 1)) combine(one, other, goal, visit);
  });
}

function firstSteps(operands: readonly Operand[], goal: Goal): Operand[] {
  const first: Operand[] = [];
  takeStep(operands, { ...goal, unit: undefined }, (value, unit) => {
    if (value !== 0) first.push({ value, unit, group: 'step' });
  });
  return first;
}

/** What words name: halves, twelve months, sixty minutes; of a size, or of what one step has made. */
export function takeFactors(
  operands: readonly Operand[],
  factors: readonly number[],
  goal: Goal,
  visit: Visit,
): void {
  if (factors.length === 0) return;
  const first = operands.length > longestList ? [] : firstSteps(operands, goal);
  for (const { value } of [...operands, ...first]) for (const factor of factors) visit(value * factor);
}

/** Two steps: the second with any of the sizes that the first may have been taken from, too. */
export function takeTwoSteps(operands: readonly Operand[], goal: Goal, visit: Visit): void {
  for (const one of firstSteps(operands, goal)) {
    for (const other of operands) combine(one, other, goal, visit);
  }
}

/** Of a longer list sums of all but one, or of some, are nearly everything. */
const longestList = 13;

/** What a list as a whole comes to: its sum, its mean, its span, the share of each, and what all others leave of one. */
export function takeLists(lists: readonly (readonly Operand[])[], goal: Goal, visit: Visit): void {
  for (const list of lists) {
    const values = list.map(({ value }) => value);
    const unit = list[0]?.unit;
    const sum = sumOf(values);
    for (const size of [sum, sum / values.length, medianOf(values)]) visit(size, unit);
    visit(Math.max(...values) - Math.min(...values), unit);
    visit(2 * Math.max(...values) - sum, unit);
    if (isShare(goal.unit)) for (const value of values) visit((100 * value) / sum, goal.unit);
    if (values.length <= longestList) for (const value of values) visit(sum - value, unit);
  }
}

/** What two of one list make. */
export function takeWithin(lists: readonly (readonly Operand[])[], goal: Goal, visit: Visit): void {
  for (const list of lists) if (list.length <= longestList) takeStep(list, goal, visit);
}

/** Of whole numbers, sums of some of more than so many are nearly everything. */
const mostWhole = 8;

/** The open invoices, what was spent: some of a list. */
export function takeSomeOf(list: readonly Operand[], visit: Visit): void {
  const values = list.map(({ value }) => value);
  const most = values.every(Number.isInteger) ? mostWhole : longestList;
  if (values.length < 3 || values.length > most) return;
  let sums = [0];
  for (const value of values) sums = [...sums, ...sums.map((sum) => sum + value)];
  for (const sum of sums) visit(sum, list[0]?.unit);
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** PURE: whether a number follows from others by a small step of arithmetic that the words around it speak of. */
import type { Step } from './cues';
import type { Operand } from './index-text';
import { mayAgree, type Unit } from './units';

export interface Goal {
  /** Whether a size is what the number says, as exactly as it says it. */
  fits: (size: number) => boolean;
  unit: Unit | undefined;
  steps: ReadonlySet<Step>;
  operands: readonly Operand[];
  /** All that stands in the sources and the same number twice where it does, for sums over what belongs together. */
  columns: readonly Operand[];
  /** Whole numbers of the question and the sentence: so many times something else. */
  factors: readonly number[];
  /** Whether the sentence or the question tells a size. */
  isTold: (size: number) => boolean;
  /** There is so little to reckon with that any two may be meant. */
  isFew: boolean;
}

export function isDerived(goal: Goal): boolean {
  if (goal.steps.size === 0) return byToldPercent(goal);
  const groups = groupsOf(goal.columns);
  return (
    byToldPercent(goal) || byGroup(goal, groups) || byPair(goal, groups) || byProducts(goal) || byThree(goal)
  );
}

function groupsOf(operands: readonly Operand[]): number[][] {
  const groups = new Map<string, number[]>();
  const add = (name: string, value: number) => {
    const group = groups.get(name);
    if (group) group.push(value);
    else groups.set(name, [value]);
  };
  for (const { value, unit, group, row } of operands) {
    add(group, value);
    if (row !== undefined) add(row, value);
    if (unit) add(unit.name, value);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** What is missing to all: `10% chance that it stays dry`. */
export function isRest({ fits, operands, unit }: Pick<Goal, 'fits' | 'operands' | 'unit'>): boolean {
  return (
    unit?.kind === 'share' && operands.some((one) => one.unit?.kind === 'share' && fits(100 - one.value))
  );
}

function byGroup({ fits, unit, steps }: Goal, groups: readonly (readonly number[])[]): boolean {
  return groups.some((group) => {
    const sum = sumOf(group);
    if (steps.has('sum') && (fits(sum) || isSumOfSome(fits, group))) return true;
    if (steps.has('mean') && (fits(sum / group.length) || fits(medianOf(group)))) return true;
    if (steps.has('difference') && fits(Math.max(...group) - Math.min(...group))) return true;
    return unit?.kind === 'share' && steps.has('share') && group.some((value) => fits((100 * value) / sum));
  });
}

/** Of whole numbers, sums of some of more than so many are nearly everything. */
const mostWhole = 8;
const mostBroken = 13;

/** The open invoices, what was spent: some of a column. */
function isSumOfSome(fits: Goal['fits'], group: readonly number[]): boolean {
  const most = group.every(Number.isInteger) ? mostWhole : mostBroken;
  if (group.length < 3 || group.length > most) return false;
  let sums = [0];
  for (const value of group) sums = [...sums, ...sums.map((sum) => sum + value)];
  return sums.some(fits);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

function byPair(goal: Goal, groups: readonly (readonly number[])[]): boolean {
  const { fits, unit, steps, operands, isTold, isFew } = goal;
  const sums = steps.has('sum') || steps.has('mean') || steps.has('scale') ? groups.map(sumOf) : [];
  return operands.some((one, index) => {
    if (steps.has('scale') && sums.some((sum) => fits(one.value / sum))) return true;
    return operands.some((other, at) => {
      if (at === index) return false;
      const isMeant = isFew || (isTold(one.value) && isTold(other.value));
      if ((isMeant || areOfOneKind(one, other, unit)) && byAdding(goal, one, other)) return true;
      const isOfColumn = unit?.kind === 'share' && one.group === other.group && one.group !== 'answer';
      return (isMeant || isOfColumn) && byRatio(goal, one, other);
    });
  });
}

/** All three are told in one unit, or two stand under one key or in one column. */
function areOfOneKind(one: Operand, other: Operand, unit: Unit | undefined): boolean {
  if (one.unit?.name !== other.unit?.name) return false;
  if (one.unit) return one.unit.name === unit?.name || (one.unit.kind === 'share' && unit === undefined);
  return one.group !== 'answer' && one.group === other.group;
}

function byAdding({ fits, unit, steps }: Goal, one: Operand, other: Operand): boolean {
  if (!mayAgree(one.unit, other.unit) || !mayAgree(unit, one.unit)) return false;
  if (steps.has('difference') && fits(Math.abs(one.value - other.value))) return true;
  const sum = Math.abs(one.value + other.value);
  return (steps.has('sum') && fits(sum)) || (steps.has('mean') && fits(sum / 2));
}

function byRatio(goal: Goal, one: Operand, other: Operand): boolean {
  const { fits, unit, steps } = goal;
  const a = one.value;
  const b = other.value;
  if (unit?.kind !== 'share') {
    if (steps.has('scale') && (fits(a * b) || fits(a / b))) return true;
  } else if (steps.has('share') && (fits((100 * a) / b) || fits(Math.abs((100 * (a - b)) / b)))) return true;
  return other.unit?.kind === 'share' && one.unit?.kind !== 'share' && byPercent(goal, a, b);
}

/** `352,000, as 380,000 is 8% more`: a size and a share that the sentence itself tells. */
function byToldPercent(goal: Goal): boolean {
  const told = goal.operands.filter(({ value }) => goal.isTold(value));
  return told.some(
    (share) =>
      share.unit?.kind === 'share' &&
      told.some((one) => one.unit?.kind !== 'share' && byPercent(goal, one.value, share.value)),
  );
}

/** A part of a size, and what it is with or without it. */
function byPercent({ fits }: Pick<Goal, 'fits'>, size: number, percent: number): boolean {
  const part = (size * percent) / 100;
  return [part, size + part, size - part, size / (1 + percent / 100), size / (1 - percent / 100)].some(fits);
}

const mostFactors = 8;
/** More, and two products together may be nearly anything. */
const mostProducts = 60;

/** `2 adults at 14.50 and 2 children at 7.25`: products of what was asked, one or two together. */
function byProducts({ fits, steps, operands, factors, unit }: Goal): boolean {
  if (!steps.has('sum') && !steps.has('scale')) return false;
  const alike = operands.filter((operand) => mayAgree(unit, operand.unit));
  const few = [...new Set(factors)].filter((size) => size > 0 && size <= 1000).slice(0, mostFactors);
  const products = alike.flatMap(({ value }) => few.map((factor) => factor * value));
  if (products.some(fits)) return true;
  if (!steps.has('sum') || products.length > mostProducts) return false;
  const all = [...products, ...alike.map(({ value }) => value)];
  return products.some((one, index) => all.some((other, at) => at > index && fits(one + other)));
}

const mostOfThree = 10;

/** Three added, or a price of one made a price of many. */
function byThree({ fits, unit, steps, operands, isFew, isTold }: Goal): boolean {
  const few = operands.filter(({ value }) => isFew || isTold(value)).slice(0, mostOfThree);
  if (few.length < 3 || unit?.kind === 'share') return false;
  return few.some((a, one) =>
    few.some((b, other) =>
      few.some((c, third) => {
        if (one === other || other === third || one === third) return false;
        if (steps.has('sum') && one < other && other < third && fits(Math.abs(a.value + b.value + c.value))) {
          return mayAgree(a.unit, b.unit) && mayAgree(b.unit, c.unit);
        }
        return (
          steps.has('scale') && a.value !== 0 && fits((a.value * b.value) / c.value) && mayAgree(unit, a.unit)
        );
      }),
    ),
  );
}

/** Decides whether a number in the answer can be computed from known numbers in one or two steps. */
import { isCalculation, findRounding, findCalculationKinds } from './cues';
import { type FoundNumber, findNumbers } from './numbers-in';
import { hasNumber, type Operand, type SourceIndex, type Sources } from './sources';
import { clauseAt, sentenceAt } from './spans';
import { canUnitsAgree, type Unit } from './units';

/**
 * Maximum probability that a calculation matches a number by chance. If it is higher, the calculation does not support the number.
 * `one`, `two`: the number of calculation steps.
 * `spoken`: the sentence mentions a calculation, or rounds the number.
 * `silent`: the sentence does neither.
 * `apart`: the sentence mentions a calculation, but outside the number's clause. That clause contains a word that no source contains.
 * `foreign`: a source gives a different number for the same thing, or the sentence mentions no calculation and the clause has such a word.
 */
const coincidenceLimits = {
  one: { spoken: 1, silent: 0.5, foreign: 0.03, apart: 0.2 },
  two: { spoken: 0.04, silent: 0.03, foreign: 0, apart: 0.005 },
};
/** If there are more operands than this, we try no calculations with two steps, because almost any number would match one of them. */
const maxOperandsForTwoSteps = 14;
const maxOperandsForOneStep = 60;
/** If this turn's sources contain more numbers, almost any number is computable. We then accept each number presented as computed. */
const maxCheckedNumbers = 6;

export function isComputable(range: Omit<Goal, 'isSquare'>, number: FoundNumber, answer: Answer): boolean {
  const { sources, text } = answer;
  const clause = clauseAt(text, number);
  const sentence = sentenceAt(text, number);
  const { near, lists, count } = answer.reckoned;
  const { isAbout } = findRounding(text, number.start, number.end);
  if (count > maxCheckedNumbers && isCalculation(clause, sources.question, number.unit, isAbout)) return true;
  const goal = { ...range, isSquare: powerPattern.test(`${sentence} ${sources.question}`) };
  const isSpoken = goal.isRounded || findCalculationKinds(sentence, sources.question).size > 0;
  const how = classifyMention(number, isSpoken, answer);
  const perHundred = near.some(({ group }) => group.endsWith('per')) ? [0.01] : [];
  const factors = [...findImpliedFactors(`${sentence} ${sources.question}`, number.unit), ...perHundred];
  const nearby = findSupportedNumbers(sentence, goal, answer);
  const supported = answer.supported.slice(-maxAnswerOperands);
  const own = withoutDuplicates([...sources.asked.operands, ...supported, ...nearby]);
  const all = withoutDuplicates([...own, ...toHours(answer.spans.minutes), ...near, ...answer.reckoned.far]);

  const ofLists = createMatchCounter(goal);
  if (isAge(goal)) for (const years of answer.spans.years) ofLists.visit(years);
  computeListTotals(lists, goal, ofLists.visit);
  if (isSpoken) for (const list of lists) computeSubsetSums(list, ofLists.visit);
  const within = createMatchCounter(goal);
  for (const list of lists) if (list.length <= maxListLength) computeOneStep(list, goal, within.visit);
  const ofList = isSpoken && how !== 'foreign' ? 'spoken' : 'silent';
  if (ofLists.isHit(coincidenceLimits.one[ofList]) || within.isHit(coincidenceLimits.one[how])) return true;
  if (isComplementOfPercentage(goal, all)) return true;
  return [all, own, nearby].some((operands) => {
    if (operands.length > maxOperandsForOneStep) return false;
    const named = createMatchCounter(goal);
    multiplyEach(operands, factors, goal, named.visit);
    const one = createMatchCounter(goal);
    computeOneStep(operands, goal, one.visit);
    if (named.isHit(coincidenceLimits.one[how]) || one.isHit(coincidenceLimits.one[how])) return true;
    if (operands.length > maxOperandsForTwoSteps) return false;
    const two = createMatchCounter(goal);
    computeTwoSteps(operands, goal, two.visit);
    return two.isHit(coincidenceLimits.two[how]);
  });
}

export interface Answer {
  text: string;
  sources: Sources;
  all: readonly SourceIndex[];
  /** Numbers in the answer already found to be supported. Other numbers may be computed from them. */
  supported: Operand[];
  spans: {
    minutes: readonly number[];
    days: readonly number[];
    years: readonly number[];
    /** Durations in the sources, in minutes. A time in the answer may be a known time plus one of these. */
    moves: readonly number[];
  };
  reckoned: ReturnType<typeof collectOperands>;
  ownCounts: ReadonlySet<number>;
}

const maxDurations = 6;

function toHours(minutes: readonly number[]): Operand[] {
  const hours = [...new Set(minutes)].map((span) => ({ value: span / 60, group: 'hours' }));
  return hours.length > maxDurations ? [] : hours;
}

function classifyMention(number: FoundNumber, isSpoken: boolean, answer: Answer) {
  const { text, sources } = answer;
  const isNew = mentionsUnknownWord(number, answer);
  if (isNew && findCalculationKinds(sentenceAt(text, number), sources.question).size === 0) return 'foreign';
  const isApart = findCalculationKinds(clauseAt(text, number), sources.question).size === 0;
  if (isApart && contradictsSource(number, answer)) return 'foreign';
  if (isApart && isNew) return 'apart';
  return isSpoken ? 'spoken' : 'silent';
}

const powerPattern = /\b(?:squared?|area|power|cubed?|matrix|grid)\b|²|\^|\*\*|平方|面积|次方|见方/i;

/** Whether the goal is the complement of a percentage: a 10 % chance of rain means 90 % dry. */
function isComplementOfPercentage({ low, high, unit }: Goal, operands: readonly Operand[]): boolean {
  const others = operands.filter((one) => isShare(one.unit)).map(({ value }) => 100 - value);
  return isShare(unit) && others.some((value) => value >= low && value <= high);
}

const isAge = ({ high, unit }: Goal) => high <= 200 && unit === undefined;

const maxAnswerOperands = 6;

/** Returns the supported numbers in the same sentence, except the goal itself. Unsupported numbers must not support each other. */
function findSupportedNumbers(sentence: string, { low, high }: Goal, answer: Answer): Operand[] {
  return findNumbers(sentence, []).flatMap((one) => {
    if (one.type !== 'number') return [];
    return [...one.readings, ...(one.bare ? [one.bare] : [])]
      .filter(({ value }) => (Math.abs(value) < low || Math.abs(value) > high) && isKnownSize(value, answer))
      .map(({ value }) => ({ value, unit: one.unit, group: 'answer' }));
  });
}

function isKnownSize(size: number, { all, supported }: Answer): boolean {
  const known = Math.abs(size);
  return known !== 0 && (hasNumber(all, known) || supported.some(({ value }) => Math.abs(value) === known));
}

const impliedFactorTable: readonly [RegExp, readonly number[]][] = [
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

function findImpliedFactors(words: string, unit: Unit | undefined): number[] {
  const ofTime = unit?.kind === 'time' && unit.factor <= 60 ? [60] : [];
  const named = impliedFactorTable.flatMap(([pattern, factors]) => (pattern.test(words) ? factors : []));
  return [...new Set([...ofTime, ...named])];
}

const maxSourceOperands = 2000;
const maxEarlierTexts = 6;

/** Collects numbers to compute with. `near`: from this turn. `far`: from earlier texts. `lists`: numbers that may be summed. */
export function collectOperands({ near, far }: Sources) {
  const columns = near
    .flatMap(({ operands }, place) => operands.map((one) => withTextIndex(one, place)))
    .slice(0, maxSourceOperands);
  const count = new Set(columns.map(({ value }) => value)).size;
  const lists = groupOperands(columns);
  const sums = lists.slice(0, 6).map((list) => ({
    value: sumOf(list.map(({ value }) => value)),
    group: 'sum',
    unit: list[0]?.unit,
  }));
  const before = far.slice(-maxEarlierTexts).flatMap(({ operands }) => operands.slice(0, 6));
  const stretches = near.flatMap(({ stretches: minutes }) =>
    minutes.slice(0, 6).flatMap((size) => [size, size / 60].map((value) => ({ value, group: 'stretch' }))),
  );
  const years = [...new Set(near.flatMap(({ dates }) => dates.flatMap(({ year }) => year ?? [])))];
  const others = [...stretches, ...years.slice(0, 4).map((value) => ({ value, group: 'year' }))];
  return {
    near: withoutDuplicates([...columns, ...others, ...(columns.length > 20 ? [] : sums)]),
    far: withoutDuplicates(before),
    count,
    lists,
  };
}

/** Adds the text's index to an operand's row and group, so we do not combine numbers of different texts, except under the same JSON key. */
function withTextIndex(operand: Operand, place: number): Operand {
  const row = `${place} ${operand.row ?? ''}`;
  return operand.group.startsWith('key ')
    ? { ...operand, row }
    : { ...operand, row, group: `${place} ${operand.group}` };
}

function groupOperands(operands: readonly Operand[]): Operand[][] {
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

function withoutDuplicates(operands: readonly Operand[]): Operand[] {
  const known = new Map<string, Operand>();
  for (const operand of operands) {
    if (operand.value === 0) continue;
    const key = `${operand.value} ${operand.unit?.name ?? ''}`;
    if (!known.has(key)) known.set(key, operand);
  }
  const units = new Set([...known.values()].flatMap(({ value, unit }) => (unit ? [value] : [])));
  return [...known.values()].filter(({ value, unit }) => unit !== undefined || !units.has(value));
}

const fillerWords = new Set(
  (
    'about around with that this they them their have were will would been being from into over under than then there here what which ' +
    'when where also some only most more less just your mine yours each every cost costs pays take takes lasts last comes come gets make ' +
    'makes made needs need means goes runs uses used today tomorrow first since between after euros dollars pounds kronor kroner seconds ' +
    'minute minutes hour hours days weeks months years people points million thousand billion holds hold'
  ).split(' '),
);
const chineseFillerPattern =
  /大约|大概|左右|一共|其中|分别|以及|还有|需要|共有|公里|分钟|小时|[约为是有在的了共和也还就都到人个元米天年月]/g;

/** Whether the clause around a number mentions something that no source mentions, such as the humidity. */
function mentionsUnknownWord(number: FoundNumber, { text, sources, all }: Answer): boolean {
  const clause = clauseAt(text, number).toLowerCase();
  const isKnown = (part: string) =>
    all.some((index) => index.text.includes(part)) || sources.question.toLowerCase().includes(part);
  // Compare only the beginning of each word, so inflected forms match.
  const latin = (clause.match(/[a-z]{4,}/g) ?? []).filter((word) => !fillerWords.has(word));
  if (latin.some((word) => !isKnown(word.slice(0, Math.max(4, word.length - 2))))) return true;
  const chinese = (clause.match(/[\u4e00-\u9fff]{2,}/g) ?? [])
    .map((words) => words.replace(chineseFillerPattern, ''))
    .filter(({ length }) => length >= 2);
  return chinese.some((words) => !characterPairsOf(words).some(isKnown));
}

const characterPairsOf = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));

const gapPattern = /^[^\p{L}\d]{0,4}(?:(?:of|at|is|was|by|to|for|in|on|up to|a|an|the)\s){0,3}$/u;
/** Matches the noun after a number, such as ` seats`. Requires 3 Chinese characters or 5 letters, because shorter words may be units. */
const nounAfterNumberPattern = /^\s?(?=[\p{L}%°]*(?:[\u4e00-\u9fff]{3}|[a-z]{5}))[\p{L}%°]+/iu;
const maxContextCharacters = 24;
const maxSourceCharacters = 20_000;

/** Whether a source gives a different number for the same thing (`adults 14.50`) and the answer does not mention that number. */
function contradictsSource({ start, end }: FoundNumber, { text, sources }: Answer): boolean {
  const before = findLastWord(text.slice(Math.max(0, start - 2 * maxContextCharacters), start).toLowerCase());
  const behind = nounAfterNumberPattern.exec(text.slice(end, end + maxContextCharacters))?.[0].toLowerCase();
  const isOther = (written: string | undefined) => written !== undefined && !text.includes(written);
  return sources.near.some((index) => {
    const source = index.text.slice(0, maxSourceCharacters);
    return (
      findPositions(source, before).some((at) => isOther(findNumberAfter(source, at))) ||
      findPositions(source, behind).some((at) => isOther(findNumberBefore(source, at)))
    );
  });
}

function findLastWord(text: string): string | undefined {
  const words = [...text.matchAll(/\p{L}{3,}/gu)].filter(([word]) => !/^(?:the|for|was|and|are)$/.test(word));
  const last = words.at(-1);
  return last && gapPattern.test(text.slice(last.index + last[0].length)) ? last[0] : undefined;
}

function findNumberAfter(source: string, at: number): string | undefined {
  const text = source.slice(at, at + 2 * maxContextCharacters);
  const [, word = '', between = '', written] = /^(\p{L}+)([^\d]*)(\d(?:[\d.,:]*\d)?)/u.exec(text) ?? [];
  return word !== '' && gapPattern.test(between) ? written : undefined;
}

const findNumberBefore = (source: string, at: number) =>
  /(?:\d[\d.,:]*)?\d$/.exec(source.slice(Math.max(0, at - maxContextCharacters), at))?.[0];

function findPositions(source: string, part: string | undefined): number[] {
  const places: number[] = [];
  if (part === undefined) return places;
  for (let at = source.indexOf(part); at >= 0; at = source.indexOf(part, at + 1)) places.push(at);
  return places;
}

type Visit = (size: number, unit?: Unit) => void;

export interface Goal {
  low: number;
  high: number;
  unit: Unit | undefined;
  /** Whether the text says that the number is rounded, as in `about 40`. Its range is then wider than its precision. */
  isRounded: boolean;
  isSquare: boolean;
}

/** Counts the computed results inside the goal's range and those near it, to estimate the probability that a match is a coincidence. */
export function createMatchCounter({ low, high, unit, isRounded }: Goal) {
  const middle = (low + high) / 2;
  let hits = 0;
  let around = 0;
  const visit: Visit = (result, own) => {
    const size = Math.abs(result);
    if (size < middle / 2 || size > middle * 2 || !canUnitsAgree(own, unit)) return;
    if (size >= low && size <= high) hits += 1;
    else around += 1;
  };
  /** True if some result is inside the goal's range, and the estimated probability that this is a coincidence is at most `limit`. */
  const isHit = (limit: number) => {
    const width = isRounded ? Math.min(high - low, middle / 50) : high - low;
    return hits > 0 && (around * width) / (1.5 * middle) <= limit;
  };
  return { visit, isHit };
}

const squareMetre: Unit = { kind: 'area', factor: 1, name: 'area 1' };
const isShare = (unit: Unit | undefined) => unit?.kind === 'share';

const isYear = (size: number) => Number.isInteger(size) && size >= 1000 && size <= 2999;

/** Whether adding two numbers makes sense: they have the same kind of unit and similar sizes. */
function canAdd({ value: a, unit }: Operand, { value: b, unit: other }: Operand): boolean {
  if (!canUnitsAgree(unit, other) || isShare(unit) !== isShare(other)) return false;
  const [less = 0, more = 0] = [Math.abs(a), Math.abs(b)].sort((one, two) => one - two);
  const areYears = [unit, other].some((one) => one?.name === 'time 31556952');
  return areYears || unit?.name === other?.name || more <= less * 30;
}

function combineOperands(one: Operand, other: Operand, goal: Goal, visit: Visit): void {
  const [a, b] = [one.value, other.value];
  if (canAdd(one, other)) {
    const unit = one.unit ?? other.unit;
    for (const size of [a + b, a - b, (a + b) / 2]) visit(size, unit);
  }
  if (isYear(a) && b <= 130) visit(a - b - 1);
  if (isShare(goal.unit)) {
    for (const size of [a / b, b / a, (a - b) / a, (a - b) / b]) visit(100 * size, goal.unit);
    if (isShare(one.unit) !== isShare(other.unit)) for (const size of [a * b, a / b, b / a]) visit(size);
    return;
  }
  if (isShare(other.unit)) combineByPercent(one, other, goal, visit);
  if (isShare(one.unit)) combineByPercent(other, one, goal, visit);
  const isOfOne = one.unit !== undefined && one.unit.name === other.unit?.name;
  const side = isOfOne && one.unit?.kind === 'length' ? one.unit : undefined;
  const mayBeOne = canResultHaveUnit(one.unit, goal.unit);
  const mayBeOther = canResultHaveUnit(other.unit, goal.unit);
  if (side) visit(a * b * side.factor ** 2, squareMetre);
  else if (!isOfOne && (mayBeOne || mayBeOther)) visit(a * b);
  if (isOfOne && goal.unit !== undefined) return;
  if (mayBeOne) visit(a / b);
  if (mayBeOther) visit(b / a);
  if (goal.unit === undefined) for (const size of [a / b, b / a]) if (size > 1) visit(Math.ceil(size));
}

function combineByPercent({ value, unit }: Operand, percent: Operand, goal: Goal, visit: Visit): void {
  if (!canResultHaveUnit(unit, goal.unit)) return;
  const part = percent.value / 100;
  for (const by of [part, 1 + part, 1 - part, 1 / (1 + part), 1 / (1 - part)]) visit(value * by);
}

/** Whether a calculation with one unit may result in another. Money, mass and data only result from the same kind of unit. */
function canResultHaveUnit(unit: Unit | undefined, made: Unit | undefined): boolean {
  if (made?.kind === 'temperature') return false;
  if (!unit || !made || unit.kind === made.kind) return true;
  return !['money', 'mass', 'data'].includes(made.kind);
}

export function computeOneStep(operands: readonly Operand[], goal: Goal, visit: Visit): void {
  operands.forEach((one, index) => {
    if (isShare(one.unit)) visit(100 - one.value, one.unit);
    if (goal.isSquare || one.unit?.kind === 'length') visit(one.value ** 2);
    for (const other of operands.slice(index + 1)) combineOperands(one, other, goal, visit);
  });
}

function combineEachPair(operands: readonly Operand[], goal: Goal): Operand[] {
  const first: Operand[] = [];
  computeOneStep(operands, { ...goal, unit: undefined }, (value, unit) => {
    if (value !== 0) first.push({ value, unit, group: 'step' });
  });
  return first;
}

/** Multiplies each operand, and each result of one calculation step, by factors that the text implies, such as 2 for `twice`. */
function multiplyEach(operands: readonly Operand[], factors: readonly number[], goal: Goal, visit: Visit) {
  if (factors.length === 0) return;
  const first = operands.length > maxListLength ? [] : combineEachPair(operands, goal);
  for (const { value } of [...operands, ...first]) for (const factor of factors) visit(value * factor);
}

export function computeTwoSteps(operands: readonly Operand[], goal: Goal, visit: Visit): void {
  for (const one of combineEachPair(operands, goal)) {
    for (const other of operands) combineOperands(one, other, goal, visit);
  }
}

/** Maximum length of a list whose items are combined. The subsets of a longer list have sums near almost any number. */
const maxListLength = 13;

/** Tries totals of whole lists: sum, mean, median, range, shares, and the sum without one item. */
export function computeListTotals(lists: readonly (readonly Operand[])[], goal: Goal, visit: Visit): void {
  for (const list of lists) {
    const values = list.map(({ value }) => value);
    const unit = list[0]?.unit;
    const sum = sumOf(values);
    for (const size of [sum, sum / values.length, medianOf(values)]) visit(size, unit);
    visit(Math.max(...values) - Math.min(...values), unit);
    visit(2 * Math.max(...values) - sum, unit);
    if (isShare(goal.unit)) for (const value of values) visit((100 * value) / sum, goal.unit);
    if (values.length <= maxListLength) for (const value of values) visit(sum - value, unit);
  }
}

/** Like `maxListLength`, but for lists of whole numbers. It is lower because their sums match more often by chance. */
const maxWholeNumberListLength = 8;

function computeSubsetSums(list: readonly Operand[], visit: Visit): void {
  const values = list.map(({ value }) => value);
  const max = values.every(Number.isInteger) ? maxWholeNumberListLength : maxListLength;
  if (values.length < 3 || values.length > max) return;
  let sums = [0];
  for (const value of values) sums = [...sums, ...sums.map((sum) => sum + value)];
  for (const sum of sums) visit(sum, list[0]?.unit);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** PURE: whether a number follows from those that stand beside it, so plainly that no word has to say so. */
import { hasValue } from './index-text';
import type { FoundNumber } from './numbers-in';
import type { Reader } from './reader';

type Fits = (size: number) => boolean;

/** Numbers of the sentence: of so few, what follows from any two needs no word for it. */
const mostBeside = 5;
/** Of so many numbers hardly any two make one of four digits by chance. */
const mostExact = 14;

/** Whether a number of the sentence is one that the answer did not make up. */
export function isFounded(size: number, { all, held, spans }: Reader): boolean {
  const known = Math.abs(size);
  return (
    all.some((index) => hasValue(index, known, known)) ||
    held.some(({ value }) => Math.abs(value) === known) ||
    spans.days.includes(known)
  );
}

function isExact({ readings }: FoundNumber): boolean {
  return readings.some(
    ({ value, step }) => Math.abs(value) / step >= 1000 && Math.round(Math.abs(value) / step) % 10 !== 0,
  );
}

function isOfTwo(fits: Fits, sizes: readonly number[]): boolean {
  return sizes.some((a, index) =>
    sizes.slice(index + 1).some((b) => [Math.abs(a - b), a + b, a * b, a / b, b / a].some(fits)),
  );
}

const movesYear = /\b(?:before|after|later|earlier|ago|previous(?:ly)?|older|younger)\b|[年岁][前后]/i;

/** `six years before 1994`. */
function isYearFrom(fits: Fits, told: readonly number[], { all }: Reader): boolean {
  const years = all
    .flatMap(({ dates }) => dates.flatMap(({ year }) => year ?? []))
    .concat(told.filter((size) => size > 1000));
  const few = told.filter((size) => size > 0 && size <= 200);
  return years.some((year) => !fits(year) && few.some((count) => fits(year - count) || fits(year + count)));
}

interface Place {
  number: FoundNumber;
  sentence: string;
  /** All numbers of the sentence, and those of them that are founded. */
  told: readonly number[];
  beside: readonly number[];
}

const isPower = /[²³^]|\b(?:squared|cubed)\b|平方|立方|次方/;

export function followsWithoutWords(
  fits: Fits,
  { number, sentence, told, beside }: Place,
  reader: Reader,
): boolean {
  if (isPower.test(sentence) && beside.some((size) => [size ** 2, size ** 3].some(fits))) return true;
  if (beside.length <= mostBeside && isOfTwo(fits, beside)) return true;
  const near = [...new Set([...reader.reckoned.near, ...reader.held].map(({ value }) => value))];
  if (isExact(number) && near.length <= mostExact && isOfTwo(fits, near)) return true;
  return movesYear.test(sentence) && isYearFrom(fits, told, reader);
}

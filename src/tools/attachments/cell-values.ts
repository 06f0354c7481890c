/** PURE: what the cells of a column mean: numbers and dates as people write them. */

export type Cell = { type: 'number'; value: number; text: string } | { type: 'date'; value: number };

/** Reads the cells of one column; undefined of one that is neither a number nor a date, and is compared as words. */
export type ReadCell = (text: string) => Cell | undefined;

/** What all cells of the column show together: whether `1.234` is a thousand, and `3/4` the third of April. */
export function cellReader(cells: readonly string[]): ReadCell {
  const decimal = decimalOf(cells);
  const isDayFirst = dayFirst(cells);
  return (text) => {
    const trimmed = text.trim();
    return readNumber(trimmed, decimal) ?? readDate(trimmed, isDayFirst);
  };
}

const unit = String.raw`[\s\u00a0]*(?:[$€£¥₹元]|[A-Z]{3}|%|％)?[\s\u00a0]*`;
const numeric = new RegExp(
  String.raw`^\(?${unit}[-+−]?${unit}(\d[\d.,'’\s\u00a0]*)(?:e([-+]?\d{1,3}))?${unit}\)?$`,
  'i',
);

/** A comma or a point parts the decimals: what no cell contradicts. A comma before three digits alone parts thousands. */
function decimalOf(cells: readonly string[]): '.' | ',' {
  let comma = 0;
  let point = 0;
  for (const cell of cells) {
    const digits = numeric.exec(cell.trim())?.[1];
    if (digits === undefined) continue;
    const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
    if (last < 0) continue;
    const isThousands = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(digits);
    const isMixed = digits.includes(',') && digits.includes('.');
    if (isThousands && !isMixed) {
      // The same mark twice parts thousands: the other one would part decimals.
      if (digits.split(digits[last] ?? '').length <= 2) continue;
      if (digits[last] === ',') point++;
      else comma++;
    } else if (digits[last] === ',') comma++;
    else point++;
  }
  return comma > point ? ',' : '.';
}

function readNumber(text: string, decimal: '.' | ','): Cell | undefined {
  const match = numeric.exec(text);
  if (!match) return undefined;
  const [, digits = '', exponent = ''] = match;
  const group = decimal === '.' ? ',' : '.';
  const plain = digits
    .replace(/['’\s\u00a0]/g, '')
    .replaceAll(group, '')
    .replace(decimal, '.');
  if (!/^\d+(?:\.\d*)?$/.test(plain)) return undefined;
  // In books of account brackets mean less than nothing.
  const isNegative = /[-−]/.test(text.slice(0, text.indexOf(digits))) || /^\(.*\)$/.test(text);
  const written = `${isNegative ? '-' : ''}${plain}${exponent === '' ? '' : `e${exponent}`}`;
  const value = Number(written);
  return Number.isFinite(value) ? { type: 'number', value, text: written } : undefined;
}

const [yearFirst, yearLast, chinese] = [
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?.*)?$/,
  /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/,
  /^(\d{4})年(\d{1,2})月(?:(\d{1,2})日?)?$/,
];

/** With points the day stands first; with strokes where any cell cannot be read otherwise. */
function dayFirst(cells: readonly string[]): boolean {
  return cells.some((cell) => {
    const match = yearLast.exec(cell.trim());
    return match ? match[2] === '.' || Number(match[1]) > 12 : false;
  });
}

function readDate(text: string, isDayFirst: boolean): Cell | undefined {
  const first = yearFirst.exec(text) ?? chinese.exec(text);
  if (first) {
    const [, year, month, day = '1', ...time] = first;
    return dateOf([year, month, day], time);
  }
  const last = yearLast.exec(text);
  if (!last) return undefined;
  const [, one, , other, year, ...time] = last;
  return dateOf(isDayFirst ? [year, other, one] : [year, one, other], time);
}

function dateOf(
  date: readonly (string | undefined)[],
  time: readonly (string | undefined)[],
): Cell | undefined {
  const [year = 0, month = 0, day = 0] = date.map(Number);
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
  const value = Date.UTC(year, month - 1, day, hour, minute, second);
  // The 31st of February is none.
  const isReal = new Date(value).getUTCMonth() === month - 1 && new Date(value).getUTCDate() === day;
  return isReal && hour < 24 ? { type: 'date', value } : undefined;
}

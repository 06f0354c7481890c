/** PURE: numbers that are written out: `twenty-five`, `three hundred`, `一百二十`, `二〇二六`. */

const small = new Map<string, number>(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
    'seventeen eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value]),
);
const tens = new Map<string, number>(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, 20 + 10 * index]),
);
const scales = new Map<string, number>([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
]);

const word = [...small.keys(), ...tens.keys(), ...scales.keys()].join('|');
/** At most a dozen words: nobody writes out more. */
export const englishNumber = new RegExp(`\\b(?:${word})(?:(?:[ -]| and )(?:${word})){0,11}\\b`, 'gi');

/** Of a text that `englishNumber` found. Undefined where the words make no one number. */
export function readEnglish(written: string): number | undefined {
  let whole = 0;
  let part: number | undefined;
  let last = Infinity;
  for (const name of written.toLowerCase().split(/[ -]/)) {
    if (name === 'and') continue;
    const scale = scales.get(name);
    if (scale === 100) {
      part = (part ?? 1) * 100;
      last = 100;
      continue;
    }
    if (scale !== undefined) {
      whole += (part ?? 1) * scale;
      part = undefined;
      last = Infinity;
      continue;
    }
    const value = small.get(name) ?? tens.get(name) ?? 0;
    // `three four`, `ten six`: two numbers.
    if (part !== undefined && (value >= last || (last < 100 && last % 10 !== 0) || (last < 20 && last > 0)))
      return undefined;
    part = (part ?? 0) + value;
    last = value;
  }
  return whole + (part ?? 0);
}

const digits = new Map<string, number>([
  ...Array.from('零一二三四五六七八九').map((sign, value): [string, number] => [sign, value]),
  ['〇', 0],
  ['两', 2],
]);
const places = new Map<string, number>([
  ['十', 10],
  ['百', 100],
  ['千', 1000],
]);
export const chineseNumber =
  /[零〇一二两三四五六七八九十百千万亿]{1,20}(?:点[零〇一二三四五六七八九]{1,10})?/g;

/** Of a text that `chineseNumber` found. Undefined where it is no number: `千万`, `万一`. */
export function readChinese(written: string): number | undefined {
  const [whole = '', fraction] = written.split('点');
  const value = readWhole(whole);
  if (value === undefined || fraction === undefined) return value;
  const behind = Array.from(fraction)
    .map((sign) => digits.get(sign) ?? 0)
    .join('');
  return value + Number(`0.${behind}`);
}

function readWhole(written: string): number | undefined {
  const signs = Array.from(written);
  // One digit after the other: a year, a room.
  if (signs.every((sign) => digits.has(sign))) {
    return Number(signs.map((sign) => digits.get(sign) ?? 0).join(''));
  }
  if (!digits.has(signs[0] ?? '') && signs[0] !== '十') return undefined;
  let all = 0;
  let block = 0;
  let digit: number | undefined;
  for (const sign of signs) {
    const place = places.get(sign);
    if (digits.has(sign)) digit = digits.get(sign);
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

/** Reads numbers written in words: `seventy-two`, `a hundred and five`, `三十七减十九`, `六分之五`. */

const ones = 'zero one two three four five six seven eight nine'.split(' ');
const teens = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const valueByEnglishWord = new Map([
  ...[...ones, ...teens].map((word, value) => [word, value] as const),
  ...tens.map((word, index) => [word, 20 + 10 * index] as const),
]);
const valueByScaleWord = new Map(Object.entries({ thousand: 1e3, million: 1e6, billion: 1e9 }));

const smallNumberSource = [...valueByEnglishWord.keys()].join('|');
const scaleWordSource = ['hundred', ...valueByScaleWord.keys()].join('|');
/** Number words, possibly of several numbers: `two three`. Excludes "one" before a dash, often a pronoun: `the one - 5 minutes`. */
const englishNumberPattern = new RegExp(
  String.raw`\b(?:(?:${smallNumberSource})|a(?=\s+(?:${scaleWordSource})))\b(?:(?:-|\s+)(?:(?:${smallNumberSource}|${scaleWordSource})\b|and\s+(?:${smallNumberSource})\b(?<=(?:${scaleWordSource})\s+and\s+\w+)|point(?:\s+(?:${ones.join('|')})\b)+))*(?<!\bone(?=\s+[-–—]))`,
  'gi',
);

const chineseDigits = '零一二三四五六七八九';
const valueByChineseScale = new Map(Object.entries({ 十: 10, 百: 100, 千: 1000 }));
const chineseNumberSource = '[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?';
/** Number words. Excludes 两 after another number, where it is a unit of weight: `四两`. */
const chineseNumberPattern = /[零〇一二两三四五六七八九十百千万亿][零〇一二三四五六七八九十百千万亿]*/gu;
/** Number words next to an operator. Elsewhere, these characters are often not numbers: `一下`, `万一`. */
const numberBeforeOperatorPattern = new RegExp(
  String.raw`(?<![第零〇一二两三四五六七八九十百千万亿点\d])${chineseNumberSource}(?![零〇一二两三四五六七八九十百千万亿点\d])(?=\s*(?:再?[加减乘除]|[+*/×÷^)-]|等于|是多少|的?(?:平方|立方|阶乘)|的?${chineseNumberSource}次[方幂]|$|[=?？]))`,
  'gu',
);
const numberAfterOperatorPattern = new RegExp(
  String.raw`(?<=(?:[加减乘除上去以(+*/×÷^-]|根号)\s*)${chineseNumberSource}(?![零〇一二两三四五六七八九十百千万亿点\d半倍些下起个])`,
  'gu',
);
const chineseFractionPattern = new RegExp(
  String.raw`(${chineseNumberSource}|\d+)分之(${chineseNumberSource}|\d+(?:\.\d+)?)`,
  'gu',
);
const chinesePowerPattern = new RegExp(String.raw`${chineseNumberSource}(?=次[方幂](?!程))`, 'gu');

/** Replaces a sum's number words with digits. Keeps words that are not next to an operator. */
export function toDigits(text: string): string {
  return text
    .replace(englishNumberPattern, englishRunToDigits)
    .replace(/(?<![\d.])(\d+) and a (half|quarter)\b/gi, (_, whole: string, part: string) =>
      part.toLowerCase() === 'half' ? `${whole}.5` : `${whole}.25`,
    )
    .replace(chineseFractionPattern, (_, below: string, above: string) => {
      const share = chineseNumberToDigits(above);
      return below === '百' ? `${share}%` : `(${share}/${chineseNumberToDigits(below)})`;
    })
    .replace(numberBeforeOperatorPattern, chineseNumberToDigits)
    .replace(chinesePowerPattern, chineseNumberToDigits)
    .replace(numberAfterOperatorPattern, chineseNumberToDigits);
}

/** Returns the parts of longer number words, as digits: 2 and 10 for `二十二`, 20 and 2 for `twenty-two`. */
export function splitNumberWords(text: string): Set<string> {
  const english = text.match(englishNumberPattern) ?? [];
  const chinese = text.match(chineseNumberPattern) ?? [];
  const parts = [
    ...english
      .flatMap((run) => run.toLowerCase().split(/[\s-]+/))
      .flatMap((word) => valueByEnglishWord.get(word) ?? []),
    ...chinese.flatMap((run) => Array.from(run)).map(readChineseNumber),
  ];
  const wholes = new Set([
    ...english.flatMap((run) => englishRunToDigits(run).split(' ')),
    ...chinese.map(chineseNumberToDigits),
  ]);
  return new Set(parts.map(String).filter((part) => !wholes.has(part)));
}

function englishRunToDigits(run: string): string {
  const words = run.toLowerCase().split(/[\s-]+/);
  const numbers: string[] = [];
  for (let at = 0; at < words.length;) {
    const { value, end } = readEnglishNumber(words, at);
    numbers.push(value);
    at = end;
  }
  return numbers.join(' ');
}

function readEnglishNumber(words: readonly string[], start: number): { value: string; end: number } {
  let total = 0;
  let part = words[start] === 'a' ? 1 : (valueByEnglishWord.get(words[start] ?? '') ?? 0);
  let place = nextWordLimit(part);
  let at = start + 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    const value = valueByEnglishWord.get(word);
    const scale = valueByScaleWord.get(word);
    if (word === 'point') return readDecimals(total + part, words, at + 1);
    if (word === 'and') continue;
    if (word === 'hundred' && part > 0 && part < 100) [part, place] = [part * 100, 100];
    else if (scale !== undefined && part > 0) [total, part, place] = [total + part * scale, 0, 1000];
    else if (value !== undefined && value > 0 && value < place && place > 1) {
      [part, place] = [part + value, nextWordLimit(value)];
    } else break;
  }
  return { value: String(total + part), end: at };
}

function readDecimals(whole: number, words: readonly string[], start: number) {
  const digits = words.slice(start).map((word) => ones.indexOf(word));
  const used = digits.slice(0, [...digits, -1].indexOf(-1));
  return { value: `${whole}.${used.join('')}`, end: start + used.length };
}

/** Exclusive upper limit for the next word of a number: after twenty, a word below ten may follow, after seven none. */
function nextWordLimit(value: number): number {
  return value >= 20 && value < 100 && value % 10 === 0 ? 10 : 1;
}

/** `三十七` becomes `37`. Expects only number words, or digits. */
export function chineseNumberToDigits(written: string): string {
  if (/^[\d.]+$/.test(written)) return written;
  const [whole = '', decimals] = written.replaceAll('〇', '零').replaceAll('两', '二').split('点');
  const digitsOf = (text: string) => Array.from(text, (one) => chineseDigits.indexOf(one)).join('');
  const isSpelled = whole.length > 1 && !/[十百千万亿]/u.test(whole);
  const value = isSpelled ? digitsOf(whole) : String(readChineseNumber(whole));
  return decimals === undefined ? value : `${value}.${digitsOf(decimals)}`;
}

function readChineseNumber(text: string): number {
  for (const [mark, scale] of Object.entries({ 亿: 1e8, 万: 1e4 })) {
    const at = text.lastIndexOf(mark);
    if (at === -1) continue;
    const rest = text.slice(at + 1);
    // `一万三` means 13,000.
    const isShort = rest.length === 1 && chineseDigits.includes(rest);
    return (
      readChineseNumber(text.slice(0, at)) * scale + readChineseNumber(rest) * (isShort ? scale / 10 : 1)
    );
  }
  let total = 0;
  let digit: number | undefined;
  let last = 1;
  for (const one of text) {
    const scale = valueByChineseScale.get(one);
    if (scale === undefined) {
      digit = chineseDigits.indexOf(one);
      if (digit === 0) last = 1;
      continue;
    }
    total += (digit ?? 1) * scale;
    [digit, last] = [undefined, scale];
  }
  // `两百五` means 250, `一百零五` 105.
  return total + (digit ?? 0) * (last > 10 ? last / 10 : 1);
}

/** Finds sums in a text, for example `24*60*60`, `7除以8` or `17.5% of 2340`, but not dates, phone numbers or scores. */
import { toDigits } from './number-words';

const maxTextCharacters = 2000;

/** Replaces full-width signs and digits one by one, to keep positions the same. */
function toHalfWidth(text: string): string {
  return text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** `others`: text that looks like a sum but is not one: `2026-11-23`, `3-1`, `10 x 15 cm`. */
export function readSums(written: string): { sums: FoundSum[]; others: FoundSum[] } {
  const sums: FoundSum[] = [];
  const others: FoundSum[] = [];
  const text = written.length > maxTextCharacters ? '' : toHalfWidth(written);
  for (let at = 0; at < text.length;) {
    const reader = new SumReader(text, at);
    const found = reader.readSum();
    if (found) (isSum(addContext(text, found)) ? sums : others).push(found);
    at = Math.max(found?.end ?? 0, reader.firstTokenEnd, at + 1);
  }
  return { sums, others };
}

function isSum(likely: SumWithContext): boolean {
  if (isDateOrCode(likely)) return false;
  const isAlone = questionBeforePattern.test(likely.before) && questionAfterPattern.test(likely.after);
  return isAlone ? !isYearRange(likely.expression) : !isUnlikelySum(likely);
}

function addContext(text: string, { expression, start, end }: FoundSum): SumWithContext {
  return {
    expression,
    written: text.slice(start, end),
    before: text.slice(0, start),
    after: text.slice(end),
  };
}

/** Returns the sum if the request asks only for its result: `12乘以8等于多少`, `the bill is 17 + 23, what is the total?`. */
export function readRequestedSum(written: string): string | undefined {
  const only = findSingleSum(written);
  if (!only) return undefined;
  const { before, after, expression } = only;
  if (questionBeforePattern.test(before) && questionAfterPattern.test(after)) return expression;
  const both = `${before} ${after}`;
  if (!isSeparateSum(only) || both.length > maxSurroundingCharacters) return undefined;
  if (/\d/.test(both) || furtherRequestPattern.test(both)) return undefined;
  const isNamed = resultNamePattern.test(before) && questionAfterPattern.test(after);
  return isNamed || resultQuestionPattern.test(both) ? expression : undefined;
}

const maxSurroundingCharacters = 100;

/** Returns the only sum of a request. Undefined if the words around it make it part of a larger sum. */
export function readSingleSum(written: string): string | undefined {
  const only = findSingleSum(written);
  return only && isSeparateSum(only) ? only.expression : undefined;
}

function findSingleSum(written: string): SumWithContext | undefined {
  if (written.length > maxTextCharacters) return undefined;
  const text = toDigits(toHalfWidth(written));
  const { sums, others } = readSums(text);
  const [sum] = sums;
  // Next to a real sum, an uncertain one counts too: `812/7` in `34*19 and also 812/7`.
  const isUncertain = (other: FoundSum) => !isDateOrCode(addContext(text, other));
  return sum && sums.length === 1 && !others.some(isUncertain) ? addContext(text, sum) : undefined;
}

const questionBeforePattern =
  /^\s*(?:(?:hi|hello|hey|ok|okay|please|so|and|now|then|well|um|quick|你好|请问?|那么?|帮我|帮忙|麻烦你?|我想知道)[\s,，!！]*)*(?:(?:can|could|would|will) you (?:please )?|i(?: want|['’]d like| need) to know )?(?:what(?:'s|’s|s| is| are| does| do)?|how much (?:is|are|does)|how many (?:is|are)|calculate|compute|evaluate|work out|figure out|solve|tell me|give me|do|find|算一?下|算算|算出|算|计算一?下?|计算出|求)?\s*(?:the (?:result|value|answer|sum|product) (?:of|to)|what(?:'s| is)?|how much is)?\s*[:：]?\s*$/iu;
const questionAfterPattern =
  /^\s*(?:[=＝]|,?\s*(?:equals?|is|make|makes|give|gives|come to)\b|,?(?:一共|总共)?(?:等于|是|得|的?结果是?|的?答案是?))?\s*(?:(?:what|how much)\b|多少|几|几何|啥)?\s*(?:for me|equal(?: to)?)?[\s,，。]*(?:please|pls|thanks|thank you|谢谢你?|呢|啊|呀|吗|吧)?[\s=?？.。!！]*$/iu;
const resultNamePattern = /^[^=:：?？.。!！\n]+[=:：]\s*$/u;
const resultQuestionPattern =
  /\b(?:what do i get|what(?:['’]s| is| would be) (?:the|that|it)\b|the (?:total|result|sum|answer)\b|in total|altogether|work(?:ed)? (?:it |this |that )?out|calculat\w+|comput\w+|solve|comes? to|how much (?:is|are|does|do)\b|how many\b)|等于|算|得[多几]|一共|总共|结果是[几多什]|是[多几]|还剩多少/iu;
const furtherRequestPattern =
  /\b(?:and|then|also|plus|time|date|today|weather|search|find|page|translate|write|remember|note)\b|还有|以及|和|顺便|另外|然后|再|时间|几点|几号|星期|天气|搜|查|翻译|写|记/iu;

/** Returns false if the words around the sum change it: `double 3+4`, `divide that by 2+3`, `3*4 + x`. */
function isSeparateSum({ before, after }: SumWithContext): boolean {
  const both = `${before} ${after}`;
  if (operatorBeforePattern.test(before) || operatorAfterPattern.test(after) || sumModifierPattern.test(both))
    return false;
  return !combiningWordPattern.test(both) || !(/\d/.test(both) || backReferencePattern.test(both));
}

const operatorBeforePattern =
  /(?:[+*×÷^√]|\b[a-z]\s*[-−/]|\b(?:times|plus|minus|over|divided by|multiplied by|mod)|加上?|减去?|[乘除]以?|用)\s*$/iu;
const operatorAfterPattern =
  /^\s*[,，、;]?\s*(?:(?:and|then|all|再|然后|又)\s*)*(?:[+*×÷^]|[-−/]\s*[a-z]\b|of\b|(?:times|plus|minus|multipl\w+|divided?|add|subtract|double|halve|square|cubed?|rounded?)\b|[加减乘除]|的?一半|的?平方根|的?\d*倍)/iu;
const sumModifierPattern =
  /\b(?:double|triple|twice|halve|half|squared?|cubed?|roots?|average|mean|rounded?|third of|quarter of|percent(?:age)? of)\b|%\s*of\b|一半|平均|平方根|倍|四舍五入/iu;
const combiningWordPattern =
  /\b(?:add(?:ed)?|subtract(?:ed)?|divided?|multipl(?:y|ied)|deduct|increased?|decreased?|split|shared?|each|per|off|discount|tax|tip)\b|[加减乘除折涨]|每|平分/iu;
const backReferencePattern = /\b(?:that|it|this|them|result|answer|more)\b|它|结果|答案|这个/iu;

interface FoundSum {
  /** In the calculator's notation: `7/8`. */
  expression: string;
  start: number;
  end: number;
}

const tokenPatterns = [
  [
    'function',
    /(?<![\p{L}\d])(sqrt|sin|cos|tan|log10|log2|log|ln|exp|abs|round|floor|ceil|gcd|lcm)(?=\s*\()/iuy,
    ([, name = '']) => name.toLowerCase(),
  ],
  [
    'number',
    /(?<![\d.])(?:(?<=\d\s?x)|(?<!\p{Script=Latin}))(?:\d{1,3}(?:,\d{3})+(?!\d|,\d)(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)(?![.:]?\d)(?!(?:st|nd|rd|th)\b)/iuy,
    ([text]) => text.replaceAll(',', ''),
  ],
  ['sign', /\s*[-−](?=[\d.])/uy, () => '-'],
  ['number', /百分之\s*(\d+(?:\.\d+)?)/uy, ([, share = '']) => `${share}%`],
  ['root', /√\s*|根号\s*|(?<!\p{L})(?:the )?square root of\s+/iuy, () => 'sqrt'],
  ['percent', /\s*%|\s*per ?cent\b/iuy, () => '%'],
  ['power', /\s*squared\b|\s*的?平方(?!根)|²/iuy, () => '^2'],
  ['power', /\s*cubed\b|\s*的?立方(?!根)|³/iuy, () => '^3'],
  ['power', /\s*的?\s*(\d+)\s*次[方幂](?!程)/uy, ([, power = '']) => `^${power}`],
  ['power', /\s*to the (\d+)(?:st|nd|rd|th)\b(?: power\b)?/iuy, ([, power = '']) => `^${power}`],
  ['power', /\s*factorial\b|\s*的?阶乘|!(?=\s*[=?？]|\s*$)/iuy, () => '!'],
  ['of', /\bof\b/iuy, () => ' of '],
  ['operator', /的(?=\s*(?:百分之)?[\d.(])/iuy, () => '*'],
  ['operator', /\*\*|\^|\b(?:raised )?to the power of\b/iuy, () => '^'],
  ['operator', /[*×·∙⋅✕✖]|\b(?:times|multiplied by)\b|(?<=[\d)]\s?)x(?=\s?[\d(])|乘以|乘/iuy, () => '*'],
  ['operator', /[/÷∕]|\b(?:divided by|over)\b|除以|除(?![了去外非])/iuy, () => '/'],
  ['operator', /\bmod(?:ulo)?\b/iuy, () => ' mod '],
  ['operator', /\+|\bplus\b|(?:\s*[,，]?再)?加上?/iuy, () => '+'],
  ['operator', /[-−–]|\bminus\b|(?:\s*[,，]?再)?减去?/iuy, () => '-'],
  ['open', /[(]/uy, () => '('],
  ['close', /[)]/uy, () => ')'],
  ['comma', /,(?=\s*[\d.(-])/uy, () => ','],
] as const satisfies readonly [string, RegExp, (match: RegExpMatchArray) => string][];

class SumReader {
  readonly #text: string;
  readonly #start: number;
  #at: number;
  #operators = 0;
  #isFunctionUsed = false;
  firstTokenEnd = 0;
  #depth = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#start = start;
    this.#at = start;
  }

  readSum(): FoundSum | undefined {
    const expression = this.#sum();
    const isSum = expression !== undefined && (this.#operators > 0 || this.#isFunctionUsed);
    return isSum ? { expression, start: this.#start, end: this.#at } : undefined;
  }

  #sum(): string | undefined {
    let expression = this.#operand();
    if (expression === undefined) return undefined;
    for (;;) {
      const before = this.#at;
      // `3 of 5` is a count, but `3% of 5` and `3/4 of 5` are shares.
      const isShare = expression.endsWith('%') || /^\d+\/\d+$/.test(expression);
      const operator = this.#take('operator') ?? (isShare ? this.#take('of') : undefined);
      const right = operator && this.#operand();
      if (!operator || right === undefined) {
        this.#at = before;
        return expression;
      }
      this.#operators += 1;
      expression += operator + right;
    }
  }

  #operand(): string | undefined {
    const isFirst = this.#at === this.#start;
    const isMinus = isFirst && /[\p{Script=Latin}\d)]$/u.test(this.#text.slice(0, this.#at));
    const sign = isMinus ? '' : (this.#take('sign') ?? '');
    const value = this.#root() ?? this.#function() ?? this.#group() ?? this.#take('number');
    if (isFirst) this.firstTokenEnd = this.#at;
    if (value === undefined) return undefined;
    const power = this.#take('power') ?? '';
    if (power !== '') this.#isFunctionUsed = true;
    return sign + value + power + (this.#take('percent') ?? '');
  }

  #root(): string | undefined {
    const before = this.#at;
    const value = this.#take('root') && (this.#group() ?? this.#take('number'));
    if (value === undefined) {
      this.#at = before;
      return undefined;
    }
    this.#isFunctionUsed = true;
    return value.startsWith('(') ? `sqrt${value}` : `sqrt(${value})`;
  }

  #group(): string | undefined {
    const before = this.#at;
    if (this.#depth > 20 || !this.#take('open')) return undefined;
    this.#depth += 1;
    const inner = this.#sum();
    this.#depth -= 1;
    if (inner !== undefined && this.#take('close')) return `(${inner})`;
    this.#at = before;
    return undefined;
  }

  #function(): string | undefined {
    const before = this.#at;
    const name = this.#take('function');
    if (!name || !this.#take('open')) return undefined;
    const values: string[] = [];
    do {
      const value = this.#sum();
      if (value === undefined) break;
      values.push(value);
    } while (this.#take('comma'));
    if (values.length > 0 && this.#take('close')) {
      this.#isFunctionUsed = true;
      return `${name}(${values.join(',')})`;
    }
    this.#at = before;
    return undefined;
  }

  #take(type: (typeof tokenPatterns)[number][0]): string | undefined {
    const spaces = /\s*/uy;
    spaces.lastIndex = this.#at;
    // Don't skip whitespace before the first operand, so the position of the sum is that of its first character.
    const start = this.#at === this.#start ? this.#at : this.#at + (spaces.exec(this.#text)?.[0].length ?? 0);
    for (const [kind, pattern, write] of tokenPatterns) {
      if (kind !== type) continue;
      pattern.lastIndex = start;
      const match = pattern.exec(this.#text);
      if (!match) continue;
      this.#at = start + match[0].length;
      return write(match);
    }
    return undefined;
  }
}

interface SumWithContext {
  expression: string;
  written: string;
  before: string;
  after: string;
}

function isDateOrCode({ expression, written, before, after }: SumWithContext): boolean {
  // The text is part of something longer that is not a sum: 1.2.3, 10:30, 5-inch, 2026-11-23T10.
  const isContinued = /[\p{L}\d_.:/\\#-]$/u.test(before);
  if (isContinued && !/[\s\p{Script=Han}][:：]$|\p{Script=Han}$|\d\.\s$/u.test(before)) return true;
  if (/^(?:[:_\\]|[-/.]\p{L}|[-/.:]\d|\p{Script=Latin})/u.test(after)) return true;
  if (/^0x/i.test(written) || isDate(written) || telephonePattern.test(written) || numberIdioms.has(written))
    return true;
  // Phone numbers and codes may start with zeros. Sums do not.
  if (/(?<![\d.])0\d/.test(expression) || isDigitCode(written)) return true;
  return /(?<![\d)%]\s*)[+]\d{1,3}[\s-]\d/.test(before.slice(-3) + written);
}

function isDigitCode(written: string): boolean {
  return /^\d+(?:-\d+){3,}$/.test(written) && written.replaceAll('-', '').length >= 10;
}

/** True for text that is rarely a sum, unless the request asks for its result: `pages 10-12`, `won 3 - 1`, `10 x 15 cm`. */
function isUnlikelySum({ expression, written, before, after }: SumWithContext): boolean {
  if (/^\s*(?:=|等于|equals\b)/.test(after) || /=\s*$/.test(before)) return false;
  const isNamed = modelNamePattern.test(before) || /\b\p{Ll}+\p{Lu}\p{L}*\s+$/u.test(before);
  if (isNamed && /plus|over|\+|-/i.test(written)) return true;
  const isAsked = resultWordPattern.test(`${before} ${after}`);
  if (/^\d+(?:-\d+){2,}$/.test(written)) return !isAsked;
  const [, one, sign, other] = /^(\d+(?:\.\d+)?)([-+/*])(\d+(?:\.\d+)?)$/.exec(expression) ?? [];
  if (one === undefined || other === undefined) return false;
  const isTight = !/[\s\p{Script=Han}]/u.test(written);
  if (sign === '*') {
    const isScreen = isTight && Number(one) >= minScreenSidePixels && Number(other) >= minScreenSidePixels;
    return /[x×]/i.test(written) && (isScreen || lumberSizes.has(written) || isNearRange(before, after));
  }
  if (isTight && /[-–−/]/.test(written)) return !isAsked;
  if (/^(?:\d+加\d+|\d[加减]\d)$/.test(written) && nounAfterPattern.test(after)) return true;
  if (/满$/.test(before)) return true;
  if (sign !== '-' || !/[-–−]/.test(written)) return false;
  const isScore = /^\d{1,3}-\d{1,3}$/.test(expression) && isBetweenNames(before, after);
  return isNearRange(before, after) || (!isAsked && isScore);
}

function isNearRange(before: string, after: string): boolean {
  return rangeWordBeforePattern.test(before) || rangeWordAfterPattern.test(after);
}

function isBetweenNames(before: string, after: string): boolean {
  const isLatin = /\p{Lu}\p{L}*\s+$/u.test(before) && /^\s+\p{Lu}/u.test(after);
  return isLatin || (/\p{Script=Han}\s*$/u.test(before) && /^\s*\p{Script=Han}/u.test(after));
}

/** Two factors of at least this size are a screen size, not a sum: `1920x1080`. */
const minScreenSidePixels = 240;
const lumberSizes = new Set(['2x2', '2x4', '3x3', '4x4']);
const resultWordPattern =
  /\b(?:calculat\w+|comput(?:e|ed)|evaluate|work(?:ed)? out|figure out|solve|equals?|comes? to|adds? up|total)\b|算|等于|得几|得多少|结果是[几多]|一共|总共/iu;
/** A noun after the sum. It shows that the numbers count or name something: `三加一工程`, `15加2个壳`. */
const nounAfterPattern =
  /^\s*(?!等于|是|得|的|有|对|吗|呢|多少(?!钱)|几|大|小|和|给|帮|我|这)\p{Script=Han}/u;

/** Whether the text is a range of years. It is never a sum. */
function isYearRange(expression: string): boolean {
  const [, from, to] = /^((?:19|20)\d\d)-((?:19|20)\d\d)$/.exec(expression) ?? [];
  return from !== undefined && to !== undefined && Number(from) < Number(to);
}

function isDate(written: string): boolean {
  const parts = written.split(/[-/–]/);
  const [first = 0, second = 0, third = 0] = parts.map(Number);
  if (parts.length !== 3 || !/^[\d\s/–-]+$/.test(written)) return false;
  const isDay = (day: number) => day >= 1 && day <= 31;
  const isYearFirst = first >= 1000 && first <= 2999 && second <= 12 && isDay(third);
  const isYearLast = third <= 2999 && isDay(first) && isDay(second) && Math.min(first, second) <= 12;
  return isYearFirst || (isYearLast && /(?:^|\D)(?:\d{4}|\d{2})\s*$/.test(written));
}

const telephonePattern = /^\+?\(?\d{2,4}\)?(?:[\s-]\d{3,}){2,}$|^\d-\d{3}-\d{3}-\d{4}$|^\d{3}-\d{4}$|^\+\d/;
const numberIdioms = new Set(['24/7', '9/11', '50/50', '9-5', '1-1', '80/20', '4-4-2']);

const rangeWordBeforePattern =
  /(?:\b(?:pages?|pp?\.|chapters?|ch\.|verses?|lines?|rows?|rooms?|seats?|steps?|questions?|exercises?|grades?|years?|weeks?|days?|levels?|floors?|aged?|ages|from|between|open|score[ds]?|scoring|won|win|lost|lose|beat|drew|tied|led|leading|is now|result|final|size|resolution|screen|takes?|about|around|serves)|[第从约赢胜负输平]|比分|页码|年龄|大约|尺寸|分辨率)[\s:：是了为]*$/iu;
const rangeWordAfterPattern =
  /^\s*(?:(?:pages?|years?|days?|weeks?|months?|hours?|minutes?|mins?|people|players?|persons?|cm|mm|m|in|inch(?:es)?|ft|feet|px|pixels?|am|pm|o'clock|win|loss|draw|victory|defeat)\b|[页章节岁号楼级届班排座]|[天周月年分]钟?(?!的)|小时|厘米|毫米|米|英寸|像素|获胜|取胜|战胜|击败|人)/iu;
const modelNamePattern =
  /(?:\b(?:iphone|ipad|galaxy|pixel|redmi|mate|nova|note|windows|android|ios|model|version|room|chapter|page|bus|route|line|gate|flight|channel|level|episode|season|series|c)|苹果|华为|小米|第)\s*$/iu;

/** Removes numbers that are not amounts: parts of dates, phone numbers, versions, scores and times. */
export function removeDatesAndCodes(written: string): string {
  let text = written.normalize('NFKC');
  for (const { start, end } of readSums(text).others.toReversed()) {
    text = `${text.slice(0, start)} ${text.slice(end)}`;
  }
  return dateAndCodePatterns.reduce((left, form) => left.replace(form, ' '), text);
}

/** Removes numbers in names: `RTX 4090`, `chapter 3`, `第3题`. Leaves the text unchanged if it asks for an amount. */
export function removeNumbersInNames(text: string): string {
  if (amountPattern.test(text)) return text;
  // In other scripts, a capital letter shows which number belongs to a name. Chinese has no capitals, so remove all numbers.
  if (/\p{Script=Han}/u.test(text)) return text.replace(/\d+(?:\.\d+)?/g, ' ');
  return nameNumberPatterns.reduce((left, name) => left.replace(name, ' '), text);
}

const dateAndCodePatterns = [
  /\d+(?:[-–/.]\d+){2,}/g,
  /\bv\d[\d.-]*/gi,
  /\d{1,4}年\d{1,2}月(?:\d{1,2}日?)?|\d{1,2}月\d{1,2}日/g,
  /\+\d[\d\s()-]{6,}|\(\d{2,4}\)\s*\d[\d\s-]+|(?<![\d.])0\d{2,}(?:[\s-]\d{3,})*|\d{3,}(?: \d{3,})+/g,
  /\d+\s*[:：]\s*\d+(?:[:：]\d+)?|\d+\s*比\s*\d+|(?:\d+\s*[-–到至]\s*)?\d{1,2}点/g,
  /[$€£¥]\s*\d+(?:\.\d+)?\s*[-–]\s*[$€£¥]\s*\d+(?:\.\d+)?/g,
];

const nameNumberPatterns = [
  // A number after a capitalised word, except at the start of a sentence or in an amount of money.
  /(?<=[^\s.!?:]\s+)(?!I\b|USD|EUR|GBP|CNY|JPY|RMB)\p{Lu}[\p{L}’'-]*\s+\d+(?:\.\d+)?/gu,
  /(?<!\p{L})(?!USD|EUR|GBP|CNY|JPY|RMB)\p{Lu}{2,}\s+\d+(?:\.\d+)?|\d+(?:\.\d+)?\s+\p{Lu}{2,}(?!\p{L})/gu,
  /\b(?:chapters?|verses?|psalm|page|section|part|question|exercises?|step|act|scene|article|room|flat|apt|suite|version|windows|android|python|node|level|episode|season|flight|route|bus|line|gate|room|no\.|number)\s+\d+(?:\.\d+)?/giu,
  /\b\d+(?:st|nd|rd|th)\b|\b\d+\p{Lu}\b/gu,
];

const amountPattern =
  /\b(?:how (?:many|much|old|long|far)|totals?|sum|left|each|per|apiece|costs?|prices?|pays?|paid|owes?|averages?|mean|percent|area|add|altogether|in all|difference|balance|change|double|half|splits?|share|bill|tip|worth|spen[dt]|earns?|saved?|sold|bought|gave|had|have|need|remain(?:s|der)?)\b|[%$€£¥=]|多少|几(?!点|号)|(?<!星期|周|礼拜)几(?!点|号)|[算求均共剩合积每钱价花赚账差加减乘除倍折涨半吨斤]|总|块|多大|岁数|(?<![哪这那])个|打|(?<!单)元/iu;

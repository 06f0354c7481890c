/** What only looks like a sum: idioms, and what has a form of its own, such as a date, a telephone number, a score, a range or a version. */

/** A sum as it would be read, and what stands around it. */
export interface LikelySum {
  /** In the signs of the calculator. */
  expression: string;
  written: string;
  before: string;
  after: string;
}

/** Whatever the text around it asks for. */
export function isSomethingElse({ expression, written, before, after }: LikelySum): boolean {
  // It goes on in a way that no sum does: 1.2.3, 10:30, 5-inch, 2026-11-23T10.
  if (
    /[\p{L}\d_.:/\\#-]$/u.test(before) &&
    !/[\s\p{Script=Han}][:：]$|\p{Script=Han}$|\d\.\s$/u.test(before)
  ) {
    return true;
  }
  if (/^(?:[:_\\]|[-/.]\p{L}|[-/.:]\d|\p{Script=Latin})/u.test(after)) return true;
  if (/^0x/i.test(written) || isDate(written) || isTelephone.test(written) || idioms.has(written))
    return true;
  // Telephone numbers and codes begin with zeros, sums do not.
  if (/(?<![\d.])0\d/.test(expression) || isCode(written)) return true;
  return /(?<![\d)%]\s*)[+]\d{1,3}[\s-]\d/.test(before.slice(-3) + written);
}

/** Of a book, an order: `978-3-16-148410-0`. */
function isCode(written: string): boolean {
  return /^\d+(?:-\d+){3,}$/.test(written) && written.replaceAll('-', '').length >= 10;
}

/** A sum only where the text asks for nothing else: `pages 10-12`, `won 3 - 1`, `a 3/4 cup`, `10 x 15 cm`, `iPhone 15 plus 2 cases`. */
export function isMostlyNoSum({ expression, written, before, after }: LikelySum): boolean {
  if (/^\s*(?:=|等于|equals\b)/.test(after) || /=\s*$/.test(before)) return false;
  const isNamed = beforeModel.test(before) || /\b\p{Ll}+\p{Lu}\p{L}*\s+$/u.test(before);
  if (isNamed && /plus|over|\+|-/i.test(written)) return true;
  const isAsked = wantsResult.test(`${before} ${after}`);
  if (/^\d+(?:-\d+){2,}$/.test(written)) return !isAsked;
  const [, one, sign, other] = /^(\d+(?:\.\d+)?)([-+/*])(\d+(?:\.\d+)?)$/.exec(expression) ?? [];
  if (one === undefined || other === undefined) return false;
  const isTight = !/[\s\p{Script=Han}]/u.test(written);
  if (sign === '*') {
    const isScreen = isTight && Number(one) >= leastPixels && Number(other) >= leastPixels;
    return /[x×]/i.test(written) && (isScreen || planks.has(written) || isBesideRange(before, after));
  }
  if (isTight && /[-–−/]/.test(written)) return !isAsked;
  if (/^(?:\d+加\d+|\d[加减]\d)$/.test(written) && noun.test(after)) return true;
  // A discount: `满100减20`.
  if (/满$/.test(before)) return true;
  if (sign !== '-' || !/[-–−]/.test(written)) return false;
  const isScore = /^\d{1,3}-\d{1,3}$/.test(expression) && isBetweenNames(before, after);
  return isBesideRange(before, after) || (!isAsked && isScore);
}

function isBesideRange(before: string, after: string): boolean {
  return beforeRange.test(before) || afterRange.test(after);
}

function isBetweenNames(before: string, after: string): boolean {
  const isLatin = /\p{Lu}\p{L}*\s+$/u.test(before) && /^\s+\p{Lu}/u.test(after);
  return isLatin || (/\p{Script=Han}\s*$/u.test(before) && /^\s*\p{Script=Han}/u.test(after));
}

/** Of the shorter side of a screen. */
const leastPixels = 240;
const planks = new Set(['2x2', '2x4', '3x3', '4x4']);
/** Whoever says so means to have it worked out. */
const wantsResult =
  /\b(?:calculat\w+|comput(?:e|ed)|evaluate|work(?:ed)? out|figure out|solve|equals?|comes? to|adds? up|total)\b|算|等于|得几|得多少|结果是[几多]|一共|总共/iu;
/** `三加一工程`, `15加2个壳`: what is counted, or named. */
const noun = /^\s*(?!等于|是|得|的|有|对|吗|呢|多少(?!钱)|几|大|小|和|给|帮|我|这)\p{Script=Han}/u;

/** From an earlier year to a later one: not even alone a sum. */
export function isYears(expression: string): boolean {
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

const isTelephone = /^\+?\(?\d{2,4}\)?(?:[\s-]\d{3,}){2,}$|^\d-\d{3}-\d{3}-\d{4}$|^\d{3}-\d{4}$|^\+\d/;
const idioms = new Set(['24/7', '9/11', '50/50', '9-5', '1-1', '80/20', '4-4-2']);

/** `pages 10 - 12`, `they won 3 - 1`, `第3 - 5章`. */
const beforeRange =
  /(?:\b(?:pages?|pp?\.|chapters?|ch\.|verses?|lines?|rows?|rooms?|seats?|steps?|questions?|exercises?|grades?|years?|weeks?|days?|levels?|floors?|aged?|ages|from|between|open|score[ds]?|scoring|won|win|lost|lose|beat|drew|tied|led|leading|is now|result|final|size|resolution|screen|takes?|about|around|serves)|[第从约赢胜负输平]|比分|页码|年龄|大约|尺寸|分辨率)[\s:：是了为]*$/iu;
const afterRange =
  /^\s*(?:(?:pages?|years?|days?|weeks?|months?|hours?|minutes?|mins?|people|players?|persons?|cm|mm|m|in|inch(?:es)?|ft|feet|px|pixels?|am|pm|o'clock|win|loss|draw|victory|defeat)\b|[页章节岁号楼级届班排座]|[天周月年分]钟?(?!的)|小时|厘米|毫米|米|英寸|像素|获胜|取胜|战胜|击败|人)/iu;
/** A number that belongs to a name: `iPhone 15 plus`, `Room 12 over there`. */
const beforeModel =
  /(?:\b(?:iphone|ipad|galaxy|pixel|redmi|mate|nova|note|windows|android|ios|model|version|room|chapter|page|bus|route|line|gate|flight|channel|level|episode|season|series|c)|苹果|华为|小米|第)\s*$/iu;

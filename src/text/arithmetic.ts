/**
 * Finds the sums that a text spells out: `24*60*60`, `7除以8`, `17.5% of 2340`, `(3 + 4) × 2`. What only looks like one, such as a date, a
 * telephone number, a score or a version, is none.
 */
import { isMostlyNoSum, isSomethingElse, isYears, type LikelySum } from './no-sums';
import { toDigits } from './number-words';
import { type FoundSum, SumReader } from './sum-reader';

/** Sums longer than this are no request. */
const longestText = 2000;

/** Full-width signs and digits become narrow ones, one for one, so that places stay. */
function toNarrow(text: string): string {
  return text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** In the order in which they stand. */
export function findSums(written: string): FoundSum[] {
  return readSums(written).sums;
}

/** What is written like a sum and is none: `2026-11-23`, `3-1`, `10 x 15 cm`. */
export function findNoSums(written: string): FoundSum[] {
  return readSums(written).others;
}

function readSums(written: string): { sums: FoundSum[]; others: FoundSum[] } {
  const sums: FoundSum[] = [];
  const others: FoundSum[] = [];
  const text = written.length > longestText ? '' : toNarrow(written);
  for (let at = 0; at < text.length;) {
    const reader = new SumReader(text, at);
    const found = reader.read();
    if (found) (isSum(text, found) ? sums : others).push(found);
    at = Math.max(found?.end ?? 0, reader.firstTokenEnd, at + 1);
  }
  return { sums, others };
}

function isSum(text: string, found: FoundSum): boolean {
  if (isForm(text, found)) return false;
  const likely = aroundOf(text, found);
  const isAlone = asksBefore.test(likely.before) && asksAfter.test(likely.after);
  return isAlone ? !isYears(likely.expression) : !isMostlyNoSum(likely);
}

/** Whatever the text asks for. */
function isForm(text: string, found: FoundSum): boolean {
  return isSomethingElse(aroundOf(text, found));
}

function aroundOf(text: string, { expression, start, end }: FoundSum): LikelySum {
  return {
    expression,
    written: text.slice(start, end),
    before: text.slice(0, start),
    after: text.slice(end),
  };
}

/** A sum and nothing else, but for what asks for it: `What is 5*5?`, `12乘以8等于多少`. */
export function readLoneSum(written: string): string | undefined {
  const only = readOnly(written);
  return only && asksBefore.test(only.before) && asksAfter.test(only.after) ? only.expression : undefined;
}

/** A sum that a request wants worked out and nothing beside it: `seconds in a day = 24*60*60?`, `the bill is 17 + 23, what is the total?`. */
export function readAskedSum(written: string): string | undefined {
  const only = readOnly(written);
  if (!only) return undefined;
  const { before, after, expression } = only;
  if (asksBefore.test(before) && asksAfter.test(after)) return expression;
  const around = `${before} ${after}`;
  if (!isWhole(only) || /\d/.test(around) || around.length > longestAround || asksMore.test(around))
    return undefined;
  const isNamed = namesResult.test(before) && asksAfter.test(after);
  return isNamed || asksResult.test(around) ? expression : undefined;
}

/** Characters of what is said beside a sum. */
const longestAround = 100;

/** The one sum that a request spells out, with whatever words around it; undefined where these say that it is only a part of the sum that is meant. */
export function readOnlySum(written: string): string | undefined {
  const only = readOnly(written);
  return only && isWhole(only) ? only.expression : undefined;
}

interface OnlySum {
  expression: string;
  before: string;
  after: string;
}

function readOnly(written: string): OnlySum | undefined {
  if (written.length > longestText) return undefined;
  const text = toDigits(toNarrow(written));
  const { sums, others } = readSums(text);
  const [sum] = sums;
  // `34*19 and also 812/7`: where one is a sum, so is what might be one.
  if (!sum || sums.length > 1 || others.some((other) => !isForm(text, other))) return undefined;
  return { expression: sum.expression, before: text.slice(0, sum.start), after: text.slice(sum.end) };
}

const asksBefore =
  /^\s*(?:(?:hi|hello|hey|ok|okay|please|so|and|now|then|well|um|quick|你好|请问?|那么?|帮我|帮忙|麻烦你?|我想知道)[\s,，!！]*)*(?:(?:can|could|would|will) you (?:please )?|i(?: want|['’]d like| need) to know )?(?:what(?:'s|’s|s| is| are| does| do)?|how much (?:is|are|does)|how many (?:is|are)|calculate|compute|evaluate|work out|figure out|solve|tell me|give me|do|find|算一?下|算算|算出|算|计算一?下?|计算出|求)?\s*(?:the (?:result|value|answer|sum|product) (?:of|to)|what(?:'s| is)?|how much is)?\s*[:：]?\s*$/iu;
const asksAfter =
  /^\s*(?:[=＝]|,?\s*(?:equals?|is|make|makes|give|gives|come to)\b|,?(?:一共|总共)?(?:等于|是|得|的?结果是?|的?答案是?))?\s*(?:(?:what|how much)\b|多少|几|几何|啥)?\s*(?:for me|equal(?: to)?)?[\s,，。]*(?:please|pls|thanks|thank you|谢谢你?|呢|啊|呀|吗|吧)?[\s=?？.。!！]*$/iu;
/** What the sum comes to has a name: `seconds in a day = `. */
const namesResult = /^[^=:：?？.。!！\n]+[=:：]\s*$/u;
const asksResult =
  /\b(?:what do i get|what(?:['’]s| is| would be) (?:the|that|it)\b|the (?:total|result|sum|answer)\b|in total|altogether|work(?:ed)? (?:it |this |that )?out|calculat\w+|comput\w+|solve|comes? to|how much (?:is|are|does|do)\b|how many\b)|等于|算|得[多几]|一共|总共|结果是[几多什]|是[多几]|还剩多少/iu;
/** Another tool may be meant, or several. */
const asksMore =
  /\b(?:and|then|also|plus|time|date|today|weather|search|find|page|translate|write|remember|note)\b|还有|以及|和|顺便|另外|然后|再|时间|几点|几号|星期|天气|搜|查|翻译|写|记/iu;

/** What the words around a sum do with it makes it part of another: `double 3+4`, `divide that by 2+3`, `3*4 + x`. */
function isWhole({ before, after }: OnlySum): boolean {
  const around = `${before} ${after}`;
  if (openBefore.test(before) || openAfter.test(after) || changing.test(around)) return false;
  return !combining.test(around) || !(/\d/.test(around) || refers.test(around));
}

const openBefore =
  /(?:[+*×÷^√]|\b[a-z]\s*[-−/]|\b(?:times|plus|minus|over|divided by|multiplied by|mod)|加上?|减去?|[乘除]以?|用)\s*$/iu;
const openAfter =
  /^\s*[,，、;]?\s*(?:(?:and|then|all|再|然后|又)\s*)*(?:[+*×÷^]|[-−/]\s*[a-z]\b|of\b|(?:times|plus|minus|multipl\w+|divided?|add|subtract|double|halve|square|cubed?|rounded?)\b|[加减乘除]|的?一半|的?平方根|的?\d*倍)/iu;
const changing =
  /\b(?:double|triple|twice|halve|half|squared?|cubed?|roots?|average|mean|rounded?|third of|quarter of|percent(?:age)? of)\b|%\s*of\b|一半|平均|平方根|倍|四舍五入/iu;
const combining =
  /\b(?:add(?:ed)?|subtract(?:ed)?|divided?|multipl(?:y|ied)|deduct|increased?|decreased?|split|shared?|each|per|off|discount|tax|tip)\b|[加减乘除折涨]|每|平分/iu;
const refers = /\b(?:that|it|this|them|result|answer|more)\b|它|结果|答案|这个/iu;

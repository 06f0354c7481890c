/**
 * Reads everyday word problems without a model: a shared bill with a tip, several things at a price, a discount and tax, the change.
 * A small model gets these wrong, and its wrong result looks like any other.
 */
import { chineseNumberToDigits, toDigits } from '../text/number-words';

const maxProblemCharacters = 240;

/**
 * Returns the sum in the calculator's notation: `86.40*(100+10)/100/3`. Undefined if a number of the text has no known role, or
 * if a word such as `twice` or `except` may change the sum.
 */
export function readWordProblem(written: string): string | undefined {
  if (written.length > maxProblemCharacters) return undefined;
  const isChinese = /\p{Script=Han}/u.test(written);
  const text = isChinese ? normaliseChinese(written) : normaliseEnglish(written);
  const { rules, asks, obstacles, asksForChange } = isChinese ? chinese : english;
  if (asksForChange.test(text)) return undefined;
  const { parts, rest } = takeParts(text, rules);
  if (/\d/.test(rest) || obstacles.test(rest)) return undefined;
  return writeSum(parts, asks.find(([, pattern]) => pattern.test(rest))?.[0]);
}

type Role =
  /** A number of things and the price of one. */
  | 'item'
  | 'amount'
  /** The price of one thing. Only valid with a `count`. */
  | 'unit-price'
  /** The price of one thing, or the whole amount without a `count`: `a ticket costs 12.50`. */
  | 'price'
  /** A number of things. */
  | 'count'
  /** A number of people who share the amount. */
  | 'share'
  /** A number of people, who share the amount or buy one thing each. The question tells which. */
  | 'people'
  /** A percentage that the amount rises or falls by. */
  | 'raise'
  | 'lower'
  | 'add'
  | 'take-off'
  /** The money that somebody pays with. */
  | 'paid';

interface Part {
  role: Role;
  /** Two numbers for an item, else one. */
  numbers: readonly string[];
  /** Index in the text. */
  at: number;
}

interface Wordings {
  /** Earlier patterns take their numbers first. */
  rules: readonly (readonly [Role, RegExp])[];
  /** Patterns for what the text asks. The first match wins. */
  asks: readonly (readonly ['change' | 'share' | 'total', RegExp])[];
  /** Words that change the sum in a way we do not read. */
  obstacles: RegExp;
  /** The text asks for the tip or the discount itself, or has a number of people besides the user: `with 3 friends`. */
  asksForChange: RegExp;
}

/** Finds the parts, and blanks them out in the text. */
function takeParts(text: string, rules: Wordings['rules']): { parts: Part[]; rest: string } {
  const parts: Part[] = [];
  let rest = text;
  for (const [role, pattern] of rules) {
    for (const match of rest.matchAll(pattern))
      parts.push({ role, numbers: match.slice(1), at: match.index });
    rest = rest.replace(pattern, (match) => ' '.repeat(match.length));
  }
  return { parts: parts.toSorted((one, other) => one.at - other.at), rest };
}

function writeSum(parts: readonly Part[], asked: Wordings['asks'][number][0] | undefined) {
  const of = (role: Role) => parts.filter((part) => part.role === role).map(({ numbers }) => numbers);
  const isShared = asked === 'share' || of('share').length > 0;
  const divisors = isShared ? [...of('share'), ...of('people')] : [];
  const counts = isShared ? of('count') : [...of('count'), ...of('people')];
  const prices = [...of('unit-price'), ...of('price')];
  const isBought = counts.length === 1 && prices.length === 1;
  if (!isBought && (counts.length > 0 || of('unit-price').length > 0)) return undefined;
  const paid = of('paid');
  if (paid.length !== (asked === 'change' ? 1 : 0)) return undefined;
  if (isShared ? divisors.length !== 1 || asked === 'change' : asked === undefined) return undefined;

  const items = of('item').map(([count = '', price = '']) => `${count}*${price}`);
  const bought = prices.map(([price = '']) => (isBought ? `${counts[0]?.[0] ?? ''}*${price}` : price));
  const amounts = [...items, ...bought, ...of('amount').flat()];
  const changes = parts.filter(({ role }) => changeRoles.has(role));
  const hasStep = items.length + counts.length + changes.length > 0 || isShared || asked === 'change';
  // Several amounts alone may be anything, for example prices to compare.
  if (amounts.length === 0 || !hasStep) return undefined;
  const sum = applyChanges(amounts, changes);
  if (isShared) return `${inBrackets(sum)}/${divisors[0]?.[0] ?? ''}`;
  return asked === 'change' ? `${paid[0]?.[0] ?? ''}-${inBrackets(sum)}` : sum.text;
}

const changeRoles: ReadonlySet<Role> = new Set(['raise', 'lower', 'add', 'take-off']);

interface Sum {
  text: string;
  /** True if the text must be put in brackets before it is multiplied or subtracted. */
  hasTerms: boolean;
}

function applyChanges(amounts: readonly string[], changes: readonly Part[]): Sum {
  let sum: Sum = { text: amounts.join('+'), hasTerms: amounts.length > 1 };
  for (const { role, numbers } of changes) {
    const given = numbers[0] ?? '';
    if (role === 'add') sum = { text: `${sum.text}+${given}`, hasTerms: true };
    else if (role === 'take-off') sum = { text: `${sum.text}-${given}`, hasTerms: true };
    else {
      const share = role === 'raise' ? `100+${given}` : `100-${given}`;
      sum = { text: `${inBrackets(sum)}*(${share})/100`, hasTerms: false };
    }
  }
  return sum;
}

const inBrackets = ({ text, hasTerms }: Sum) => (hasTerms ? `(${text})` : text);

const n = String.raw`(\d+(?:\.\d+)?)`;

/** Builds a pattern for whole words. Replaces `N` with a pattern for a number. */
function inEnglish(source: string): RegExp {
  return new RegExp(String.raw`\b${source.replaceAll('N', n)}(?![\w.%])`, 'g');
}

const people =
  '(?:people|persons?|friends?|of us|colleagues|coworkers|co-workers|roommates|flatmates|housemates|siblings|brothers|sisters|students|kids|children|adults|guests|couples)';
const things = "(?:[a-z][a-z'-]* ){1,3}";
const isPrice = '(?:costs?|cost|is|are|was|were|costing)';
const apiece = '(?:each|apiece|a piece|per [a-z]+)';
const tax = '(?:sales )?(?:tip|gratuity|tax|vat|service charge|service|surcharge)';
const cut = '(?:discount|reduction|rebate)';
const fee = '(?:shipping|delivery|postage|handling|booking)(?: fees?| costs?| charges?)?';
const note = '(?: note| bill)?';

const english: Wordings = {
  rules: [
    ['item', inEnglish(`N ${things}(?:(?:that |which )?${isPrice} |at |for |priced at )N ${apiece}`)],
    ['item', inEnglish(`N ${things}at (?:a price of )?N`)],
    [
      'share',
      inEnglish(`N ${people} (?:want to |have to |need to |are |will )?(?:shar\\w+|split\\w*|divid\\w+)`),
    ],
    ['share', inEnglish(`(?:between|among|amongst) (?:the )?N(?: ${people})?`)],
    [
      'share',
      inEnglish(
        `(?:split|divided?|shared?)(?: it| this| that| the [a-z]+)?(?: evenly| equally)?(?: by| into| in)? N(?: ways| ${people})`,
      ),
    ],
    ['people', inEnglish(`(?:there (?:are|were)|we (?:are|were)|for) N ${people}`)],
    ['raise', inEnglish(`N% ${tax}`)],
    ['raise', inEnglish(`${tax}(?: is| of| at)? N%`)],
    ['lower', inEnglish(`N% (?:off|cheaper|${cut})`)],
    ['lower', inEnglish(`${cut}(?: is| of)? N%`)],
    ['lower', inEnglish('(?:reduced|discounted) by N%')],
    ['add', inEnglish(`N (?:for |in |of )?${fee}`)],
    ['add', inEnglish(`${fee}(?: is| are| of| for| costs?)? N`)],
    ['take-off', inEnglish('(?:voucher|coupon|gift card|discount)(?: of| for| worth)? N')],
    ['take-off', inEnglish('N (?:off|voucher|coupon|discount)')],
    [
      'paid',
      inEnglish(
        `(?:pay|paid|paying|give|gave|hand|handed)(?: over| them| her| him| the [a-z]+)?(?: with)?(?: a| an)? N${note}`,
      ),
    ],
    ['paid', inEnglish(`(?:change|back) (?:from|for|out of)(?: a| an| my)? N${note}`)],
    ['unit-price', inEnglish(`${things}${isPrice} N ${apiece}`)],
    ['price', inEnglish(`(?:an?|one|1|each|the|this) ${things}${isPrice} N`)],
    ['amount', inEnglish(`[a-z]+ (?:${isPrice}|of|for|comes to|came to|totals|costs? (?:me|us)) N`)],
    ['amount', inEnglish('(?:a |an |the )?N (?:bill|check|tab|meal|dinner|lunch|taxi|cab|order)')],
    ['amount', inEnglish('(?:split|share|divide|spent|spend) N')],
    [
      'count',
      inEnglish(
        `(?:how much (?:is|are|do|does|would|for)|cost of|price of|buy|bought|get|take|want|need|for) (?:it cost for )?N(?: of (?:them|those))?`,
      ),
    ],
  ],
  asks: [
    ['change', /\bchange\b|\bget back\b/],
    [
      'share',
      /\b(?:each|everyone|everybody|apiece|per (?:person|head)|one (?:person )?pays?|(?:my|our) share)\b|\bsplit\b/,
    ],
    ['total', /\b(?:how much|what|whats|total|price|altogether|cost|calculate|work out)\b/],
  ],
  obstacles:
    /\b(?:twice|double|triple|half|halve|more|less|fewer|than|except|only|but|remaining|rest|left|already|without|before|unless|until|every|per|another|others?|years?|months?|weeks?|days?|hours?|minutes?|miles?|km|kg|average|percent|age|older|younger|speed|not|also|remember|write|explain|translate|includ\w+|inclusive|original\w*|saved?|saving|savings)\b|[%+*/=]/,
  asksForChange:
    /\b(?:how much|what(?: is|s|'s|’s)?)(?: (?:is|are|was|would|do i|do we|should i|should we|be|the|an?|my|our|\d+(?:\.\d+)?%|sales|leave|as))* (?:tip|gratuity|tax|vat|discount|service|surcharge|shipping|delivery)\b|\bwith (?:my )?\d+ (?:\w+ )?(?:friends?|people|colleagues|others)\b|\b(?:me|i|myself) and \d|\d \w+ and (?:i|me)\b/,
};

const measure = '[个件支枝本张杯份只瓶斤条双盒块碗袋包台把部公]';

function inChinese(source: string): RegExp {
  return new RegExp(source.replaceAll('N', n), 'gu');
}

const chinese: Wordings = {
  rules: [
    ['item', inChinese(`N${measure}\\p{Script=Han}{0,6}?[,，]?(?:每${measure}|单价(?:是|为)?)N元`)],
    ['unit-price', inChinese(`(?:每|1)${measure}\\p{Script=Han}{0,6}?N元(?=.*N${measure})`)],
    ['unit-price', inChinese(`N元(?:1|每)${measure}`)],
    ['share', inChinese('N(?:个?人|位朋友|个朋友|位|家)(?:一起)?(?:平分|平摊|分摊|均分|AA制?)')],
    ['share', inChinese('(?:平均)?分给N[个位]?(?:人|朋友|孩子|同事|家)?')],
    ['people', inChinese('N(?:个?人|[个位](?:朋友|同事))')],
    ['raise', inChinese('N%的?(?:小费|税|服务费|增值税)')],
    ['raise', inChinese('(?:小费|税|税率|服务费|增值税)(?:是|为)?N%')],
    ['lower', inChinese('(?:优惠|便宜|降价?|减)了?N%')],
    ['add', inChinese('(?:运费|邮费|快递费|配送费)(?:是|要|为)?N元')],
    ['add', inChinese('N元的?(?:运费|邮费|快递费|配送费)')],
    ['take-off', inChinese('(?:优惠券|代金券|立减|减)(?:是|为)?N元')],
    ['take-off', inChinese('N元的?(?:优惠券|代金券)')],
    ['paid', inChinese('(?:付|给|交|用)了?(?:1张)?N元(?:钱|纸币)?')],
    ['price', inChinese(`1${measure}\\p{Script=Han}{0,6}?N元`)],
    ['amount', inChinese('N元')],
    ['count', inChinese(`(?:买了?|要)N${measure}`)],
  ],
  asks: [
    ['change', /找(?:回|我|零|多少|给)|该找/u],
    ['share', /每(?:个?人|位|家)|人均|各(?:付|出|给)/u],
    ['total', /多少|几元|总价/u],
  ],
  obstacles:
    /倍|一半|多[了出]|少[了出]|除了|剩|小时|分钟|公里|岁|年|月|天|先|再|记|写|翻译|解释|只有|但|省|原来|含|[%+*/=]/u,
  asksForChange:
    /(?:小费|税|服务费|运费|折扣|优惠)(?:是|要|付|给|有|为)*多少|(?:便宜|优惠|减)了?多少|原价(?:是|为)?多少|(?:和|跟|与|同)(?:我的?)?\d+(?:个|位)|(?:和|跟|与)我/u,
};

/** Writes all numbers in digits with a decimal point, without signs and names of currencies. */
function normaliseEnglish(written: string): string {
  return toDigits(written.normalize('NFKC').toLowerCase())
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/(\d),(?=\d{1,2}(?!\d))/g, '$1.')
    .replace(/[$€£¥]\s?(?=\d)|(?<=\d)\s?[$€£¥]/g, '')
    .replace(/(?<=\d)\s?(?:dollars?|euros?|pounds?|bucks|quid|usd|eur|gbp|yuan|rmb)\b/g, '')
    .replace(/(?<=\d)\s?(?:%|per ?cent\b)/g, '%')
    .replace(/[?!;:,]|\.(?!\d)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Number words before what they count. */
const chineseCountPattern =
  /[零〇一二两三四五六七八九十百千万]+(?:点[零〇一二三四五六七八九]+)?(?=\s*(?:[个件支枝本张杯份只瓶斤条双盒块碗袋包台把部公位人元折家]))/gu;

function normaliseChinese(written: string): string {
  return written
    .normalize('NFKC')
    .replace(/\s+/g, '')
    .replace(
      /百分之([零〇一二两三四五六七八九十百\d.]+)/gu,
      (_, share: string) => `${chineseNumberToDigits(share)}%`,
    )
    .replace(
      /打?([一二三四五六七八九]{1,2}|\d(?:\.\d)?|\d\d)折/gu,
      (_, rate: string) => `减${discountOf(rate)}%`,
    )
    .replace(chineseCountPattern, (words) => chineseNumberToDigits(words))
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/[¥￥](\d+(?:\.\d+)?)(?![\d元])/gu, '$1元')
    .replace(/块钱|块(?!\p{Script=Han})|人民币|美元|欧元/gu, '元');
}

/** `八折` and `8折` take 20 % off, `八五折`, `85折` and `8.5折` 15 %. */
function discountOf(written: string): string {
  const rate = Number(
    Array.from(written, (one) => (/[\d.]/.test(one) ? one : chineseNumberToDigits(one))).join(''),
  );
  return String(Math.round(1000 - (rate < 10 ? rate * 100 : rate * 10)) / 10);
}

/** Reads requests for a conversion of units without a model: `How tall is 180 cm in feet?`, `华氏98.6度是摄氏多少度？`. */
import { chineseNumberToDigits, toDigits } from './number-words';
import { type Conversion, findTargets, findUnit, readQuantities } from './units';

const maxRequestCharacters = 120;

/**
 * Returns the conversion in the calculator's notation, such as `180 cm in feet`. Undefined unless the text asks for a conversion and nothing
 * else, between units of one kind: `I ran 5 miles in 40 minutes` is none.
 */
export function readRequestedConversion(written: string): string | undefined {
  if (written.length > maxRequestCharacters) return undefined;
  const text = normaliseRequest(written);
  return /\p{Script=Han}/u.test(text) ? readChinese(text) : readEnglish(text);
}

/** Continues a conversion: `in feet` or `12 miles` after `26.2 miles in km`. Undefined for other texts. */
export function continueConversion(
  said: string,
  { from, to }: Pick<Conversion, 'from' | 'to'>,
): string | undefined {
  const joint = /\p{Script=Han}/u.test(from + to + said) ? '换成' : 'in';
  const target =
    /^(?:(?:and )?(?:in(?:to)?|to) |(?:是|换算?成|转成|用)?(?:多少|几)?个?)(.+)$/u.exec(said)?.[1] ?? '';
  const quantity = said.replace(/^(?:(?:what|how) about|and|if it (?:is|was|were)|换成|改成|如果是) ?/, '');
  return toExpression(from, target, joint) ?? toExpression(quantity, to, joint);
}

function normaliseRequest(written: string): string {
  return written
    .replace(/(?<=\d)\s*½/g, '.5')
    .replace(/½/g, '0.5')
    .replace(/(?<=\d)\s*¼/g, '.25')
    .replace(/¼/g, '0.25')
    .normalize('NFKC')
    .replace(/[’‘`]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[−–](?=\d)/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/[\s?.。!,]+$/, '')
    .trim();
}

const politePattern =
  /^(?:(?:please|hey|hi|hello|ok|okay|so|and|now|then|well|um|also|quickly?|quick question|hearth|ember|(?:can|could|would|will) you(?: please)?|(?:tell|give|show) me|do you know|i(?: want|'d like| need) to know|(?:can|could|may) i (?:know|ask))[\s,:!]+)+/;
const closingPattern =
  /[\s,]+(?:please|pls|thanks|thank you|for me|exactly|roughly|approximately|about|in total|instead)$/;
const openingPattern =
  /^(?:(?:convert|change|turn|switch|transform|translate|express|write|calculate|compute|work out|figure out|(?:what|how (?:much|many|far|long|tall|high|big|large|heavy|hot|cold|warm|fast|quick|wide|deep|thick|old))(?:'s|s| is| are| was| does| do| would| will)?|is|the (?:equivalent|value|size|result)(?: of| to)?|exactly|about|around|roughly|approximately) )+/;
const verbPattern =
  /\s+(?:be|weigh|measure|come to|equal(?: to)?|make|convert(?:ed)?|expressed|written|is|are|long|tall|high)$/;

const englishPatterns = [
  /^how (?:many|much) (?<to>.+?)(?: (?:tall|long|high|wide|deep|far))? (?:(?:there )?(?:are|is|do|does|would|will|can|go|fit)(?: there| be| you get)?(?: in(?:to)?)?|in(?:to)?|per|to|make|makes|make up|equals?|=) (?<from>.+)$/,
  /^(?<from>.+) (?:in|to|into|as|=>|->|→|>) (?<to>.+)$/,
  /^(?<from>.+?) (?:is|are|equals?|=|makes?|in|to|would be|is equal to|gives?) (?:equal to )?(?:how (?:many|much)|what(?: in)?) (?<to>.+)$/,
  /^(?<from>.+?) ?(?:=|->|=>|→) ?\??(?<to>[^\d].*)$/,
];

function readEnglish(text: string): string | undefined {
  const whole = text.toLowerCase().replace(politePattern, '');
  // Keep the case of the units, because MB and Mb differ.
  const asked = text
    .slice(text.length - whole.length)
    .replace(closingPattern, '')
    .replace(closingPattern, '');
  for (const pattern of englishPatterns) {
    const found = new RegExp(pattern, 'i').exec(asked)?.groups;
    if (!found) continue;
    const { from = '', to = '' } = found;
    const bare = from.replace(new RegExp(openingPattern, 'i'), '').replace(verbPattern, '');
    const read = toExpression(writeFeet(toDigits(bare)), to.replace(/^the /i, ''), 'in');
    if (read !== undefined) return read;
  }
  return readMentionedDegrees(asked);
}

/** `350 fahrenheit but my oven only has celsius, what's that`: one temperature, and later one other unit. Other units are words with more meanings. */
function readMentionedDegrees(text: string): string | undefined {
  if (!/\b(?:what|whats|how)\b|\?/i.test(text)) return undefined;
  const numbers = text.match(/\d+(?:\.\d+)?/g) ?? [];
  const [, number, name = '', rest = ''] =
    /(?<![\p{L}\d.])(-?\d+(?:\.\d+)?) ?(?:degrees? )?(\p{L}{3,})\b(.*)$/iu.exec(text) ?? [];
  const from = findUnit(name);
  if (number === undefined || numbers.length !== 1 || from?.kind !== 'temperature') return undefined;
  const others = (rest.match(/\p{L}{3,}/gu) ?? []).filter((word) => {
    const unit = findUnit(word);
    return unit !== undefined && unit.kind === from.kind && unit.label !== from.label;
  });
  const [to] = others;
  return to === undefined || others.length > 1 ? undefined : toExpression(`${number} ${name}`, to, 'in');
}

/** `5'10"` and `6 foot 2` are heights in feet and inches. */
function writeFeet(text: string): string {
  return text.replace(
    /^(\d+) ?(?:'|ft|feet|foot)[ -]?(\d+(?:\.\d+)?) ?(?:''|"|in|inch(?:es)?)?$/i,
    '$1 ft $2 in',
  );
}

const chineseOpeningPattern =
  /^(?:请问|请你?|帮我|帮忙|麻烦你?|你?(?:能|可以)?告诉我|我想知道|那么?|再|算一?下|换算一?下|计算一?下?|算算|查一?下|问一?下|你好|你知道|[把将]|[,、:!])*/u;
const chineseClosingPattern = /(?:谢谢你?|好吗|可以吗|呢|啊|呀|吗|吧|[,、!?。])+$/u;
const chineseNumber = '(?:零下|负|-)?(?:[\\d.]+|[零〇一二两三四五六七八九十百千点]+)';

const chinesePatterns = [
  /^(?<from>.+?)(?:换算|转换|换|转|变|改|化|折合|折)(?:成|为)?(?:多少|几|是)?个?(?<to>.+?)(?:是|等于|有|为)?(?:多少|几)?$/u,
  /^(?<from>.+?)(?:大?约)?(?:是|等于|有|为|合|相当于|折合|就是|=|里面?有|能装|可以装|到|->|=>|→)(?:大?约)?(?:多少|几|\?)?个?(?<to>.+)$/u,
  /^(?:多少|几)个?(?<to>.+?)(?:是|等于|相当于|合|=)(?<from>.+)$/u,
  /^(?<from>.+?)[用以按](?<to>.+?)(?:来?表示|计算?|来?说|怎么说|来?算|为单位)?(?:是|等于|有)?(?:多少|几)?$/u,
  /^(?<from>.+?)(?:多少|几)个?(?<to>.+)$/u,
];

function readChinese(text: string): string | undefined {
  const asked = text
    .replace(/\s+/g, '')
    .replace(chineseClosingPattern, '')
    .replace(chineseOpeningPattern, '')
    .replace(new RegExp(`(华氏|摄氏)(?:温度)?(${chineseNumber})度?`, 'gu'), '$2$1度')
    .replace(/(华氏|摄氏)(?:温度)?(多少|几)度/gu, '$2$1度')
    .replace(new RegExp(`每(小时|秒)(多少|几|${chineseNumber})(公里|千米|英里|米|英尺)`, 'gu'), '$2$3每$1')
    .replace(new RegExp(`(?:零下|负)(?=${chineseNumber})`, 'gu'), '-');
  for (const pattern of chinesePatterns) {
    const { from, to } = pattern.exec(asked)?.groups ?? {};
    const read = from !== undefined && to !== undefined ? toExpression(from, to, '换成') : undefined;
    if (read !== undefined) return read;
  }
  return undefined;
}

function toExpression(from: string, written: string, joint: string): string | undefined {
  const to = written.trim().replace(/^(?:摄氏|华氏)$/u, '$&度');
  const [target] = findTargets(to) ?? [];
  if (!target) return undefined;
  const degrees = target.kind === 'temperature' ? readBareDegrees(from) : undefined;
  const other = scales[joint === 'in' ? 'en' : 'zh'][target.label === '°C' ? 1 : 0];
  const quantities = readQuantities(degrees === undefined ? from : `${degrees} ${other}`) ?? [];
  // Beside a volume, an ounce is a fluid ounce.
  const isVolume = [target, ...quantities.map(({ unit }) => unit)].some(({ kind }) => kind === 'volume');
  const named = (name: string) => (isVolume && /^(?:oz|ounces?)$/i.test(name) ? 'fl oz' : name);
  const { kind } = findUnit(named(to)) ?? target;
  const parts = quantities.map(({ value, name }) => {
    const number = readNumber(value.trim());
    if (number === undefined || findUnit(named(name))?.kind !== kind) return undefined;
    return `${number} ${nameClearly(named(name), number)}`;
  });
  const isRead = parts.length > 0 && parts.every((part) => part !== undefined);
  return isRead ? `${parts.join(' ')} ${joint} ${named(to).replace(/几|多少/, '和')}` : undefined;
}

const scales = { en: ['°C', '°F'], zh: ['摄氏度', '华氏度'] } as const;

/** The number of `72 degrees` and `72度`, which name no scale. */
function readBareDegrees(text: string): string | undefined {
  return /^(-?\d+(?:\.\d+)?) ?(?:°|degrees?|度)$/i.exec(text)?.[1];
}

const plainNumberPattern =
  /^[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?(?:\/[1-9]\d*)?[万亿]?$/i;

/** The number of units, in the calculator's notation. Undefined for anything that is more than a number. */
function readNumber(value: string): string | undefined {
  const text = value.replace(/^minus /i, '-').replace(/个$/, '');
  if (/^an?$/i.test(text)) return '1';
  if (/^(?:half(?: an?| of an?)?|an? half|半)$/i.test(text)) return '0.5';
  if (plainNumberPattern.test(text)) return text;
  const [, sign = '', words = ''] =
    /^(-?)([零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?)$/u.exec(text) ?? [];
  return words === '' ? undefined : sign + chineseNumberToDigits(words);
}

/** Countries have different gallons, cups and tons. We say which one the calculator takes. */
const clearNames: readonly (readonly [RegExp, string])[] = [
  [/^(gal|gallons?|cups?|pints?|quarts?|fl oz|fluid ounces?)$/i, 'US $1'],
  [/^ton(s?)$/i, 'tonne$1'],
  [/^(加仑|夸脱|品脱|杯|液盎司)$/u, '美制$1'],
];

function nameClearly(name: string, number: string): string {
  const [pattern, clear] = clearNames.find(([form]) => form.test(name)) ?? [];
  const named = pattern && clear !== undefined ? name.replace(pattern, clear) : name;
  return number === '1' && clear !== undefined ? named.replace(/s$/, '') : named;
}

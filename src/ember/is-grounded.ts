/**
 * Whether a call of a very small model rests on what the person wrote. It likes to call something and makes up what is missing: `10 miles
 * to km` became 10*1000, `is 17 prime?` 17^2, and `what is love` a look at the clock.
 */
import type { Message, ToolCall } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import { withoutForms, withoutNames } from '../text/counting-numbers';
import { partsOfNumberWords } from '../text/number-words';
import { isPasted } from './is-pasted';

/** False where the call had better not be made. */
export function isGrounded(call: ToolCall, history: readonly Message[]): boolean {
  const asked = newestQuestion(history);
  switch (call.name) {
    case 'calculator':
      return isSumOf(String(call.arguments['expression']), asked, history);
    case 'clock':
      return (
        asksTheTime.test(asked) ||
        (aboutTime.test(asked) && !aboutSpan.test(asked) && !isPasted(asked)) ||
        goesOnFromClock(history)
      );
    case 'fetch_page':
      // An address has a host.
      return (
        /[\p{L}\p{N}][.:][\p{L}\p{N}]|localhost/u.test(String(call.arguments['url'])) && !isPasted(asked)
      );
    case 'web_search':
      // Of a text that was pasted, any piece would be sent.
      return !isPasted(asked);
    default:
      return copiesNothingTwice(call.arguments, asked);
  }
}

/** Each number of the expression stands in the message, as often as it is used, or in an earlier one, or a word stands for it. */
function isSumOf(expression: string, asked: string, history: readonly Message[]): boolean {
  const names = expression.toLowerCase().match(/[a-z]+/g) ?? [];
  if (names.some((name) => !calculatorNames.has(name))) return false;
  const used = numbersIn(expression);
  if (!measures.test(asked) && usesForm(used, asked)) return false;
  const typed = numbersIn(asked);
  const parts = partsOfNumberWords(asked);
  const isPart = used.some((number) => parts.has(number) && !typed.includes(number));
  if ((numberWords.test(asked) && !isPart) || isShortened.test(asked)) return true;
  // Numbers of earlier messages alone: only where this one goes on from them.
  if (typed.length === 0 && !worded.some(([words]) => words.test(asked)) && !goesBack.test(asked))
    return false;
  const earlier = new Set(history.slice(0, -1).flatMap((message) => numbersIn(textIn(message))));
  const isShare = share.test(asked);
  const free = [...typed];
  return used.every((number) => {
    const at = free.indexOf(number);
    if (at !== -1) free.splice(at, 1);
    const isWorded = worded.some(([words, numbers]) => numbers.includes(number) && words.test(asked));
    // How much 250 has grown to 320: the first is used twice.
    const isReused = isShare && typed.includes(number);
    const isCount = average.test(asked) && Number(number) === typed.length;
    return at !== -1 || isWorded || isReused || isCount || earlier.has(number);
  });
}

/** `We won 3-1`, `chapter 3, verse 16`: such a number is no operand, where it does not stand elsewhere, too. */
function usesForm(used: readonly string[], asked: string): boolean {
  const counting = numbersIn(withoutNames(withoutForms(asked)));
  const written = numbersIn(asked);
  return used.some((number) => written.includes(number) && !counting.includes(number));
}

/** Of `10 x 15 m`. */
const measures = /\b(?:area|square|volume|perimeter)\b|面积|平方|体积|周长/i;

/** A text that is used twice and was written once stands for something that was not understood: `from: km, to: km`. */
function copiesNothingTwice(given: ToolCall['arguments'], asked: string): boolean {
  const texts = Object.values(given).filter((value) => typeof value === 'string' && value !== '');
  const written = asked.toLowerCase();
  return texts.every((text, index) => {
    const isAgain = texts.indexOf(text) !== index;
    return !isAgain || written.split(String(text).toLowerCase()).length > 2;
  });
}

/** After a look at the clock a few words name another place: `and in Paris?` */
function goesOnFromClock(history: readonly Message[]): boolean {
  const asked = newestQuestion(history);
  const earlier = history.slice(0, -1);
  const lastQuestion = earlier.findLastIndex(({ role }) => role === 'user');
  const wasClock = earlier
    .slice(Math.max(lastQuestion, 0))
    .some(
      (message) => message.role === 'tool' && message.results.some(({ toolName }) => toolName === 'clock'),
    );
  return wasClock && goesOn.test(asked);
}

function newestQuestion(history: readonly Message[]): string {
  const last = history.at(-1);
  return last?.role === 'user' ? textOf(last.content) : '';
}

function textIn(message: Message): string {
  switch (message.role) {
    case 'system':
      return '';
    case 'tool':
      return message.results.map(({ content }) => textOf(content)).join('\n');
    case 'user':
    case 'assistant':
      return textOf(message.content);
  }
}

/** As the calculator counts them: without separators, and `0.50` is `0.5`. */
function numbersIn(text: string): string[] {
  const found = text.normalize('NFKC').match(/\d[\d,]*(?:\.\d+)?|\.\d+/g) ?? [];
  return found.map((written) => String(Number(written.replaceAll(',', ''))));
}

const calculatorNames = new Set(
  'abs sqrt cbrt root pow round floor ceil min max sum avg mod gcd lcm factorial comb perm exp ln log sin cos tan asin acos atan pi e tau of x times plus minus'.split(
    ' ',
  ),
);

/** Numbers that are written out; what they come to is the model's to say. */
const numberWords =
  /\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|dozen|one (?:plus|minus|times|hundred|thousand|third))\b|[一二两三四五六七八九十百千万亿零半几打]/i;
/** `9折` is 90 %, `三分之一` divides by 3. */
const isShortened = /折|分之/;
const share = /%|percent|per cent|百分|增长|涨|growth|grew|rise|rose|increase|decrease|drop/i;
const average = /average|mean\b|平均/i;
const worded: readonly (readonly [RegExp, readonly string[]])[] = [
  [/half|halve|doubl|twice|squar|root|平方|倍|双|²|radius|both|couple|pair/i, ['2', '0.5']],
  [/third|tripl|thrice|cub|立方|³/i, ['3']],
  [/quarter|fourth/i, ['4', '0.25']],
  [/%|percent|per cent|百分/i, ['100', '1']],
  [/hour|minute|second|小时|分钟|钟头|秒/i, ['60', '24', '3600']],
  [/\bday|\bdaily|天/i, ['24', '7', '30', '365']],
  [/week|周|星期|礼拜/i, ['7', '52']],
  [/month|year|annual|月|年/i, ['12', '52', '30', '365']],
  [/dozen|打/i, ['12']],
];

const goesBack =
  /\b(?:that|this|it|its|them|those|these|both|all|again|altogether|total|sum|result|answer|number|instead|more|less|rest|left|remain\w*|difference|together|each|every|per)\b|average|mean\b|[它这那]|结果|答案|一共|总共|合计|平均|剩|还|再|相差|各|每/i;

/** What the clock can tell, or tells by: whether somebody is asleep, whether the shops are open. */
const aboutTime =
  /\b(?:times?|clocks?|dates?|days?|hours?|minutes?|late|early|o'?clock|noon|midnight|today|tonight|tomorrow|yesterday|years?|months?|weeks?|weekdays?|weekends?|calendar|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|evening|afternoon|night|asleep|awake|sleep(?:ing)?|up yet|sun|dark|light|daytime|open|closed|lunch|dinner|breakfast|office|now|yet|already|still|[ap]m|timezone|zone|utc|gmt)\b|\d{1,2}:\d\d|时|点|钟|几号|日期|星期|礼拜|周几|今天|今日|今儿|明天|昨天|后天|前天|现在|这会儿|年|几月|白天|晚上|早上|天亮|天黑|上班|下班|起床|睡|开门|关门/i;
const asksTheTime = /\bwhat(?:'s| is)? the time\b|\bwhat time\b|几点/i;
/** How long something lasts is no look at the clock. */
const aboutSpan =
  /\bhow (?:many|much|long)\b|\b(?:until|till|since|ago)\b|\bdays? (?:in|to|before|left)\b|多少(?:天|秒|分|小时|周|个月)|几(?:天|秒|个小时|个月|周)|多久|还有|距离/i;
const goesOn =
  /^\W*(?:and|or|what about|how about|then|also|what is it|in|at|那|那么|还有)?\W*(?:\S+\W+){0,3}\S+\W*$|呢/i;

/**
 * Checks whether a call of the small model is supported by the user's words. The model likes to call tools and invents what is missing: `10 miles
 * to km` became 10*1000, `is 17 prime?` 17^2, and `what is love` a call of the clock.
 */
import type { Message, ToolCall } from '../contracts/message';
import type { ReplyRequest } from '../contracts/model';
import { textOf } from '../contracts/message-parts';
import type { ToolSpec } from '../contracts/tool';
import { readOnlySum } from '../text/arithmetic';
import { withoutForms, withoutNames } from '../text/counting-numbers';
import { partsOfNumberWords } from '../text/number-words';
import { patternOf, wording } from './phrases';
import { isPasted } from './read-intent';

export function isGrounded(call: ToolCall, history: readonly Message[]): boolean {
  const asked = newestQuestion(history);
  switch (call.name) {
    case 'calculator':
      return isSumOf(String(call.arguments['expression']), asked, history);
    case 'clock':
      return (
        wording('grounds.asks-time').test(asked) ||
        (wording('grounds.about-time').test(asked) &&
          !wording('grounds.about-span').test(asked) &&
          !isPasted(asked)) ||
        goesOnFromClock(history)
      );
    case 'fetch_page':
      // An address has a host.
      return (
        /[\p{L}\p{N}][.:][\p{L}\p{N}]|localhost/u.test(String(call.arguments['url'])) && !isPasted(asked)
      );
    case 'web_search':
      // Searching would send a part of the pasted text.
      return !isPasted(asked);
    default:
      return copiesNothingTwice(call.arguments, asked);
  }
}

/** Returns the arguments of each tool that the newest request spells out. Undefined if the model writes every call itself. */
export function copiedCalls(
  history: readonly Message[],
  tools: readonly Pick<ToolSpec, 'name'>[],
): ReplyRequest['copied'] {
  const request = newestQuestion(history);
  if (!tools.some(({ name }) => name === 'calculator') || isPasted(request)) return undefined;
  const expression = readOnlySum(request);
  return expression === undefined ? undefined : { calculator: { expression } };
}

/** Whether every number of the expression is in the message as often as it is used, in an earlier message, or written as a word. */
function isSumOf(expression: string, asked: string, history: readonly Message[]): boolean {
  const names = expression.toLowerCase().match(/[a-z]+/g) ?? [];
  if (names.some((name) => !calculatorNames.has(name))) return false;
  const used = numbersIn(expression);
  if (!wording('grounds.measures').test(asked) && usesForm(used, asked)) return false;
  const typed = numbersIn(asked);
  const parts = partsOfNumberWords(asked);
  const isPart = used.some((number) => parts.has(number) && !typed.includes(number));
  const isInWords = wording('grounds.number-words').test(asked) && !isPart;
  if (isInWords || wording('grounds.shortened').test(asked)) return true;
  const standing: string[] = wordedNumbers
    .filter(([name]) => wording(name).test(asked))
    .flatMap(([, numbers]) => numbers);
  // Numbers of earlier messages alone are enough only if this message refers back to them.
  if (typed.length === 0 && standing.length === 0 && !wording('grounds.goes-back').test(asked)) return false;
  const earlier = new Set(history.slice(0, -1).flatMap((message) => numbersIn(textIn(message))));
  const isShare = wording('grounds.share').test(asked);
  const isAverage = wording('grounds.average').test(asked);
  const free = [...typed];
  return used.every((number) => {
    const at = free.indexOf(number);
    if (at !== -1) free.splice(at, 1);
    // A growth from 250 to 320 uses the first number twice.
    const isReused = isShare && typed.includes(number);
    const isCount = isAverage && Number(number) === typed.length;
    return at !== -1 || standing.includes(number) || isReused || isCount || earlier.has(number);
  });
}

const wordedNumbers = [
  ['number.half', ['2', '0.5']],
  ['number.third', ['3']],
  ['number.quarter', ['4', '0.25']],
  ['number.percent', ['100', '1']],
  ['number.hours', ['60', '24', '3600']],
  ['number.days', ['24', '7', '30', '365']],
  ['number.weeks', ['7', '52']],
  ['number.months', ['12', '52', '30', '365']],
  ['number.dozen', ['12']],
] as const satisfies readonly (readonly [string, readonly string[]])[];

const calculatorNames = new Set(
  'abs sqrt cbrt root pow round floor ceil min max sum avg mod gcd lcm factorial comb perm exp ln log sin cos tan asin acos atan pi e tau of x times plus minus'.split(
    ' ',
  ),
);

/** In `We won 3-1` and `chapter 3, verse 16` the numbers are not operands, unless they also occur elsewhere. */
function usesForm(used: readonly string[], asked: string): boolean {
  const counting = numbersIn(withoutNames(withoutForms(asked)));
  const written = numbersIn(asked);
  return used.some((number) => written.includes(number) && !counting.includes(number));
}

/** A text that occurs once in the request but twice in the call shows a misunderstanding: `from: km, to: km`. */
function copiesNothingTwice(given: ToolCall['arguments'], asked: string): boolean {
  const texts = Object.values(given).filter((value) => typeof value === 'string' && value !== '');
  const written = asked.toLowerCase();
  return texts.every((text, index) => {
    const isAgain = texts.indexOf(text) !== index;
    return !isAgain || written.split(String(text).toLowerCase()).length > 2;
  });
}

function goesOnFromClock(history: readonly Message[]): boolean {
  const asked = newestQuestion(history);
  const earlier = history.slice(0, -1);
  const lastQuestion = earlier.findLastIndex(({ role }) => role === 'user');
  const wasClock = earlier
    .slice(Math.max(lastQuestion, 0))
    .some(
      (message) => message.role === 'tool' && message.results.some(({ toolName }) => toolName === 'clock'),
    );
  const fewWords = patternOf(String.raw`^\W*{going-on}?\W*(?:\S+\W+){0,3}\S+\W*$`, 'i');
  return wasClock && (fewWords.test(asked) || wording('grounds.goes-on').test(asked));
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

/** Normalises numbers like the calculator: no separators, and `0.50` equals `0.5`. */
function numbersIn(text: string): string[] {
  const found = text.normalize('NFKC').match(/\d[\d,]*(?:\.\d+)?|\.\d+/g) ?? [];
  return found.map((written) => String(Number(written.replaceAll(',', ''))));
}

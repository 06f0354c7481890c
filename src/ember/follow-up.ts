/**
 * The sum that a message means which goes on from the last one: `divide that by 2`, `and 5000?` after `17.5% of 2340`, `再加7`.
 */
import type { Message } from '../contracts/message';
import { textOf } from '../contracts/text-of';

/** A longer message says something of its own. */
const longestFollowUp = 60;
/** A chain of them grows; longer sums than this are the model's. */
const longestExpression = 200;

/** As the calculator reads it; undefined where the last turn was no lone sum, or the message does not go on from it. */
export function readFollowUp(history: readonly Message[]): string | undefined {
  const last = history.at(-1);
  if (last?.role !== 'user') return undefined;
  const before = lastSum(history.slice(0, -1));
  const said = plain(textOf(last.content));
  if (before === undefined || said.length > longestFollowUp) return undefined;
  const next = goOn(said, before) ?? replaceNumber(said, before);
  return next !== undefined && next.length <= longestExpression ? next : undefined;
}

/** The expression of the turn before, where that was one sum that went well. */
function lastSum(history: readonly Message[]): string | undefined {
  const asked = history.findLastIndex(({ role }) => role === 'user');
  const turn = history.slice(Math.max(asked, 0));
  const calls = turn.flatMap((message) =>
    message.role === 'assistant' ? message.content.filter(({ type }) => type.endsWith('tool-call')) : [],
  );
  const results = turn.flatMap((message) => (message.role === 'tool' ? message.results : []));
  const [call] = calls;
  const isLone = calls.length === 1 && results.length === 1 && results[0]?.isError === false;
  if (!isLone || call?.type !== 'tool-call' || call.name !== 'calculator') return undefined;
  const expression = call.arguments['expression'];
  return typeof expression === 'string' ? expression : undefined;
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/^[\s,.]*(?:(?:and|now|then|ok|okay|so|please|next|also|那么?|然后|再|现在|接着|请)[\s,]*)+/, '')
    .replace(
      /(?:[\s,]*(?:please|now|then|thanks|too|呢|吧|呀|啊|是多少|等于多少|多少|谢谢))*[\s?.!。=]*$/,
      '',
    )
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .trim();
}

const number = String.raw`(\d+(?:\.\d+)?%?)`;
const it = '(?:that|it|this|the (?:result|answer|number|total|sum)|them|这个?|它|结果|答案|上面)';
const onward: readonly (readonly [RegExp, (sum: string, given: string) => string])[] = [
  [row(`(?:(?:times|multiplied by|multiply(?: ${it})? by|[*x×]|${it}? ?乘以?) ?${number})`), join('*')],
  [
    row(`(?:(?:divided by|divide(?: ${it})? by|over|split(?: ${it})? by|[/÷]|${it}? ?除以?) ?${number})`),
    join('/'),
  ],
  [row(`(?:(?:plus|add|[+]|${it}? ?加上?) ?${number}(?: to ${it}| more)?)`), join('+')],
  [
    row(
      `(?:(?:minus|subtract|take(?: away| off)?|less|[-−]|${it}? ?减去?) ?${number}(?: (?:from|off|away from) ${it}| away| off)?)`,
    ),
    join('-'),
  ],
  [row(`${number}% of ${it}`.replace('%?)', ')')), (sum, given) => `${given}% of ${sum}`],
  [row(`(?:half (?:of )?${it}|halve ${it}|halved?|一半|${it}?的?一半)`), (sum) => `${sum}/2`],
  [row(`(?:double(?: ${it})?|doubled|twice ${it}|times two|翻倍|${it}?的?两倍)`), (sum) => `${sum}*2`],
  [row(`(?:square(?: ${it})?|squared|${it}?的?平方)`), (sum) => `${sum}^2`],
  [row(`(?:cube(?: ${it})?|cubed|${it}?的?立方)`), (sum) => `${sum}^3`],
  [row(`(?:(?:the )?square root(?: of ${it})?|${it}?的?平方根)`), (sum) => `sqrt(${sum})`],
];

function row(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 'u');
}

function join(sign: string): (sum: string, given: string) => string {
  return (sum, given) => sum + sign + given;
}

/** One operation more, on what came out. */
function goOn(said: string, before: string): string | undefined {
  const sum = /^\d+(?:\.\d+)?$/.test(before) ? before : `(${before})`;
  for (const [pattern, write] of onward) {
    const match = pattern.exec(said);
    if (match) return write(sum, match[1] ?? '');
  }
  return undefined;
}

const otherNumber = row(
  `(?:what about|how about|with|for|of|if it (?:is|was|were)|and|换成|改成|如果是|要是|若是)? ?${number}`,
);

/** The same sum of another number: a share for the share, a plain one for the last that is none. */
function replaceNumber(said: string, before: string): string | undefined {
  const given = otherNumber.exec(said)?.[1];
  if (given === undefined) return undefined;
  const numbers = Array.from(before.matchAll(/(?<![\w.])(\d+(?:\.\d+)?)(%?)/g));
  const isShare = given.endsWith('%');
  const replaced = numbers.findLast(([, , mark]) => (mark === '%') === isShare);
  if (!replaced) return undefined;
  const end = replaced.index + replaced[0].length;
  return before.slice(0, replaced.index) + given + before.slice(end);
}

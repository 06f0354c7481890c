/**
 * PURE: the grammar for the prose of a very small model. It opens no tag and holds no Chinese where the model has read none. After the
 * result of a tool it holds only numbers that the model has read, and no debris: what it opens it closes, and it ends neither with a label nor
 * on the way to something, as with blanks without end.
 */
import type { PromptMessage } from '../contracts/model';
import { literal } from './schema-grammar';

/** More would make the grammar slow; a page of tables has them. */
const mostNumbers = 200;
/** Chinese, Japanese and their marks. */
const hanRanges = String.raw`\u2E80-\u9FFF\uF900-\uFAFF`;

export interface ProseGrammar {
  /** Matches the prose, by the rules it names. */
  prose: string;
  rules: ReadonlyMap<string, string>;
}

/** `messages` are those of the prompt. */
export function proseFor(messages: readonly PromptMessage[]): ProseGrammar {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const turn = messages.slice(Math.max(asked, 0)).filter(({ role }) => role !== 'system');
  const read = turn.map(({ content }) => content).join('\n');
  const isForeign = /[\u2E80-\u9FFF\uF900-\uFAFF]/.test(read);
  const never = isForeign ? '<' : `<${hanRanges}`;
  if (messages.at(-1)?.role !== 'tool') return { prose: `[^${never}] [^${never}]*`, rules: new Map() };
  return { prose: 'prose', rules: clean(never, new Set(read.match(/\d+/g) ?? [])) };
}

/** They hold something, or belong to a structure that is no prose: outside of pairs there are none. */
const marks = String.raw`{}()"“”「」『』《》（）【】|\\\x60\x5B\x5D`;
const pairs = ['()', '""', '“”', '「」', '『』', '《》', '（）', '【】', '``'].map((pair) => [
  pair.charAt(0),
  pair.charAt(1),
]);
const blanks = String.raw` \n\r\t\x0B\x0C\u00A0\u2000-\u200D\u3000`;
/** After these something is to come. */
const openEnds = String.raw`*:;,=/&+_#：；，、\x2D`;

function clean(never: string, numbers: ReadonlySet<string>): Map<string, string> {
  const isHeld = numbers.size > 0 && numbers.size <= mostNumbers;
  const digits = isHeld ? '0-9' : '';
  const rules = new Map([
    // No two numbers side by side: they would be another one.
    ['prose', 'gap? bare'],
    ['bare', isHeld ? 'number after? | last | part prose' : 'last | part prose'],
    ['gap', `[${blanks}]{1,2}`],
    ['part', `[^${digits}${never}${marks}${blanks}] | pair`],
    ['last', `[^${digits}${never}${marks}${blanks}${openEnds}] | pair`],
    ['pair', pairs.map(([open = '', close = '']) => `${literal(open)} inner ${literal(close)}`).join(' | ')],
    ['inner', isHeld ? 'number within? | within' : 'within'],
    ['within', isHeld ? 'letter inner?' : 'letter within?'],
    ['letter', String.raw`[^\n${digits}${never}${marks}]`],
  ]);
  if (!isHeld) return rules;
  rules.set('after', 'gap bare | last | part prose');
  rules.set('number', Array.from(numbers, literal).join(' | '));
  return rules;
}

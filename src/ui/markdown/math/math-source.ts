/** Where formulas stand in a text: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` as a line of their own. Prices are none. */

export interface MathToken {
  type: 'math';
  raw: string;
  /** TeX, without what marks it. */
  text: string;
  isDisplay: boolean;
}

const inLine = /^\$(?![\s$])((?:\\[^]|[^$\\]){1,1000})\$(?![\d$])/;
const alone = /^\$\$(?!\$)((?:\\[^]|[^$\\]){1,4000})\$\$(?!\$)/;
const inParentheses = /^\\\(((?:\\[^)]|[^\\]){1,1000})\\\)/;
const inBrackets = /^\\\[((?:\\[^\]]|[^\\]){1,4000})\\\]/;

/** The formula that `text` begins with. */
export function mathAt(text: string): MathToken | undefined {
  if (text.startsWith('$')) return dollars(text);
  if (text.startsWith('\\(')) return found(inParentheses.exec(text), false, isNotProse);
  if (text.startsWith('\\[')) return found(inBrackets.exec(text), true, isNoLabel);
  return undefined;
}

function dollars(text: string): MathToken | undefined {
  const display = found(alone.exec(text), true);
  if (display) return display;
  const token = found(inLine.exec(text), false, (tex) => !/\s$/.test(tex) && !isMoney(tex));
  if (!token) return undefined;
  // `$n$th` is one; `$HOME/bin:$PATH` and `${a}-${b}` are none.
  const rest = text.slice(token.raw.length, token.raw.length + 4);
  return /^(?:\w|\{)/.test(rest) && !/^(?:th|st|nd|rd|s)\b/.test(rest) ? undefined : token;
}

function found(
  match: RegExpExecArray | null,
  isDisplay: boolean,
  isMath: (tex: string) => boolean = () => true,
): MathToken | undefined {
  const [raw, tex = ''] = match ?? [];
  if (raw === undefined || tex.trim() === '' || !isMath(tex)) return undefined;
  return { type: 'math', raw, text: tex.trim(), isDisplay };
}

/** `$5 million to 6$`: an amount, and a word. */
function isMoney(tex: string): boolean {
  return /^[\d.,]+/.test(tex) && /(?:^|\s)\p{L}{2,}/u.test(tex.replace(/\\[a-z]+(?:\{[^}]*\})?/gi, ''));
}

/** `\(see below\)` is text in brackets that somebody did not want read as Markdown. */
function isNotProse(tex: string): boolean {
  return !/^\s*(?=.*\p{L}{2})\p{L}+(?:[\s,]+\p{L}+)+[.!?]?\s*$/u.test(tex);
}

/** `\[1\]` and `\[note\]` are so too. */
function isNoLabel(tex: string): boolean {
  return isNotProse(tex) && !/^\s*(?:\d+|\p{L}{2,})\s*$/u.test(tex);
}

/** Whether a `$` behind this character may begin one: `US$5` does not. */
export function mayBegin(before: string | undefined): boolean {
  return before === undefined || !/[\w$\\]/.test(before);
}

const opener = /^ {0,3}(\$\$|\\\[)/;
/** What no formula goes across. */
const barrier = /\n(?=[ \t]*\n| {0,3}(?:`{3}|~{3}|#{1,6} ))/;
const closed = /^ {0,3}(?:\$\$((?:\\[^]|[^$\\])+)\$\$|\\\[((?:\\[^\]]|[^\\])+)\\\])([.,;:]?)[ \t]*(?:\n|$)/;
/** Characters that a formula of lines of its own may have, and that are looked through for the next one. */
const longest = 8192;
const reach = 4096;

/**
 * A formula of lines of its own at the beginning of `source`. One that is not closed is text as far as it could reach: a line of it that
 * begins with `-` is no list, whether its end has come or not. Nothing where there is neither.
 */
export function mathBlockAt(source: string): MathToken | { type: 'open'; raw: string } | undefined {
  const mark = opener.exec(source)?.[1];
  if (mark === undefined) return undefined;
  const block = reachOf(source);
  const match = closed.exec(block);
  const tex = match?.[1] ?? match?.[2];
  if (match && tex !== undefined) {
    if (tex.trim() === '' || (mark === '\\[' && !isNoLabel(tex))) return undefined;
    return { type: 'math', raw: match[0], text: `${tex.trim()}${match[3] ?? ''}`, isDisplay: true };
  }
  // Closed, and text behind it on its line.
  const end = block.indexOf(mark === '$$' ? '$$' : '\\]', block.indexOf(mark) + 2);
  return end === -1 ? { type: 'open', raw: block } : undefined;
}

function reachOf(source: string): string {
  const near = source.slice(0, longest);
  const end = barrier.exec(near)?.index;
  if (end !== undefined) return near.slice(0, end + 1);
  return near.length === source.length ? near : near.slice(0, near.lastIndexOf('\n') + 1) || near;
}

/** Where a formula of lines of its own begins in the paragraph at the beginning of `source`: at the line end before it. */
export function nextMathBlock(source: string): number | undefined {
  const near = source.slice(0, reach);
  const end = /\n[ \t]*\n/.exec(near)?.index ?? near.length;
  for (const { index } of near.slice(0, end).matchAll(/\n {0,3}(?:\$\$|\\\[)/g)) {
    if (mathBlockAt(source.slice(index + 1))) return index;
  }
  return undefined;
}

/** Formulas made into letters of the same number, so that `*` and `_` in them are no emphasis. `masked` is `source` as far as it is masked. */
export function maskMath(source: string, masked: string): string {
  let result = '';
  let at = 0;
  for (let next = 0; next < source.length; next++) {
    const character = source[next];
    if (character === '`') {
      const run = /^`+/.exec(source.slice(next))?.[0] ?? '`';
      const end = source.indexOf(run, next + run.length);
      next = end === -1 ? next + run.length - 1 : end + run.length - 1;
      continue;
    }
    const isMark = character === '\\' || (character === '$' && mayBegin(source[next - 1]));
    const token = isMark ? mathAt(source.slice(next)) : undefined;
    if (token) {
      result += masked.slice(at, next) + 'a'.repeat(token.raw.length);
      at = next + token.raw.length;
      next = at - 1;
    } else if (character === '\\') next++;
  }
  return result + masked.slice(at);
}

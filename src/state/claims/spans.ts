/** PURE: one spelling for signs that are written in several ways, each for one, so that places in the text stay what they are. */

/** Full-width forms but the comma, which divides sentences in Chinese; special spaces; the minus of typesetting. */
const wide = /[！-＋－-～]/g;
const spaces = /[\u00a0\u2007\u2009\u202f\u3000]/g;

export function narrow(text: string): string {
  return text
    .replace(wide, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(spaces, ' ')
    .replace(/\u2212/g, '-')
    .replace(/[’‘]/g, "'");
}

/** A sticky pattern at a place of the text. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * All matches of a pattern; none where the text holds nothing of `cue`, which is a part of every match. A pattern is compiled when it
 * is first used: to as much as 250 kB, for each tab anew.
 */
export function matchesWith(cue: RegExp, pattern: RegExp, text: string): Iterable<RegExpExecArray> {
  return cue.test(text) ? text.matchAll(pattern) : [];
}

export interface Span {
  start: number;
  /** Without the sign there. */
  end: number;
}

/** Whether a place touches none of some spans, which are in order and apart. It is asked in the order of the text. */
export function createFree(taken: readonly Span[]): (start: number, end: number) => boolean {
  let next = 0;
  return (start, end) => {
    while ((taken[next]?.end ?? Infinity) <= start) next += 1;
    return (taken[next]?.start ?? Infinity) >= end;
  };
}

export function inOrder<Item extends Span>(spans: readonly Item[]): Item[] {
  return spans.toSorted((one, other) => one.start - other.start);
}

/** Those that overlap as one. */
export function apartOf(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of inOrder(spans)) {
    const last = apart.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else apart.push({ start: span.start, end: span.end });
  }
  return apart;
}

/** PURE: what of an answer says nothing by itself: code, addresses, the marks of lists and notes. */

/** Each is bounded, or ends with its line, or takes a sign away at every step. */
const patterns: readonly RegExp[] = [
  // Code, but for a value alone between its marks.
  /^ {0,3}(`{3,12}|~{3,12})[^\n]{0,200}\n[^]*?(?:\n {0,3}\1|$(?![^]))/gm,
  /`(?![\s$€£¥#]*[\d.,:/ -]{1,40}`)[^`\n]{1,400}`/g,
  // Formulas.
  /\$\$[^$]{1,2000}\$\$|\\\[[^\]]{1,400}\\\]|\\\([^)]{1,400}\\\)/g,
  // Addresses, with what leads to them, and names of files.
  /\bhttps?:\/\/[^\s<>"'，。）】]{1,2000}|\bwww\.[^\s<>"'，。）】]{1,500}|\S{1,40}@\S{1,60}/gi,
  /\]\([^)\n]{1,500}\)/g,
  // The numbers of a list, of headings, of its steps, of the first column of a table.
  /^[ \t>]{0,12}(?:#{1,6} {1,4})?(?:\*\*|__)?(?:\(?\d{1,3}[.)、](?!\d)|[(（]\d{1,3}[)）]|[①-⑳])/gm,
  /^\|? {0,3}\d{1,3} {0,3}(?=\|)/gm,
  /\b(?:step|tip|chapter|part|option|section|source|sources|results?|note|no\.|day|week|q|figure|table|item|example|answer)s? ?#?\d{1,3}(?:(?:, ?| and | ?[-–] ?)\d{1,3}){0,8}\b(?![.,]?\d|[%°:/])/gi,
  /第[\d一二三四五六七八九十百]{1,5}[^\d]/g,
  // Notes at the foot.
  /\[\^?\d{1,3}(?:[,-] ?\d{1,3}){0,8}\]|【\d{1,3}[^】\n]{0,20}】|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3}/g,
  // Offsets of time zones.
  /\b(?:UTC|GMT) ?[+-]\d{1,2}(?::\d{2})?/g,
];

/** In order, and apart. */
export function mutedParts(text: string): Span[] {
  const found = patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match): Span => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
  return apartOf(found);
}

/** Where sentences end; a point only before a blank. */
const sentenceEnd = /[!?。！？;；\n|]|\.(?=\s|$)/;
/** Characters to each side. */
const longestSide = 240;

/** The sentence that a span stands in. */
export function sentenceAt(text: string, { start, end }: Span): string {
  const before =
    text
      .slice(Math.max(0, start - longestSide), start)
      .split(new RegExp(sentenceEnd, 'g'))
      .at(-1) ?? '';
  const behind = text.slice(end, end + longestSide).split(sentenceEnd)[0] ?? '';
  return before + text.slice(start, end) + behind;
}

const clauseEnd = /[,，、:：()（）](?!\d)|\s(?:and|but|while|whereas|then|with)\s/;

/** The part of its sentence that a span stands in: what is said of another number is not said of it. */
export function clauseAt(text: string, span: Span): string {
  const sentence = sentenceAt(text, span);
  const at = sentence.indexOf(text.slice(span.start, span.end));
  const before = sentence.slice(0, at).split(new RegExp(clauseEnd, 'g')).at(-1) ?? '';
  return before + (sentence.slice(at).split(clauseEnd)[0] ?? '');
}

/** Full-width characters, except the full-width comma, which separates clauses in Chinese. */
const fullWidthPattern = /[！-＋－-～]/g;
const spacePattern = /[\u00a0\u2007\u2009\u202f\u3000]/g;

/** Replaces typographic variants with plain characters, one for one, so positions in the text stay the same. */
export function toPlainCharacters(text: string): string {
  return text
    .replace(fullWidthPattern, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(spacePattern, ' ')
    .replace(/\u2212/g, '-')
    .replace(/[’‘]/g, "'");
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Returns all matches of a pattern. First tests the small `cue`, because the browser compiles the pattern (up to 250 kB) on first use. */
export function matchAfterPretest(cue: RegExp, pattern: RegExp, text: string): Iterable<RegExpExecArray> {
  return cue.test(text) ? text.matchAll(pattern) : [];
}

export interface Span {
  start: number;
  end: number;
}

export function spanOf(match: RegExpExecArray): Span {
  return { start: match.index, end: match.index + match[0].length };
}

/** Returns a function that tells whether a span is outside `taken` (sorted and disjoint). Call that function in text order. */
export function createNoOverlapTest(taken: readonly Span[]): (start: number, end: number) => boolean {
  let next = 0;
  return (start, end) => {
    while ((taken[next]?.end ?? Infinity) <= start) next += 1;
    return (taken[next]?.start ?? Infinity) >= end;
  };
}

export function sortSpans<Item extends Span>(spans: readonly Item[]): Item[] {
  return spans.toSorted((one, other) => one.start - other.start);
}

export function mergeSpans(spans: readonly Span[]): Span[] {
  const apart: Span[] = [];
  for (const span of sortSpans(spans)) {
    const last = apart.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else apart.push({ start: span.start, end: span.end });
  }
  return apart;
}

/** Parts of an answer that make no claims, such as code and URLs. The patterns limit the length of a match, so that they stay fast. */
const uncheckedPatterns: readonly RegExp[] = [
  /^ {0,3}(`{3,12}|~{3,12})[^\n]{0,200}\n[^]*?(?:\n {0,3}\1|$(?![^]))/gm,
  /`(?![\s$€£¥#]*[\d.,:/ -]{1,40}`)[^`\n]{1,400}`/g,
  /\$\$[^$]{1,2000}\$\$|\\\[[^\]]{1,400}\\\]|\\\([^)]{1,400}\\\)/g,
  /\bhttps?:\/\/[^\s<>"'，。）】]{1,2000}|\bwww\.[^\s<>"'，。）】]{1,500}|\S{1,40}@\S{1,60}/gi,
  /\]\([^)\n]{1,500}\)/g,
  /^[ \t>]{0,12}(?:#{1,6} {1,4})?(?:\*\*|__)?(?:\(?\d{1,3}[.)、](?!\d)|[(（]\d{1,3}[)）]|[①-⑳])/gm,
  /^\|? {0,3}\d{1,3} {0,3}(?=\|)/gm,
  /\b(?:step|tip|chapter|part|option|section|source|sources|results?|note|no\.|day|week|q|figure|table|item|example|answer)s? ?#?\d{1,3}(?:(?:, ?| and | ?[-–] ?)\d{1,3}){0,8}\b(?![.,]?\d|[%°:/])/gi,
  /第[\d一二三四五六七八九十百]{1,5}[^\d]/g,
  /\[\^?\d{1,3}(?:[,-] ?\d{1,3}){0,8}\]|【\d{1,3}[^】\n]{0,20}】|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3}/g,
  /\b(?:UTC|GMT) ?[+-]\d{1,2}(?::\d{2})?/g,
];

/** Returns the spans of code, URLs, list numbers and the like, sorted and disjoint. */
export function findUncheckedSpans(text: string): Span[] {
  return mergeSpans(uncheckedPatterns.flatMap((pattern) => [...text.matchAll(pattern)].map(spanOf)));
}

/** A period ends a sentence only before a space or at the end of the text. */
const sentenceEndPattern = /[!?。！？;；\n|]|\.(?=\s|$)/;
const maxCharactersPerSide = 240;

export function sentenceAt(text: string, { start, end }: Span): string {
  const before =
    text
      .slice(Math.max(0, start - maxCharactersPerSide), start)
      .split(sentenceEndPattern)
      .at(-1) ?? '';
  const [behind = ''] = text.slice(end, end + maxCharactersPerSide).split(sentenceEndPattern);
  return before + text.slice(start, end) + behind;
}

const clauseEndPattern = /[,，、:：()（）](?!\d)|\s(?:and|but|while|whereas|then|with)\s/;

/** Returns the clause that contains a span. Other clauses are about other numbers. */
export function clauseAt(text: string, span: Span): string {
  const sentence = sentenceAt(text, span);
  const at = sentence.indexOf(text.slice(span.start, span.end));
  const before = sentence.slice(0, at).split(clauseEndPattern).at(-1) ?? '';
  return before + (sentence.slice(at).split(clauseEndPattern)[0] ?? '');
}

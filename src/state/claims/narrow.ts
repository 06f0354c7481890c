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

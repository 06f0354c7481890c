/** Makes every character visible in text that a model or a stranger wrote. */

/** Cuts a text to `max` characters plus an ellipsis, and makes every character visible. */
export function shorten(text: string, max: number): string {
  return escapeInvisible(text.length > max ? `${text.slice(0, max)}…` : text);
}

/** Replaces invisible characters with JSON escapes, for example a right-to-left override with `\u202e`. */
export function escapeInvisible(text: string): string {
  return text.replace(invisibleCharacters, escapeCodePoint).replace(excessCombiningMarks, escapeCodePoint);
}

/** Like `escapeInvisible`, but keeps line breaks. */
export function escapeInvisibleLines(text: string): string {
  return text.split('\n').map(escapeInvisible).join('\n');
}

/** Writes the arguments of a call as indented JSON with every character visible. */
export function writeArguments(input: Readonly<Record<string, unknown>>): string {
  return escapeInvisibleLines(JSON.stringify(input, undefined, 2));
}

/**
 * Splits a URL before the part that can carry data. That part begins at the `?` or `#`. If a model composed the URL, its
 * path can carry data too, so the part then begins after the host.
 */
export function splitAddress(url: string, isComposed: boolean): { place: string; tail: string } {
  const from = isComposed ? (/^[a-z]+:\/\//i.exec(url)?.[0].length ?? 0) : 0;
  const found = url.slice(from).search(isComposed ? /[/?#]/ : /[?#]/);
  const at = found < 0 ? url.length : from + found;
  return { place: url.slice(0, at), tail: url.slice(at) };
}

/** True if `shown` contains every argument, so the dialog need not list the arguments. */
export function areValuesShown(input: Readonly<Record<string, unknown>>, shown: readonly string[]): boolean {
  return Object.values(input).every(
    (value) =>
      typeof value === 'string' &&
      (shown.includes(value) || (URL.canParse(value) && shown.includes(new URL(value).href))),
  );
}

function escapeCodePoint(point: string): string {
  return point.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Hexadecimal code points of joiners, fillers, variation selectors and tags. No Unicode category covers them. */
const otherInvisibleRanges = '34f,115f-1160,17b4-17b5,180b-180f,2800,3164,fe00-fe0f,ffa0,e0000-e0fff'
  .replace(/\w+/g, (point) => `\\u{${point}}`)
  .replaceAll(',', '');
const invisibleCharacters = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}${otherInvisibleRanges}]`, 'gu');

/** The ninth and later combining marks on a letter. They cover other text, and thousands of them block rendering. */
const excessCombiningMarks = /(?<=\p{M}{8})\p{M}/gu;

/** Texts that a model wrote, so that a person sees every character of them. */

/** Beside controls, format marks and private letters: joiners, fillers, variation selectors and tags. */
const alsoUnseen = [
  '34f',
  '115f-1160',
  '17b4-17b5',
  '180b-180f',
  '2800',
  '3164',
  'fe00-fe0f',
  'ffa0',
  'e0000-e0fff',
];
const unseen = new RegExp(
  `[\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}${alsoUnseen
    .map((range) => range.replace(/\w+/g, (point) => `\\u{${point}}`))
    .join('')}]`,
  'gu',
);

/** More on one letter than any script has: they hide what stands around it, and thousands hold up whoever draws them. */
const heaped = /(?<=\p{M}{8})\p{M}/gu;

/** As JSON would write it: `\u202e` in the place of a mark that turns the text round. */
export function showUnseen(text: string): string {
  return text.replace(unseen, escapePoint).replace(heaped, escapePoint);
}

/** The same of a text that may have several lines. */
export function showLines(text: string): string {
  return text.split('\n').map(showUnseen).join('\n');
}

/** Exact, and still JSON. */
export function writeArguments(input: Readonly<Record<string, unknown>>): string {
  return showLines(JSON.stringify(input, undefined, 2));
}

/**
 * What only names the page, and what could carry something along: the query and the fragment. In an address that a
 * model wrote itself everything behind the host can: a path carries as much.
 */
export function splitAddress(url: string, isComposed: boolean): { place: string; tail: string } {
  const from = isComposed ? (/^[a-z]+:\/\//i.exec(url)?.[0].length ?? 0) : 0;
  const found = url.slice(from).search(isComposed ? /[/?#]/ : /[?#]/);
  const at = found < 0 ? url.length : from + found;
  return { place: url.slice(0, at), tail: url.slice(at) };
}

/** Whether arguments hold nothing that is not shown already: the address, or the words of a search. */
export function isRepeated(input: Readonly<Record<string, unknown>>, shown: readonly string[]): boolean {
  return Object.values(input).every(
    (value) =>
      typeof value === 'string' &&
      (shown.includes(value) || (URL.canParse(value) && shown.includes(new URL(value).href))),
  );
}

function escapePoint(point: string): string {
  return Array.from({ length: point.length }, (_, at) => escapeUnit(point.charCodeAt(at))).join('');
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** PURE: of what a number of the answer is told: of something that no source names, or of something that has another number there. */
import type { FoundNumber } from './numbers-in';
import { clauseAt } from './prose-of';
import type { Reader } from './reader';

/** What stands beside numbers and names nothing that they could be of. */
const idle = new Set(
  (
    'about around with that this they them their have were will would been being from into over under than then there here what which ' +
    'when where also some only most more less just your mine yours each every cost costs pays take takes lasts last comes come gets make ' +
    'makes made needs need means goes runs uses used today tomorrow first since between after euros dollars pounds kronor kroner seconds ' +
    'minute minutes hour hours days weeks months years people points million thousand billion holds hold'
  ).split(' '),
);
const idleChinese =
  /大约|大概|左右|一共|其中|分别|以及|还有|需要|共有|公里|分钟|小时|[约为是有在的了共和也还就都到人个元米天年月]/g;

/** Whether the clause of a number speaks of something that nothing of this chat names: its humidity, its visitors a year. */
export function isOfNew(number: FoundNumber, { text, sources, all }: Reader): boolean {
  const clause = clauseAt(text, number).toLowerCase();
  const isKnown = (part: string) =>
    all.some((index) => index.text.includes(part)) || sources.question.toLowerCase().includes(part);
  // As much of a word as its other forms share.
  const latin = (clause.match(/[a-z]{4,}/g) ?? []).filter((word) => !idle.has(word));
  if (latin.some((word) => !isKnown(word.slice(0, Math.max(4, word.length - 2))))) return true;
  const chinese = (clause.match(/[\u4e00-\u9fff]{2,}/g) ?? [])
    .map((words) => words.replace(idleChinese, ''))
    .filter(({ length }) => length >= 2);
  return chinese.some((words) => !pairsOf(words).some(isKnown));
}

const pairsOf = (words: string) =>
  Array.from({ length: words.length - 1 }, (_, at) => words.slice(at, at + 2));

/** Between a number and the word that it is told of. */
const gap = /^[^\p{L}\d]{0,4}(?:(?:of|at|is|was|by|to|for|in|on|up to|a|an|the)\s){0,3}$/u;
/** What stands right behind a number, with its unit: `年经验`, ` seats`. Shorter, it may be a unit alone. */
const thingBehind = /^\s?(?=[\p{L}%°]*(?:[\u4e00-\u9fff]{3}|[a-z]{5}))[\p{L}%°]+/iu;
/** Characters beside a word or a number that are looked at. */
const reach = 24;
/** Characters of a source that are looked through. */
const longestSource = 20_000;

/** Whether a source tells another number of what the answer tells this one of, which the answer leaves out: `adults 14.50`. */
export function isToldOtherwise({ start, end }: FoundNumber, { text, sources }: Reader): boolean {
  const before = wordBefore(text.slice(Math.max(0, start - 2 * reach), start).toLowerCase());
  const behind = thingBehind.exec(text.slice(end, end + reach))?.[0].toLowerCase();
  const isOther = (written: string | undefined) => written !== undefined && !text.includes(written);
  return sources.near.some((index) => {
    const source = index.text.slice(0, longestSource);
    return (
      placesOf(source, before).some((at) => isOther(numberFrom(source.slice(at, at + 2 * reach)))) ||
      placesOf(source, behind).some((at) => isOther(numberUpTo(source.slice(Math.max(0, at - reach), at))))
    );
  });
}

/** The last word before a number, which says of what the number is. */
function wordBefore(text: string): string | undefined {
  const words = [...text.matchAll(/\p{L}{3,}/gu)].filter(([word]) => !/^(?:the|for|was|and|are)$/.test(word));
  const last = words.at(-1);
  return last && gap.test(text.slice(last.index + last[0].length)) ? last[0] : undefined;
}

/** The number behind the word that a text begins with. */
function numberFrom(text: string): string | undefined {
  const [, word = '', between = '', written] = /^(\p{L}+)([^\d]*)(\d(?:[\d.,:]*\d)?)/u.exec(text) ?? [];
  return word !== '' && gap.test(between) ? written : undefined;
}

const numberUpTo = (text: string) => /(?:\d[\d.,:]*)?\d$/.exec(text)?.[0];

function placesOf(source: string, part: string | undefined): number[] {
  const places: number[] = [];
  if (part === undefined) return places;
  for (let at = source.indexOf(part); at >= 0; at = source.indexOf(part, at + 1)) places.push(at);
  return places;
}

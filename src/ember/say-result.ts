/**
 * What a tool of a stranger gave, copied in the place of a very small model, which tears it to pieces: whole where it is short, else the
 * lines or sentences that share words with the question.
 */
import { searchTerms } from '../text/search-terms';
import type { ReplyLanguage } from '../text/language';
import { sayValue } from './say-value';

/** Of what is said whole, and of the part of what is longer. */
const mostCharacters = 400;
const mostLines = 12;
const mostPicked = 4;
/** A row of a table or of a list; prose has longer ones. */
const longestRow = 120;
/** Of the best line's score, what another must have. */
const leastShare = 0.6;

/** '' where there is nothing in it; undefined for a long text that has none of the question's words. */
export function sayResult(text: string, question: string, language: ReplyLanguage): string | undefined {
  const lines = withoutOpenEnd(sayValue(text, language) ?? text.trim().split(/\s*\n/));
  const whole = lines.join('\n');
  if (whole.trim() === '') return '';
  if (whole.length <= mostCharacters && lines.length <= mostLines) return breakLines(lines);
  const rows = lines.filter((line) => line !== '');
  const isRows = rows.length > 1 && rows.every((row) => row.length <= longestRow);
  const parts = isRows ? rows : rows.flatMap(sentencesIn);
  const picked = pickParts(parts, question);
  if (picked.length > 0)
    return isRows ? breakLines(withHeads(picked, parts)) : picked.map((at) => parts[at]).join(' ');
  return isRows ? `${breakLines(rows.slice(0, mostPicked))}\n…` : undefined;
}

/** Labels with nothing behind them: `notes:`. */
function withoutOpenEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '' && !/[:：=]$/.test(line));
  return lines.slice(0, last + 1);
}

/** Places of those that have most of the question's words, a rare word counting more; in their order. */
export function pickParts(
  parts: readonly string[],
  question: string,
  { most, share } = { most: mostPicked, share: leastShare },
): number[] {
  const wanted = new Set(searchTerms(question));
  const found = parts.map((part) => new Set(searchTerms(part).filter((term) => wanted.has(term))));
  const scores = found.map((terms) =>
    [...terms].reduce((sum, term) => sum + 1 / found.filter((other) => other.has(term)).length, 0),
  );
  const best = Math.max(...scores);
  if (best === 0) return [];
  const order = scores
    .map((score, at) => ({ score, at }))
    .filter(({ score }) => score >= share * best)
    .sort((one, other) => other.score - one.score);
  let left = mostCharacters;
  const fitting = order.slice(0, most).filter(({ at }, index) => {
    left -= parts[at]?.length ?? 0;
    return index === 0 || left >= 0;
  });
  return fitting.map(({ at }) => at).sort((one, other) => one - other);
}

/** With what a line stands under: the names above it, and the head of its table. */
function withHeads(picked: readonly number[], rows: readonly string[]): string[] {
  const kept = new Set(picked);
  for (const at of picked) {
    let indent = indentOf(rows[at] ?? '');
    for (let above = at - 1; above >= 0 && indent > 0; above--) {
      const own = indentOf(rows[above] ?? '');
      if (own < indent) kept.add(above);
      indent = Math.min(indent, own);
    }
  }
  if (/^\|?[\s:|-]+$/.test(rows[1] ?? '')) [0, 1].forEach((at) => kept.add(at));
  return rows.filter((_, at) => kept.has(at));
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

export function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|(?<=[。！？])/u).filter((sentence) => sentence !== '');
}

/** Lines that are no list, table or code would run into one another in Markdown. */
function breakLines(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith('```'))) return lines.join('\n');
  const isPlain = (line: string | undefined) =>
    line !== undefined && line !== '' && !/^\s*(?:[-*+>|#]|\d+[.)]\s)/.test(line);
  return lines.map((line, at) => (isPlain(line) && isPlain(lines[at + 1]) ? `${line}  ` : line)).join('\n');
}

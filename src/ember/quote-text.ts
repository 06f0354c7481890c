/** Quotes a text on behalf of a small model: all of a short text, and the parts of a longer one that share words with the question. */
import type { PageLanguage } from '../contracts/small-model-policy';
import { searchTerms } from '../text/search-terms';
import { fill, phrasesIn, wording } from './phrases';

const maxCharacters = 400;
const maxLines = 12;
const maxPicked = 4;
/** Maximum characters of a row of a table or list. A longer line counts as prose. */
const maxRowLength = 120;
/** A line is quoted if its score is at least this share of the best line's score. */
const minShare = 0.6;

/** Returns '' if the text is empty, and undefined for a long text without any word of the question. */
export function sayResult(text: string, question: string, language: PageLanguage): string | undefined {
  const lines = withoutOpenEnd(sayValue(text, language) ?? text.trim().split(/\s*\n/));
  const whole = lines.join('\n');
  if (whole.trim() === '') return '';
  if (whole.length <= maxCharacters && lines.length <= maxLines) return breakLines(lines);
  const rows = lines.filter((line) => line !== '');
  const isRows = rows.length > 1 && rows.every((row) => row.length <= maxRowLength);
  const parts = isRows ? rows : rows.flatMap(sentencesIn);
  const picked = pickParts(parts, question);
  if (picked.length > 0)
    return isRows ? breakLines(withHeads(picked, parts)) : picked.map((at) => parts[at]).join(' ');
  return isRows ? `${breakLines(rows.slice(0, maxPicked))}\n…` : undefined;
}

/** Drops labels that nothing follows: `notes:`. */
function withoutOpenEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '' && !/[:：=]$/.test(line));
  return lines.slice(0, last + 1);
}

/** Returns the indexes of the parts with most of the question's words, in text order. Rare words count more. */
function pickParts(
  parts: readonly string[],
  question: string,
  { most, share } = { most: maxPicked, share: minShare },
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
  let left = maxCharacters;
  const fitting = order.slice(0, most).filter(({ at }, index) => {
    left -= parts[at]?.length ?? 0;
    return index === 0 || left >= 0;
  });
  return fitting.map(({ at }) => at).sort((one, other) => one - other);
}

/** Adds the context of the picked lines: the names above them, and the head of their table. */
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

function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|(?<=[。！？])/u).filter((sentence) => sentence !== '');
}

function breakLines(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith('```'))) return lines.join('\n');
  const isPlain = (line: string | undefined) =>
    line !== undefined && line !== '' && !/^\s*(?:[-*+>|#]|\d+[.)]\s)/.test(line);
  return lines.map((line, at) => (isPlain(line) && isPlain(lines[at + 1]) ? `${line}  ` : line)).join('\n');
}

/** At most two sentences: a second sentence with nearly the same score may be the one that was meant. */
const pickedOfPage = { most: 2, share: 0.9 };
const maxSentenceLength = 400;

/** Returns the sentence of a page that shares most with the question. Undefined if no sentence shares a word with it. `text`: the tool's result. */
export function sayPage(text: string, question: string, language: PageLanguage): string | undefined {
  const [, title = '', body = ''] = /^(?:title: (.*)\n)?([^]*)$/.exec(text.trim()) ?? [];
  const sentences = body
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\[.*\]$/.test(line))
    .flatMap(sentencesIn)
    .filter((sentence) => sentence.length <= maxSentenceLength);
  const asked = question.replace(address, ' ').replace(wording('page.names-page'), ' ');
  const phrases = phrasesIn(language);
  const said = pickParts(sentences, asked, pickedOfPage)
    .map((at) => sentences[at]?.replace(/^(?:[#>*-]+\s+)+/, '').trim())
    .join(phrases.marks.sentence);
  if (said === '') return undefined;
  return title === ''
    ? fill(phrases.pageSays, { text: said })
    : fill(phrases.titledPageSays, { title, text: said });
}

const address = /https?:\/\/\S+|\b[\w-]+(?:\.[\w-]+)+(?:\/\S*)?/gi;

interface ReadFile {
  name: string;
  text: string;
}

/** What attached files say to a question: their own sentences, or that the model is too small for more. */
export function sayFiles(files: readonly ReadFile[], question: string, language: PageLanguage): string {
  const { marks, beyondFiles } = phrasesIn(language);
  const asked = files
    .reduce((rest, { name }) => rest.replaceAll(name, ' '), question)
    .replace(wording('files.names-files'), ' ');
  if (!/[\p{L}\p{N}]/u.test(asked.replace(wording('files.asks-about-all'), ' ')))
    return sayBeginnings(files, language);
  const said = files.flatMap(({ name, text }) => {
    const isTable = tableNames.test(name);
    if (isTable && wording('files.over-rows').test(question)) return [];
    const body = isTable ? text.trim().replace(/^.*\n/, '') : text;
    return sayPage(`title: ${name}\n${body}`, asked, language) ?? [];
  });
  const names = files.map(({ name }) => name).join(marks.list);
  return said.length > 0 ? said.join('\n\n') : fill(beyondFiles, { names });
}

function sayBeginnings(files: readonly ReadFile[], language: PageLanguage): string {
  const { beginsFile, beyondBeginnings } = phrasesIn(language);
  const said = files.map(({ name, text }) =>
    fill(beginsFile, { name, beginning: beginningOf(text, tableNames.test(name)) }),
  );
  return [...said, beyondBeginnings].join('\n\n');
}

function beginningOf(text: string, isTable: boolean): string {
  const seam = isTable ? markdownBreak : ' ';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // The tool puts its own remarks in brackets. A JSON file may also consist of brackets.
  const own = lines.filter((line) => !/^\[.*\]$/.test(line));
  const sentences = (own.length > 0 ? own : lines).flatMap((line) =>
    isTable ? line : sentencesIn(line.replace(/^(?:[#>*-]+\s+)+/, '').trim()),
  );
  let left = maxBeginningLength;
  const more = sentences.findIndex((sentence) => (left -= sentence.length + 1) < 0);
  if (more < 0) return sentences.join(seam);
  const whole = sentences.slice(0, Math.max(more, 1)).join(seam);
  return `${Array.from(whole).slice(0, maxBeginningLength).join('')} …`;
}

const markdownBreak = '  \n';
const maxBeginningLength = 300;
const tableNames = /\.(?:csv|tsv)$/i;

const maxDepth = 6;

/**
 * Formats a JSON object or list for people: `total: 17, sides: 20`, a list, or lines under their names. Leaves out only empty values. Undefined
 * for any other text.
 */
export function sayValue(text: string, language: PageLanguage): string[] | undefined {
  // A string of several lines does not fit into a list.
  if (!/^\s*(?:[{[]|null\s*$)/.test(text) || text.includes(String.raw`\n`)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return depthOf(value) > maxDepth ? undefined : linesOf(unwrap(withoutEmpty(value)), language);
  } catch {
    return undefined;
  }
}

function withoutEmpty(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).flatMap(([name, part]) => {
    const kept = withoutEmpty(part);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Unwraps `{"data": {…}}` to the inner object. */
function unwrap(value: unknown): unknown {
  if (!isFields(value)) return value;
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === 'object' ? unwrap(only) : value;
}

function linesOf(value: unknown, language: PageLanguage): string[] {
  const line = lineOf(value, language);
  if (line !== undefined) return line === '' ? [] : [line];
  if (Array.isArray(value)) return value.flatMap((item) => itemOf(linesOf(item, language)));
  const { colon } = phrasesIn(language).marks;
  return Object.entries(isFields(value) ? value : {}).flatMap(([name, part]) => {
    const only = lineOf(part, language);
    const named = `${name}${colon}`;
    if (only !== undefined) return [`- ${named}${only}`];
    return [`- ${named.trimEnd()}`, ...linesOf(part, language).map((inner) => `  ${inner}`)];
  });
}

function itemOf(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line.replace(/^- /, '')}`);
}

/** Undefined if the value needs more than one line. */
function lineOf(value: unknown, language: PageLanguage): string | undefined {
  if (value === undefined) return '';
  const { colon, comma, list, semicolon } = phrasesIn(language).marks;
  if (Array.isArray(value)) {
    const items = value.map(plainOf);
    return items.every((item) => item !== undefined) ? items.join(list) : undefined;
  }
  const plain = plainOf(value);
  if (plain !== undefined) return plain;
  const fields = Object.entries(isFields(value) ? value : {}).map(([name, part]) => {
    const said = plainOf(part) ?? (Array.isArray(part) ? lineOf(part, language) : undefined);
    return said === undefined ? undefined : `${name}${colon}${said}`;
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  return fields.join(fields.some((field) => field.includes(list)) ? semicolon : comma);
}

function plainOf(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (!isFields(value)) return undefined;
  const entries = Object.entries(value);
  const unit = value['unit'] ?? value['currency'] ?? value['单位'] ?? value['币种'];
  const amount = value['result'] ?? entries.find(([, part]) => typeof part === 'number')?.[1];
  const isAmount = typeof amount === 'number' || typeof amount === 'string';
  return entries.length === 2 && typeof unit === 'string' && isAmount ? `${amount} ${unit}` : undefined;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

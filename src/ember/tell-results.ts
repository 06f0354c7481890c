/**
 * Writes the results of tools for a small model: no result is left out, and every number is the tool's, to the last digit. Long texts are
 * quoted by the parts that share words with the question.
 */
import { readAttachmentName } from '../contracts/attachment';
import type { AssistantMessage, Message, ToolCall, ToolResult } from '../contracts/message';
import { noteIn, recallName } from '../contracts/note';
import type { PageLanguage } from '../contracts/small-model-policy';
import { textOf } from '../contracts/message-parts';
import type { ToolFailure } from '../contracts/tool-failure';
import en from './en.json';
import { fill, phrasesIn, wording } from './phrases';
import { searchTerms } from '../text/search-terms';

/** The answer to the newest results. Undefined if the model should answer. */
export function answerFromResults(history: readonly Message[], language: PageLanguage): string | undefined {
  const last = history.at(-1);
  if (last?.role !== 'tool') return undefined;
  const phrases = phrasesIn(language);
  const asked = history.findLastIndex(({ role }) => role === 'user');
  // After several rounds the model answers, because the answer may also depend on a page or a search.
  const isOneRound = history.slice(asked + 1).filter(({ role }) => role === 'tool').length === 1;
  const calls = history
    .slice(asked + 1)
    .flatMap((message) => (message.role === 'assistant' ? message.content : []));
  const [lone] = last.results;
  const failed = last.results.length === 1 && lone?.isError ? lone.failure : undefined;
  const note = last.results.length === 1 && lone ? sayNote(lone, language) : undefined;
  if (note !== undefined) return note;
  if (failed !== undefined) return (phrases.failures as Partial<Record<ToolFailure, string>>)[failed];
  const files = last.results.filter(({ toolName, isError }) => toolName === readAttachmentName && !isError);
  if (isOneRound && files.length > 0 && files.length === last.results.length) {
    const read = files.map((file) => ({ name: nameOf(callOf(file, calls)), text: lineIn(file) }));
    return sayFiles(read, questionIn(history[asked]), language);
  }
  const weather = answerWeather(history, last.results, language);
  if (isOneRound && weather !== undefined) return weather;
  const lines = last.results.map((result) => {
    const call = callOf(result, calls);
    return call && !result.isError ? lineOf(call, result, language) : undefined;
  });
  if (isOneRound && last.results.length === 1 && lone && !lone.isError) {
    const text = textOf(lone.content);
    const isValue = lone.toolName === 'fetch_page' && sayValue(text, language) !== undefined;
    const page =
      lone.toolName === 'fetch_page' &&
      !isValue &&
      sayPage(lineIn(lone), questionIn(history[asked]), language);
    if (page) return page;
    if (isValue || !speaksOf.has(lone.toolName)) {
      const said = sayResult(text, questionIn(history[asked]), language);
      return said === '' ? phrases.nothing : said;
    }
  }
  const said = lines.filter((line) => line !== undefined);
  if (!isOneRound || said.length < lines.length || said.length === 0) return undefined;
  if (said.length > 1) return said.map((line) => `- ${line}`).join('\n');
  const [only] = last.results;
  if (only?.toolName !== 'clock') return only?.toolName === 'calculator' ? said[0] : undefined;
  const place = callOf(only, calls)?.arguments['place'];
  return answerTime(
    lineIn(only),
    typeof place === 'string' ? place : '',
    questionIn(history[asked]),
    language,
  );
}

/** We write a sentence about the results of these tools. The result of any other tool is the answer itself. */
const speaksOf: ReadonlySet<string> = new Set(['calculator', 'clock', 'weather', 'fetch_page', 'web_search']);

function questionIn(message: Message | undefined): string {
  return message?.role === 'user' ? textOf(message.content) : '';
}

function nameOf(call: ToolCall | undefined): string {
  return call ? String(call.arguments['name']) : '';
}

function callOf({ toolCallId }: ToolResult, parts: AssistantMessage['content']): ToolCall | undefined {
  return parts.filter((part) => part.type === 'tool-call').find(({ id }) => id === toolCallId);
}

function lineIn({ content }: ToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** Returns the result as one line of a list. Undefined if it does not fit. */
function lineOf(call: ToolCall, { content }: ToolResult, language: PageLanguage): string | undefined {
  const [first, second] = content.map((part) => (part.type === 'text' ? part.text : ''));
  if (first !== undefined && call.name === 'weather') return sayWeatherShortly(first, language);
  if (first === undefined || first.includes('\n')) return undefined;
  const { marks, time } = phrasesIn(language);
  switch (call.name) {
    case 'calculator': {
      // A second text means that the number is rounded, or gives the exact fraction.
      const sign = second === undefined ? '=' : '≈';
      const written = String(call.arguments['expression']);
      const expression = /\*.*\*/.test(written) ? written.replaceAll('*', '×') : written;
      return `${expression} ${sign} ${first}`;
    }
    case 'clock': {
      const place = call.arguments['place'];
      const told = sayTime(first, language);
      return told && `${typeof place === 'string' && place !== '' ? place : time.here}${marks.colon}${told}`;
    }
    default:
      return undefined;
  }
}

/** The reply for a saved note, and for notes that were found, word for word. Undefined for other results. */
function sayNote(
  { toolName, isError, failure, content }: ToolResult,
  language: PageLanguage,
): string | undefined {
  const { kept, refused, none } = phrasesIn(language).notes;
  if (toolName === 'remember') {
    if (failure === 'refused' || failure === 'refused-often') return refused;
    return isError ? undefined : kept;
  }
  if (toolName !== recallName || isError) return undefined;
  const found = content.flatMap((part) => (part.type === 'text' ? (noteIn(part.text) ?? []) : []));
  const [only] = found;
  if (only === undefined) return none;
  return found.length === 1 ? only : found.map((text) => `- ${text.replace(/\n/g, '\n  ')}`).join('\n');
}

const otherDays = [
  ['in-2-days', 2],
  ['2-days-ago', -2],
  ['tomorrow', 1],
  ['yesterday', -1],
] as const;

interface Day {
  year: number;
  month: number;
  day: number;
  weekday: number;
}

/** Reads the clock's first line: `2026-11-21 15:58 Saturday`. */
function readTime(line: string): (Day & { time: string }) | undefined {
  const [, year = '', month = '', day = '', time = '', weekday = ''] =
    /^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d) (\w+)$/.exec(line) ?? [];
  const index = en.says.time.weekdays.indexOf(weekday);
  if (time === '' || index === -1) return undefined;
  return { year: Number(year), month: Number(month), day: Number(day), weekday: index, time };
}

/** Formats as `15:58 on Saturday, 21 November 2026`. Undefined if the line has no time. */
function sayTime(line: string, language: PageLanguage): string | undefined {
  const now = readTime(line);
  return now && fill(phrasesIn(language).time.now, { time: now.time, day: sayDay(now, language) });
}

/** The whole answer to a question about one time. If the question names another day, that day comes first. */
function answerTime(line: string, place: string, asked: string, language: PageLanguage): string | undefined {
  const now = readTime(line);
  const time = sayTime(line, language);
  if (!now || time === undefined) return undefined;
  const { isHere, isIn, otherDays: days } = phrasesIn(language).time;
  const here = fill(place === '' ? isHere : isIn, { place, time });
  const [name, distance] = otherDays.find(([day]) => wording(`day.${day}`).test(asked)) ?? [];
  if (name === undefined) return here;
  return fill(days[name], { day: sayDay(shift(now, distance), language), now: here });
}

function sayDay({ year, month, day, weekday }: Day, language: PageLanguage): string {
  const phrases = phrasesIn(language).time;
  const monthName = phrases.months[month - 1] ?? '';
  return fill(phrases.day, { year, month, day, monthName, weekday: phrases.weekdays[weekday] ?? '' });
}

function shift({ year, month, day, weekday }: Day, days: number): Day {
  const moved = { year, month, day: day + days, weekday: (weekday + days + 7) % 7 };
  if (moved.day < 1) {
    moved.month = month === 1 ? 12 : month - 1;
    moved.year = month === 1 ? year - 1 : year;
    moved.day += lengthOf(moved.year, moved.month);
  } else if (moved.day > lengthOf(year, month)) {
    moved.day -= lengthOf(year, month);
    moved.month = month === 12 ? 1 : month + 1;
    moved.year = month === 12 ? year + 1 : year;
  }
  return moved;
}

function lengthOf(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const weatherSource = 'Open-Meteo';

/** Reads the tool's lines: the place, the weather now, then a line for each day. */
function readToldWeather(text: string) {
  const [place = '', ...lines] = text.split('\n');
  const nowLine = wording('weather.now-line');
  const now = lines.flatMap(
    (line) =>
      nowLine
        .exec(line)
        ?.slice(1)
        .find((said) => said) ?? [],
  )[0];
  const days = lines.flatMap((line) => {
    const [, weekday, said] = /^\d{4}-\d\d-\d\d (\S+): (.+)$/.exec(line) ?? [];
    return weekday === undefined || said === undefined ? [] : [{ weekday, text: said }];
  });
  return place !== '' && days.length > 0 ? { place, now, days } : undefined;
}

function answerWeather(
  history: readonly Message[],
  results: readonly ToolResult[],
  language: PageLanguage,
): string | undefined {
  const [newest = '', before = ''] = history
    .flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []))
    .toReversed();
  // `北京` and `and in Bergen?` continue a question that named the time.
  const goesOn = newest.length <= maxFollowUpLength && !wording('says-when').test(newest);
  const asked = goesOn ? `${newest}\n${before}` : newest;
  const said = results.flatMap((result) => {
    const isWeather = result.toolName === 'weather' && !result.isError;
    return (isWeather ? sayWeather(lineIn(result), asked, language) : undefined) ?? [];
  });
  return said.length > 0 && said.length === results.length ? said.join('\n\n') : undefined;
}

const maxFollowUpLength = 24;

const loneDays = [
  ['in-2-days', 2],
  ['tomorrow', 1],
] as const;

/** The whole answer, or one day if `asked` is about one coming day. Undefined for other texts. */
export function sayWeather(text: string, asked: string, language: PageLanguage): string | undefined {
  const told = readToldWeather(text);
  if (!told) return undefined;
  const { place, now, days } = told;
  const { marks, weather } = phrasesIn(language);
  const source = weatherSource;
  const [name, at] = loneDays.find(([day]) => wording(`weather.${day}`).test(asked)) ?? [];
  const lone = at === undefined ? undefined : days[at];
  if (name !== undefined && lone)
    return fill(weather.oneDay, { place, day: weather.days[name], ...lone, source });
  const named = days.map((one, index) => {
    const day = index > 0 ? one.weekday : weather.today;
    return `- ${day}${marks.colon}${days.length > 1 ? shorten(one.text) : one.text}`;
  });
  const here = now === undefined ? [] : [`- ${weather.now}${marks.colon}${now}`];
  return [`**${place}**${fill(weather.source, { source })}`, '', ...here, ...named].join('\n');
}

/** Leaves out the wind and unlikely conditions of one of several days. The tool's card shows everything. */
function shorten(text: string): string {
  return text
    .split(/(?<=, |，)/)
    .filter((part) => !wording('weather.wind').test(part) && !/(?:^|\D)1?\d%/.test(part))
    .join('')
    .replace(/[,，] ?$/, '');
}

export function sayWeatherShortly(text: string, language: PageLanguage): string | undefined {
  const told = readToldWeather(text);
  return told && `${told.place}${phrasesIn(language).marks.colon}${told.now ?? told.days[0]?.text ?? ''}`;
}

const maxCharacters = 400;
const maxLines = 12;
const maxPicked = 4;
/** Maximum characters of a row of a table or list. A longer line is prose. */
const maxRowLength = 120;
/** A line is quoted if its score is at least this share of the best line's score. */
const minShare = 0.6;

/** '' if the text is empty. Undefined for a long text without any of the question's words. */
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

/** Removes a label without content at the end: `notes:`. */
function withoutOpenEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '' && !/[:：=]$/.test(line));
  return lines.slice(0, last + 1);
}

/** Indexes of the parts that have most of the question's words, in their order. Rare words count more. */
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

/** Adds the headings above the picked lines, and the head of their table. */
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

/** At most two sentences: a second one that shares nearly as many words may be the right one. */
const pickedOfPage = { most: 2, share: 0.9 };
const maxSentenceLength = 400;

/** The sentence of a page that shares most words with the question. Undefined if none has any. `text`: the tool's result. */
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

/** What attached files say about a question: their own sentences, or that the model is too small for more. */
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
  // The tool's own remarks are in brackets, but a JSON file may be in brackets too.
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
 * The lines of a JSON object or list in readable form: `total: 17, sides: 20`, a list, or lines under their names. Leaves out only empty
 * values. Undefined for any other text.
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

/** Replaces `{"data": {…}}` by its content. */
function unwrap(value: unknown): unknown {
  if (!isFields(value)) return value;
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === 'object' ? unwrap(only) : value;
}

function linesOf(value: unknown, language: PageLanguage): string[] {
  const line = quoteLine(value, language);
  if (line !== undefined) return line === '' ? [] : [line];
  if (Array.isArray(value)) return value.flatMap((item) => itemOf(linesOf(item, language)));
  const { colon } = phrasesIn(language).marks;
  return Object.entries(isFields(value) ? value : {}).flatMap(([name, part]) => {
    const only = quoteLine(part, language);
    const named = `${name}${colon}`;
    if (only !== undefined) return [`- ${named}${only}`];
    return [`- ${named.trimEnd()}`, ...linesOf(part, language).map((inner) => `  ${inner}`)];
  });
}

function itemOf(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line.replace(/^- /, '')}`);
}

/** Undefined if the value needs more than one line. */
function quoteLine(value: unknown, language: PageLanguage): string | undefined {
  if (value === undefined) return '';
  const { colon, comma, list, semicolon } = phrasesIn(language).marks;
  if (Array.isArray(value)) {
    const items = value.map(plainOf);
    return items.every((item) => item !== undefined) ? items.join(list) : undefined;
  }
  const plain = plainOf(value);
  if (plain !== undefined) return plain;
  const fields = Object.entries(isFields(value) ? value : {}).map(([name, part]) => {
    const said = plainOf(part) ?? (Array.isArray(part) ? quoteLine(part, language) : undefined);
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

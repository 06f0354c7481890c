/** Writes replies from tool results for a small model. Quotes only those parts of a long text that match the question. */
import type { Message, ToolCall, ToolResult } from '../contracts/message';
import { noteIn } from '../contracts/note';
import type { PageLanguage } from '../contracts/small-model-policy';
import { textOf } from '../contracts/message-parts';
import type { ToolFailure } from '../contracts/tool-failure';
import { isRecord } from '../protocol/tool-index';
import en from './en.json';
import { captureFirstGroup, fillTemplate, phrasesIn, patternOf } from './phrases';
import { lastTurnOf, requestsIn } from './read-intent';
import { searchTerms } from '../text/search-terms';
import { splitConversion } from '../text/units';
import { queryTableToolName, readAttachmentToolName, recallToolName } from '../contracts/tool-names';
import { tellTable } from './tell-table';

/** The reply to the newest tool results. Undefined if the model should answer. */
export function answerFromResults(history: readonly Message[], language: PageLanguage): string | undefined {
  const last = history.at(-1);
  if (last?.role !== 'tool') return undefined;
  const phrases = phrasesIn(language);
  const question = requestsIn(history).at(-1) ?? '';
  const { written, results } = lastTurnOf(history);
  const calls = written.filter((part) => part.type === 'tool-call');
  const callOf = ({ toolCallId }: ToolResult) => calls.find(({ id }) => id === toolCallId);
  const [first] = last.results;
  const lone = last.results.length === 1 ? first : undefined;
  const note = lone && writeNoteReply(lone, language);
  if (note !== undefined) return note;
  if (lone?.isError && lone.failure !== undefined)
    return (phrases.failures as Partial<Record<ToolFailure, string>>)[lone.failure];
  const table = last.results.find(({ toolName, isError }) => toolName === queryTableToolName && !isError);
  const tableCall = table && callOf(table);
  // The page asks the table along with reading the file.
  if (tableCall) return tellTable(tableCall, firstTextOf(table), language);
  // After several rounds of calls, let the model answer: the answer may also depend on an earlier page or search.
  if (!first || results.length > last.results.length) return undefined;
  if (last.results.every(({ toolName, isError }) => toolName === readAttachmentToolName && !isError)) {
    const files = last.results.map((file) => {
      const call = callOf(file);
      return { name: call ? String(call.arguments['name']) : '', text: firstTextOf(file) };
    });
    return quoteFiles(files, question, language);
  }
  const weather = answerWeather(history, last.results, language);
  if (weather !== undefined) return weather;
  if (lone && !lone.isError) {
    const text = textOf(lone.content);
    const isPage = lone.toolName === 'fetch_page';
    const isValue = isPage && describeValue(text, language) !== undefined;
    const page = isPage && !isValue && quotePage(firstTextOf(lone), question, language);
    if (page) return page;
    if (isValue || !toolsDescribedInSentences.has(lone.toolName)) {
      const said = quoteResult(text, question, language);
      return said === '' ? phrases.nothing : said;
    }
  }
  const lines = last.results.map((result) => {
    const call = callOf(result);
    return call && !result.isError ? toListLine(call, result, language) : undefined;
  });
  const said = lines.filter((line) => line !== undefined);
  if (said.length < lines.length) return undefined;
  if (said.length > 1) return said.map((line) => `- ${line}`).join('\n');
  if (first.toolName !== 'clock') return first.toolName === 'calculator' ? said[0] : undefined;
  const place = callOf(first)?.arguments['place'];
  return answerTime(firstTextOf(first), typeof place === 'string' ? place : '', question, language);
}

/** We write a sentence about results of these tools. We quote the results of all others. */
const toolsDescribedInSentences = new Set(['calculator', 'clock', 'weather', 'fetch_page', 'web_search']);

function firstTextOf({ content }: ToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

function toListLine(call: ToolCall, { content }: ToolResult, language: PageLanguage): string | undefined {
  const [first, second] = content.map((part) => (part.type === 'text' ? part.text : ''));
  if (first !== undefined && call.name === 'weather') return describeWeatherBriefly(first, language);
  if (first === undefined || first.includes('\n')) return undefined;
  const { marks, time } = phrasesIn(language);
  if (call.name === 'calculator') {
    // If the number is rounded, the result contains a second text, which says so or gives the exact fraction.
    const sign = second === undefined ? '=' : '≈';
    const asked = String(call.arguments['expression']);
    const written = splitConversion(asked)?.from ?? asked;
    const expression = /\*.*\*/.test(written) ? written.replaceAll('*', '×') : written;
    return `${expression} ${sign} ${first}`;
  }
  if (call.name !== 'clock') return undefined;
  const place = call.arguments['place'];
  const timeThere = formatTime(first, language);
  const name = typeof place === 'string' && place !== '' ? place : time.here;
  return timeThere && `${name}${marks.colon}${timeThere}`;
}

function writeNoteReply({ toolName, isError, failure, content }: ToolResult, language: PageLanguage) {
  const { kept, refused, none } = phrasesIn(language).notes;
  if (toolName === 'remember') {
    if (failure === 'refused' || failure === 'refused-often') return refused;
    return isError ? undefined : kept;
  }
  if (toolName !== recallToolName || isError) return undefined;
  const found = content.flatMap((part) => (part.type === 'text' ? (noteIn(part.text) ?? []) : []));
  const [only] = found;
  if (only === undefined) return none;
  return found.length === 1 ? only : found.map((text) => `- ${text.replace(/\n/g, '\n  ')}`).join('\n');
}

const nearbyDayOffsets = [
  ['in-2-days', 2],
  ['2-days-ago', -2],
  ['tomorrow', 1],
  ['yesterday', -1],
] as const;

interface CalendarDay {
  year: number;
  month: number;
  day: number;
  weekday: number;
}

function readTime(line: string): (CalendarDay & { time: string }) | undefined {
  const [, year = '', month = '', day = '', time = '', weekday = ''] =
    /^(\d{4})-(\d\d)-(\d\d) (\d\d:\d\d) (\w+)$/.exec(line) ?? [];
  const index = en.says.time.weekdays.indexOf(weekday);
  if (time === '' || index === -1) return undefined;
  return { year: Number(year), month: Number(month), day: Number(day), weekday: index, time };
}

function formatTime(line: string, language: PageLanguage): string | undefined {
  const now = readTime(line);
  return now && fillTemplate(phrasesIn(language).time.now, { time: now.time, day: formatDay(now, language) });
}

/** If the question names another day, for example tomorrow, the answer begins with that day's date. */
function answerTime(line: string, place: string, asked: string, language: PageLanguage): string | undefined {
  const now = readTime(line);
  const time = formatTime(line, language);
  if (!now || time === undefined) return undefined;
  const { isHere, isIn, otherDays: days } = phrasesIn(language).time;
  const here = fillTemplate(place === '' ? isHere : isIn, { place, time });
  const [name, distance] = nearbyDayOffsets.find(([day]) => patternOf(`day.${day}`).test(asked)) ?? [];
  if (name === undefined) return here;
  return fillTemplate(days[name], { day: formatDay(addDays(now, distance), language), now: here });
}

function formatDay({ year, month, day, weekday }: CalendarDay, language: PageLanguage): string {
  const phrases = phrasesIn(language).time;
  const monthName = phrases.months.split(' ')[month - 1] ?? '';
  return fillTemplate(phrases.day, { year, month, day, monthName, weekday: phrases.weekdays[weekday] ?? '' });
}

function addDays({ year, month, day, weekday }: CalendarDay, days: number): CalendarDay {
  const moved = { year, month, day: day + days, weekday: (weekday + days + 7) % 7 };
  if (moved.day < 1) {
    moved.month = month === 1 ? 12 : month - 1;
    moved.year = month === 1 ? year - 1 : year;
    moved.day += daysInMonth(moved.year, moved.month);
  } else if (moved.day > daysInMonth(year, month)) {
    moved.day -= daysInMonth(year, month);
    moved.month = month === 12 ? 1 : month + 1;
    moved.year = month === 12 ? year + 1 : year;
  }
  return moved;
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const weatherSource = 'Open-Meteo';

/** Parses the weather tool's text: a line for the place, one for the current weather, then one for each day. */
function parseWeather(text: string) {
  const [place = '', ...lines] = text.split('\n');
  const now = lines.flatMap((line) => captureFirstGroup('weather.now-line', line) ?? [])[0];
  const days = lines.flatMap((line) => {
    const [, weekday, said] = /^\d{4}-\d\d-\d\d (\S+): (.+)$/.exec(line) ?? [];
    return weekday === undefined || said === undefined ? [] : [{ weekday, text: said }];
  });
  return place !== '' && days.length > 0 ? { place, now, days } : undefined;
}

function answerWeather(history: readonly Message[], results: readonly ToolResult[], language: PageLanguage) {
  const [newest = '', before = ''] = requestsIn(history).toReversed();
  // Follow-ups such as `北京` and `and in Bergen?` refer to the day that the previous question named.
  const goesOn = newest.length <= maxFollowUpCharacters && !patternOf('says-when').test(newest);
  const asked = goesOn ? `${newest}\n${before}` : newest;
  const said = results.flatMap((result) => {
    const isWeather = result.toolName === 'weather' && !result.isError;
    return (isWeather ? describeWeather(firstTextOf(result), asked, language) : undefined) ?? [];
  });
  return said.length > 0 && said.length === results.length ? said.join('\n\n') : undefined;
}

const maxFollowUpCharacters = 24;

const forecastDayOffsets = [
  ['in-2-days', 2],
  ['tomorrow', 1],
] as const;

/** The whole forecast, or one day of it if `asked` is about that day. Undefined if `text` is not a forecast. */
export function describeWeather(text: string, asked: string, language: PageLanguage): string | undefined {
  const forecast = parseWeather(text);
  if (!forecast) return undefined;
  const { place, now, days } = forecast;
  const { marks, weather } = phrasesIn(language);
  const source = weatherSource;
  const [name, at] = forecastDayOffsets.find(([day]) => patternOf(`weather.${day}`).test(asked)) ?? [];
  const lone = at === undefined ? undefined : days[at];
  if (name !== undefined && lone)
    return fillTemplate(weather.oneDay, { place, day: weather.days[name], ...lone, source });
  const named = days.map((one, index) => {
    const day = index > 0 ? one.weekday : weather.today;
    return `- ${day}${marks.colon}${days.length > 1 ? shortenForecast(one.text) : one.text}`;
  });
  const here = now === undefined ? [] : [`- ${weather.now}${marks.colon}${now}`];
  return [`**${place}**${fillTemplate(weather.source, { source })}`, '', ...here, ...named].join('\n');
}

/** Leaves out wind and unlikely rain from a single day of a longer forecast. The tool's card shows everything. */
function shortenForecast(text: string): string {
  return text
    .split(/(?<=, |，)/)
    .filter((part) => !patternOf('weather.wind').test(part) && !/(?:^|\D)1?\d%/.test(part))
    .join('')
    .replace(/[,，] ?$/, '');
}

export function describeWeatherBriefly(text: string, language: PageLanguage): string | undefined {
  const forecast = parseWeather(text);
  const said = forecast?.now ?? forecast?.days[0]?.text ?? '';
  return forecast && `${forecast.place}${phrasesIn(language).marks.colon}${said}`;
}

const maxQuoteCharacters = 400;
const maxQuoteLines = 12;
const maxQuotedParts = 4;
/** Maximum length of a table or list row, in characters. A longer line counts as prose. */
const maxRowCharacters = 120;
const minShareOfBestScore = 0.6;

/** Quotes a result. '' if the result is empty. Undefined if it is long and shares no word with the question. */
export function quoteResult(text: string, question: string, language: PageLanguage): string | undefined {
  const lines = withoutTrailingLabels(describeValue(text, language) ?? text.trim().split(/\s*\n/));
  const whole = lines.join('\n');
  if (whole.trim() === '') return '';
  if (whole.length <= maxQuoteCharacters && lines.length <= maxQuoteLines) return addLineBreaks(lines);
  const rows = lines.filter((line) => line !== '');
  const isRows = rows.length > 1 && rows.every((row) => row.length <= maxRowCharacters);
  const parts = isRows ? rows : rows.flatMap(sentencesIn);
  const picked = pickMatchingParts(parts, question);
  if (picked.length > 0)
    return isRows ? addLineBreaks(addHeadingRows(picked, parts)) : picked.map((at) => parts[at]).join(' ');
  return isRows ? `${addLineBreaks(rows.slice(0, maxQuotedParts))}\n…` : undefined;
}

function withoutTrailingLabels(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '' && !/[:：=]$/.test(line));
  return lines.slice(0, last + 1);
}

/** Returns indexes of the parts that share the most words with the question, in text order. Rare words count more. */
function pickMatchingParts(
  parts: readonly string[],
  question: string,
  { most, share } = { most: maxQuotedParts, share: minShareOfBestScore },
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
  let left = maxQuoteCharacters;
  const fitting = order.slice(0, most).filter(({ at }, index) => {
    left -= parts[at]?.length ?? 0;
    return index === 0 || left >= 0;
  });
  return fitting.map(({ at }) => at).sort((one, other) => one - other);
}

function addHeadingRows(picked: readonly number[], rows: readonly string[]): string[] {
  const shown = new Set(picked);
  for (const at of picked) {
    let indent = countIndent(rows[at] ?? '');
    for (let above = at - 1; above >= 0 && indent > 0; above--) {
      const own = countIndent(rows[above] ?? '');
      if (own < indent) shown.add(above);
      indent = Math.min(indent, own);
    }
  }
  if (/^\|?[\s:|-]+$/.test(rows[1] ?? '')) [0, 1].forEach((at) => shown.add(at));
  return rows.filter((_, at) => shown.has(at));
}

function countIndent(line: string): number {
  return line.length - line.trimStart().length;
}

function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|(?<=[。！？])/u).filter((sentence) => sentence !== '');
}

function addLineBreaks(lines: readonly string[]): string {
  if (lines.some((line) => line.startsWith('```'))) return lines.join('\n');
  const isPlain = (line: string | undefined) =>
    line !== undefined && line !== '' && !/^\s*(?:[-*+>|#]|\d+[.)]\s)/.test(line);
  return lines.map((line, at) => (isPlain(line) && isPlain(lines[at + 1]) ? `${line}  ` : line)).join('\n');
}

/** Quote a second sentence only if its score is at least this share of the best: it may be the right answer. */
const pageQuoteLimits = { most: 2, share: 0.9 };
const maxSentenceCharacters = 400;

/** Quotes the page's sentences that match the question best. Undefined if none matches. `text` is the tool's result. */
export function quotePage(text: string, question: string, language: PageLanguage): string | undefined {
  const [, title = '', body = ''] = /^(?:title: (.*)\n)?([^]*)$/.exec(text.trim()) ?? [];
  const sentences = body
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\[.*\]$/.test(line))
    .flatMap(sentencesIn)
    .filter((sentence) => sentence.length <= maxSentenceCharacters);
  const asked = question.replace(addressPattern, ' ').replace(patternOf('page.names-page'), ' ');
  const phrases = phrasesIn(language);
  const said = pickMatchingParts(sentences, asked, pageQuoteLimits)
    .map((at) => sentences[at]?.replace(/^(?:[#>*-]+\s+)+/, '').trim())
    .join(phrases.marks.sentence);
  if (said === '') return undefined;
  return fillTemplate(title === '' ? phrases.pageSays : phrases.titledPageSays, { title, text: said });
}

const addressPattern = /https?:\/\/\S+|\b[\w-]+(?:\.[\w-]+)+(?:\/\S*)?/gi;

interface QuotableFile {
  name: string;
  text: string;
}

export function quoteFiles(files: readonly QuotableFile[], question: string, language: PageLanguage): string {
  const { marks, beyondFiles } = phrasesIn(language);
  const asked = files
    .reduce((rest, { name }) => rest.replaceAll(name, ' '), question)
    .replace(patternOf('files.names-files'), ' ');
  if (!/[\p{L}\p{N}]/u.test(asked.replace(patternOf('files.asks-about-all'), ' ')))
    return quoteBeginnings(files, language);
  const said = files.flatMap(({ name, text }) => {
    const isTable = tableNamePattern.test(name);
    if (isTable && patternOf('files.over-rows').test(question)) return [];
    const body = isTable ? text.trim().replace(/^.*\n/, '') : text;
    return quotePage(`title: ${name}\n${body}`, asked, language) ?? [];
  });
  const names = files.map(({ name }) => name).join(marks.list);
  return said.length > 0 ? said.join('\n\n') : fillTemplate(beyondFiles, { names });
}

function quoteBeginnings(files: readonly QuotableFile[], language: PageLanguage): string {
  const { beginsFile, beyondBeginnings } = phrasesIn(language);
  const said = files.map(({ name, text }) =>
    fillTemplate(beginsFile, { name, beginning: quoteBeginning(text, tableNamePattern.test(name)) }),
  );
  return [...said, beyondBeginnings].join('\n\n');
}

function quoteBeginning(text: string, isTable: boolean): string {
  const seam = isTable ? markdownBreak : ' ';
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // Drop the tool's own remarks, which are in brackets. If nothing remains, the brackets are content of the file, for example JSON.
  const own = lines.filter((line) => !/^\[.*\]$/.test(line));
  const sentences = (own.length > 0 ? own : lines).flatMap((line) =>
    isTable ? line : sentencesIn(line.replace(/^(?:[#>*-]+\s+)+/, '').trim()),
  );
  let left = maxBeginningCharacters;
  const more = sentences.findIndex((sentence) => (left -= sentence.length + 1) < 0);
  if (more < 0) return sentences.join(seam);
  const whole = sentences.slice(0, Math.max(more, 1)).join(seam);
  return `${Array.from(whole).slice(0, maxBeginningCharacters).join('')} …`;
}

const markdownBreak = '  \n';
const maxBeginningCharacters = 300;
const tableNamePattern = /\.(?:csv|tsv)$/i;

const maxValueDepth = 6;

/** Writes a JSON object or list as readable lines such as `total: 17, sides: 20`, without empty values. Undefined for other text. */
export function describeValue(text: string, language: PageLanguage): string[] | undefined {
  // Skip values with line breaks, because each list item is a single line.
  if (!/^\s*(?:[{[]|null\s*$)/.test(text) || text.includes(String.raw`\n`)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return countDepth(value) > maxValueDepth
      ? undefined
      : toReadableLines(unwrapOnlyField(withoutEmptyValues(value)), language);
  } catch {
    return undefined;
  }
}

function withoutEmptyValues(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const items = value.map(withoutEmptyValues).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== 'object') return value;
  const fields = Object.entries(value).flatMap(([name, part]) => {
    const content = withoutEmptyValues(part);
    return content === undefined ? [] : [[name, content] as const];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

function unwrapOnlyField(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const [only, ...others] = Object.values(value);
  return others.length === 0 && typeof only === 'object' ? unwrapOnlyField(only) : value;
}

function toReadableLines(value: unknown, language: PageLanguage): string[] {
  const line = toSingleLine(value, language);
  if (line !== undefined) return line === '' ? [] : [line];
  if (Array.isArray(value)) return value.flatMap((item) => indentItem(toReadableLines(item, language)));
  const { colon } = phrasesIn(language).marks;
  return Object.entries(isRecord(value) ? value : {}).flatMap(([name, part]) => {
    const only = toSingleLine(part, language);
    const named = `${name}${colon}`;
    if (only !== undefined) return [`- ${named}${only}`];
    return [`- ${named.trimEnd()}`, ...toReadableLines(part, language).map((inner) => `  ${inner}`)];
  });
}

function indentItem(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line.replace(/^- /, '')}`);
}

function toSingleLine(value: unknown, language: PageLanguage): string | undefined {
  if (value === undefined) return '';
  const { colon, comma, list, semicolon } = phrasesIn(language).marks;
  if (Array.isArray(value)) {
    const items = value.map(toScalarText);
    return items.every((item) => item !== undefined) ? items.join(list) : undefined;
  }
  const plain = toScalarText(value);
  if (plain !== undefined) return plain;
  const fields = Object.entries(isRecord(value) ? value : {}).map(([name, part]) => {
    const said = toScalarText(part) ?? (Array.isArray(part) ? toSingleLine(part, language) : undefined);
    return said === undefined ? undefined : `${name}${colon}${said}`;
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  return fields.join(fields.some((field) => field.includes(list)) ? semicolon : comma);
}

function toScalarText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  const unit = value['unit'] ?? value['currency'] ?? value['单位'] ?? value['币种'];
  const amount = value['result'] ?? entries.find(([, part]) => typeof part === 'number')?.[1];
  const isAmount = typeof amount === 'number' || typeof amount === 'string';
  return entries.length === 2 && typeof unit === 'string' && isAmount ? `${amount} ${unit}` : undefined;
}

function countDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(countDepth));
}

/** Words the results of tools on behalf of a small model. It leaves out no result and keeps every digit of the tool's numbers. */
import { readAttachmentName } from '../contracts/attachment';
import type { AssistantMessage, Message, ToolCall, ToolResult } from '../contracts/message';
import { noteIn, recallName } from '../contracts/note';
import type { PageLanguage } from '../contracts/small-model-policy';
import { textOf } from '../contracts/message-parts';
import type { ToolFailure } from '../contracts/tool-failure';
import en from './en.json';
import { fill, phrasesIn, wording } from './phrases';
import { sayFiles, sayPage, sayResult, sayValue } from './quote-text';

/** Returns the answer to the newest results. Undefined if the model should answer. */
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
    const read = files.map((file) => ({ name: nameOf(file, calls), text: lineIn(file) }));
    return sayFiles(read, questionIn(history[asked]), language);
  }
  const weather = answerWeather(history, last.results, language);
  if (isOneRound && weather !== undefined) return weather;
  const lines = last.results.map((result) => {
    const call = calls.find((part) => part.type === 'tool-call' && part.id === result.toolCallId);
    return call?.type === 'tool-call' && !result.isError ? lineOf(call, result, language) : undefined;
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
  const call = calls.find((part) => part.type === 'tool-call' && part.id === only.toolCallId);
  const place = call?.type === 'tool-call' ? call.arguments['place'] : undefined;
  return answerTime(
    lineIn(only),
    typeof place === 'string' ? place : '',
    questionIn(history[asked]),
    language,
  );
}

/** Results of these tools are put into a sentence. The result of any other tool is the answer itself. */
const speaksOf: ReadonlySet<string> = new Set(['calculator', 'clock', 'weather', 'fetch_page', 'web_search']);

function questionIn(message: Message | undefined): string {
  return message?.role === 'user' ? textOf(message.content) : '';
}

function nameOf({ toolCallId }: ToolResult, parts: AssistantMessage['content']): string {
  const call = parts.find((part) => part.type === 'tool-call' && part.id === toolCallId);
  return call?.type === 'tool-call' ? String(call.arguments['name']) : '';
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

/** Words the result of storing or finding notes, quoting them exactly as the user wrote them. Undefined for other results. */
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
  /** 0 is Sunday. */
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

/** Returns the whole answer to a question about one time. If the question asks about another day, that day comes first. */
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

/** `days` is at most a month. */
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

interface ToldWeather {
  place: string;
  now: string | undefined;
  days: readonly { weekday: string; text: string }[];
}

/** Reads the tool's lines: the place, the weather now, then a line for each day. */
function readToldWeather(text: string): ToldWeather | undefined {
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
  // `北京` and `and in Bergen?` continue a question that named the day.
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

/** Returns the whole answer, or only one day if `asked` names one. Undefined if the text is not a weather result. */
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

/** Leaves out the wind and unlikely weather when several days are listed: the tool's card shows all of it. */
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

/**
 * What a very small model would say of the results of the calculator, the clock and the weather, copied by code: a number in it is the tool's, to the last
 * digit, and of several results none is left out.
 */
import type { Message, ToolCall, ToolResult } from '../../contracts/message';
import { textOf } from '../../contracts/text-of';
import type { ReplyLanguage } from './language';
import { sayNote } from './say-note';
import { answerTime, sayTime } from './say-time';
import { sayWeather, sayWeatherShortly } from './say-weather';
import { wordsOf } from './vocabulary';

/** Undefined where the model is to speak: of other results, and other failures. */
export function answerFromResults(history: readonly Message[], language: ReplyLanguage): string | undefined {
  const last = history.at(-1);
  if (last?.role !== 'tool') return undefined;
  // An answer that rests on a page or a search, too, is the model's.
  const asked = history.findLastIndex(({ role }) => role === 'user');
  const isOneRound = history.slice(asked + 1).filter(({ role }) => role === 'tool').length === 1;
  const calls = history
    .slice(asked + 1)
    .flatMap((message) => (message.role === 'assistant' ? message.content : []));
  const [lone] = last.results;
  const failed = last.results.length === 1 && lone?.isError ? lone.failure : undefined;
  const note = last.results.length === 1 && lone ? sayNote(lone, language) : undefined;
  if (note !== undefined) return note;
  if (failed !== undefined) return wordsOf(language).failures[failed];
  const weather = answerWeather(history, last.results, language);
  if (isOneRound && weather !== undefined) return weather;
  const lines = last.results.map((result) => {
    const call = calls.find((part) => part.type === 'tool-call' && part.id === result.toolCallId);
    return call?.type === 'tool-call' && !result.isError ? lineOf(call, result, language) : undefined;
  });
  if (isOneRound && last.results.length === 1 && lone && !lone.isError && !spokenOf.has(lone.toolName)) {
    return shortText(textOf(lone.content));
  }
  const said = lines.filter((line) => line !== undefined);
  if (!isOneRound || said.length < lines.length || said.length === 0) return undefined;
  if (said.length > 1) return said.map((line) => `- ${line}`).join('\n');
  const [only] = last.results;
  if (only?.toolName !== 'clock') return only?.toolName === 'calculator' ? said[0] : undefined;
  const call = calls.find((part) => part.type === 'tool-call' && part.id === only.toolCallId);
  const place = call?.type === 'tool-call' ? call.arguments['place'] : undefined;
  const question = history[asked];
  return answerTime(
    lineIn(only),
    typeof place === 'string' ? place : '',
    question?.role === 'user' ? textOf(question.content) : '',
    language,
  );
}

/** Undefined where not all of them are the weather of a place. */
function answerWeather(
  history: readonly Message[],
  results: readonly ToolResult[],
  language: ReplyLanguage,
): string | undefined {
  const [newest = '', before = ''] = history
    .flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []))
    .toReversed();
  // `北京` and `and in Bergen?` go on from a question that said for when.
  const goesOn = newest.length <= longestGoingOn && !saysWhen.test(newest);
  const asked = goesOn ? `${newest}\n${before}` : newest;
  const said = results.flatMap((result) => {
    const isWeather = result.toolName === 'weather' && !result.isError;
    return (isWeather ? sayWeather(lineIn(result), asked, language) : undefined) ?? [];
  });
  return said.length > 0 && said.length === results.length ? said.join('\n\n') : undefined;
}

/** What these give is a text to be told of; any other tool's short result is the answer. */
const spokenOf: ReadonlySet<string> = new Set(['calculator', 'clock', 'weather', 'fetch_page', 'web_search']);
const longestText = 160;
/** Of a message that is no question of its own, characters. */
const longestGoingOn = 24;
const saysWhen = /week|day|tomorrow|tonight|now|morning|evening|[天周早晚]|现在/i;

/** A line as it is, an object of plain values by their names; undefined for what is longer or deeper. */
function shortText(text: string): string | undefined {
  if (text === '' || text.length > longestText || text.includes('\n')) return undefined;
  if (!/^[{[]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const fields = Object.entries(value);
    if (fields.length === 0 || fields.some(([, part]) => typeof part === 'object')) return undefined;
    // `{result, unit}`: a quantity.
    if ('result' in value && 'unit' in value && fields.length === 2) {
      return `${String(value.result)} ${String(value.unit)}`;
    }
    return fields.map(([name, part]) => `${name}: ${String(part)}`).join(', ');
  } catch {
    return undefined;
  }
}

function lineIn({ content }: ToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

function lineOf(call: ToolCall, { content }: ToolResult, language: ReplyLanguage): string | undefined {
  const [first, second] = content.map((part) => (part.type === 'text' ? part.text : ''));
  if (first !== undefined && call.name === 'weather') return sayWeatherShortly(first, language);
  if (first === undefined || first.includes('\n')) return undefined;
  switch (call.name) {
    case 'calculator': {
      // A second text says that the number is rounded, or which fraction it is exactly.
      const sign = second === undefined ? '=' : '≈';
      const written = String(call.arguments['expression']);
      // Markdown takes two asterisks for emphasis.
      const expression = /\*.*\*/.test(written) ? written.replaceAll('*', '×') : written;
      return `${expression} ${sign} ${first}`;
    }
    case 'clock': {
      const place = call.arguments['place'];
      const here = language === 'zh' ? '这里' : 'Here';
      const time = sayTime(first, language);
      return (
        time &&
        `${typeof place === 'string' && place !== '' ? place : here}${language === 'zh' ? '：' : ': '}${time}`
      );
    }
    default:
      return undefined;
  }
}

/**
 * What a very small model would say of the results of the calculator, the clock, the weather, a page and a person's own tools, copied by code: a number in it is the tool's, to the last
 * digit, and of several results none is left out.
 */
import { readAttachmentName } from '../contracts/attachment';
import type { AssistantMessage, Message, ToolCall, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/text-of';
import type { ReplyLanguage } from '../text/language';
import { sayFiles } from './say-files';
import { sayNote } from './say-note';
import { sayPage } from './say-page';
import { sayResult } from './say-result';
import { sayValue } from './say-value';
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
    // A page that is JSON is no text to be told of.
    const isValue = lone.toolName === 'fetch_page' && sayValue(text, language) !== undefined;
    const page =
      lone.toolName === 'fetch_page' &&
      !isValue &&
      sayPage(lineIn(lone), questionIn(history[asked]), language);
    if (page) return page;
    if (isValue || !spokenOf.has(lone.toolName)) {
      const said = sayResult(text, questionIn(history[asked]), language);
      return said === '' ? wordsOf(language).nothing : said;
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

/** What these give is a text to be told of; any other tool's result is the answer. */
const spokenOf: ReadonlySet<string> = new Set(['calculator', 'clock', 'weather', 'fetch_page', 'web_search']);
/** Of a message that is no question of its own, characters. */
const longestGoingOn = 24;
const saysWhen = /week|day|tomorrow|tonight|now|morning|evening|[天周早晚]|现在/i;

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

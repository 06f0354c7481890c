/** Recognises messages that no tool can answer, by the wordings in `en.json` and `zh.json`. */
import type { Message, ToolResult } from '../contracts/message';
import { textOf } from '../contracts/message-parts';
import { countTypos } from '../text/lexical-index';
import en from './en.json';
import { findIntent, expandPattern, type PatternName, type Phrases, patternOf } from './phrases';

export type Intent = keyof Phrases['replies'];

/** Text of the newest message. Undefined if the user did not write it. */
export function findNewestQuestion(history: readonly Message[]): string | undefined {
  const last = history.at(-1);
  return last?.role === 'user' ? textOf(last.content) : undefined;
}

/** Texts of all user messages, oldest first. */
export function requestsIn(history: readonly Message[]): string[] {
  return history.flatMap((message) => (message.role === 'user' ? [textOf(message.content)] : []));
}

export function lastTurnOf(history: readonly Message[]) {
  const turn = history.slice(history.findLastIndex(({ role }) => role === 'user') + 1);
  return {
    written: turn.flatMap((message) => (message.role === 'assistant' ? message.content : [])),
    results: resultsIn(turn),
  };
}

export function resultsIn(messages: readonly Message[]): ToolResult[] {
  return messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
}

const maxTalkCharacters = 160;

/** Returns the intent of small talk, which the page answers without a model. */
export function readSmallTalk(text: string): Intent | undefined {
  if (text.length > maxTalkCharacters) return undefined;
  const said = normaliseMessage(text);
  if (/^[?？¿\s]+$/.test(said)) return 'ability';
  if (text.trim() !== '' && onlySmileysPattern.test(text)) return 'noted';
  if (!/[\p{L}\p{N}]/u.test(said)) return text.trim() === '' ? undefined : 'nonsense';
  const asked = said.replace(/[\s?？.。!！,，]+$/u, '');
  const found = findTalkIntent(asked);
  if (found) return found;
  const spelled = normaliseSpelling(asked);
  const afterGreeting = spelled.replace(leadingGreetingPattern(), '');
  if (afterGreeting !== spelled) {
    const talk = patternOf('introduces').test(afterGreeting) ? 'greeting' : findTalkIntent(afterGreeting);
    if (talk) return talk;
  }
  // If there are several sentences, answer the last one.
  const parts = asked.split(/[,，.。!！;；]+\s*/).filter((part) => part !== '');
  const talks = parts.map(findTalkIntent);
  if (parts.length > 1 && !talks.includes(undefined)) return talks.at(-1);
  return isGibberish(asked) ? 'nonsense' : undefined;
}

function findTalkIntent(asked: string): Intent | undefined {
  return findIntent('talk', [asked, normaliseSpelling(asked)]);
}

const leadingGreetingPattern = () =>
  expandPattern(
    String.raw`^(?:{greetings}(?:\s+{greeted}|\s+[a-z]{1,12}(?=[,!]))?{greeting-ends}?[\s,，.。!！~]*)+`,
  );

/** Intent of a request that no built-in tool can handle. The beginning of the request decides. */
export function readUnsupportedIntent(text: string): Intent | undefined {
  const said = normaliseMessage(text.slice(0, 400))
    .replace(patternOf('politeness', 'en'), '')
    .replace(patternOf('politeness', 'zh'), '');
  return findIntent('beyond', [said]);
}

export function readFallbackIntent(text: string): Intent {
  // Check this first: pasted text may contain units and question marks.
  if (isPasted(text)) return 'pasted';
  const said = normaliseSpelling(normaliseMessage(text));
  const isWorded = (name: PatternName) => patternOf(name).test(said);
  if (isWorded('goes-on-unclearly')) return 'unclear';
  if (isWorded('asks-why')) return 'why';
  if (isWorded('asks-advice') && !isWorded('asks-model')) return 'advice';
  if (isWorded('asks-help')) return 'ability';
  if (isWorded('asks-money')) return 'money';
  if (isWorded('asks-units') && isWorded('counts-units')) return 'units';
  if (isWorded('asks-chance')) return 'chance';
  if (isWorded('asks-opinion')) return 'opinion';
  if (isWorded('asks-ability')) return 'ability';
  const isExplanation = isWorded('asks-explanation');
  if (!isExplanation && !isWorded('asks')) return 'statement';
  if (isWorded('asks-model')) return 'identity';
  return isExplanation ? 'explanation' : 'question';
}

/** Maximum length of a typed question, in characters. A Chinese character counts as three. */
const maxQuestionCharacters = 300;
const maxTypedLines = 4;

/** Whether the message is too long for typing, so the user must have pasted it. Ignores web addresses. */
export function isPasted(message: string): boolean {
  const written = message.replace(/https?:\S+/g, '').trim();
  const letters = written.replace(/\p{Script=Han}/gu, '···').length;
  return letters > maxQuestionCharacters || written.split(/\n+/).length > maxTypedLines;
}

/** The search query for a message. '' if the message is too short to mean anything, or too long for a search. */
export function searchQueryOf(text: string): string {
  const query = text
    .replace(/\s+/g, ' ')
    .replace(/[\s?？.。!！]+$/, '')
    .trim();
  const topic = query.replace(patternOf('asks-to-explain'), '');
  const minLength = topic === query ? 4 : 2;
  return topic.length >= minLength && topic.length <= 150 ? topic : '';
}

const trainedTools = ['calculator', 'clock', 'weather', 'web_search', 'fetch_page'] as const;

/** The tool that the model says is off. '' if it says so without naming a tool. Undefined if it says nothing about that. */
export function findToolReportedAsOff(text: string): string | undefined {
  if (!patternOf('tools-menu').test(text)) return undefined;
  return trainedTools.find((name) => patternOf(`tool-off.${name}`).test(text)) ?? '';
}

const onlySmileysPattern = /^(?:[\s\p{Extended_Pictographic}\u{FE0F}\u{200D}]|[:;]-?[)dp(])+$/iu;

function normaliseMessage(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^[\s"'“”‘(*_]+/u, '')
    .replace(/(?:\s*[:;]-?[)dp])+$/u, '')
    .replace(/[\s"'“”‘)*_.。!~～…,，;；\p{Extended_Pictographic}\u{FE0F}\u{200D}]+$/u, '');
}

/** Real words made of neighbouring keys, such as `were`. They are not gibberish. */
const wordsOnOneKeyboardRow = new Set(en.wordsInRows.split(' '));

/** Whether the text looks like random keys: words without a vowel, repeated letters, or neighbouring keys. */
function isGibberish(written: string): boolean {
  const said = written.replace(/[;'[\]\\]/g, '');
  if (!/^[a-z ]{3,}$/.test(said)) return false;
  if (/^(.{1,3})\1{2,}$/.test(said) || /^lorem ipsum\b/.test(said)) return true;
  return said
    .split(' ')
    .every(
      (word) =>
        (word.length >= 4 && !/[aeiouy]/.test(word)) ||
        (word.length >= 3 &&
          en.keyboardRows.some((row) => row.includes(word)) &&
          !wordsOnOneKeyboardRow.has(word)),
    );
}

const meaningByAbbreviation = new Map(
  Object.entries(en.spellings).flatMap(([meant, written]) => written.split(' ').map((one) => [one, meant])),
);
/** Common words of small talk. We correct a word that differs from one of them by a single typing error. */
const commonChatWords = new Set(en.commonWords.split(' '));
/** We do not correct words with fewer letters, because they resemble too many others. */
const minCorrectedLetters = 4;

function normaliseSpelling(text: string): string {
  return text.replace(/[‘’`´]/g, "'").replace(/[a-z0-9']+/g, (written) => {
    const word = written.replace(/([a-z])\1{2,}/g, '$1');
    const single = word.replace(/([a-z])\1+$/, '$1');
    return (
      meaningByAbbreviation.get(word) ??
      (word === written ? undefined : meaningByAbbreviation.get(single)) ??
      correctTypo(word)
    );
  });
}

function correctTypo(word: string): string {
  if (word.length < minCorrectedLetters || commonChatWords.has(word)) return word;
  const [near, ...others] = Array.from(commonChatWords).filter(
    (one) => one.startsWith(word.charAt(0)) && countTypos(word, one, 1) === 1,
  );
  return near !== undefined && others.length === 0 ? near : word;
}

/**
 * Finds replies that go in circles: a sum, a line or a paragraph again and again. Small models do that until they reach the token limit.
 * Text that repeats itself on purpose is left alone: tables, rows of zeros, blank forms, drawn lines, and whatever the user asked to repeat.
 */
import { textOf } from '../contracts/message-parts';
import type { Message } from '../contracts/message';
import type { ModelSpec } from '../contracts/model';

export interface RepetitionLimits {
  /** How much text may repeat itself, in characters and in copies. */
  characters: number;
  times: number;
  /** How often a single character may repeat. */
  sameLetter: number;
  /** How many tokens of words may repeat themselves. Undefined if only the other limits count. */
  tokens?: number | undefined;
}

/** More tokens than a refrain, and fewer than a user likes to wait for. */
const maxRepeatedTokens = 80;

/** `messages`: the chat. If its newest request asks for repetition, only very long loops count. */
export function repetitionLimitsFor(
  { isSmall, maxReplyTokens }: Pick<ModelSpec, 'isSmall' | 'maxReplyTokens'>,
  messages: readonly Message[] = [],
): RepetitionLimits {
  if (isSmall) return { characters: 24, times: 6, sameLetter: 24 };
  // We count four characters per token, but only one if a single character repeats.
  const limits = { characters: 2 * maxReplyTokens, times: 12, sameLetter: maxReplyTokens / 2 };
  return asksToRepeat(messages) ? limits : { ...limits, tokens: maxRepeatedTokens };
}

const repeatRequestPattern =
  /\b(?:repeat(?:ed|edly|ing)?|\d+ times\b(?! \d)|(?:two|three|four|five|six|ten|twenty|fifty|hundred|many) times|twice|again and again|over and over|lyrics|songs?|sing|chorus|refrain|mantra|chant|lorem)\b|重复|反复|[\d一二两三四五六七八九十百几][遍次]|(?<!谷)歌|咒/i;
const maxRequestCharacters = 2_000;

function asksToRepeat(messages: readonly Message[]): boolean {
  const request = messages.findLast(({ role }) => role === 'user');
  if (request?.role !== 'user') return false;
  return repeatRequestPattern.test(textOf(request.content).slice(0, maxRequestCharacters));
}

/** How much of a text's end `findRepetitionCutoff` reads, in characters. */
export function repetitionWindowOf({ characters }: RepetitionLimits): number {
  return 10 * characters + 2 * maxLoopUnitCharacters;
}

/** Maximum length of a repeated unit, in characters: one or two lines, or a few paragraphs if tokens count. */
const maxUnitCharacters = 160;
const maxLoopUnitCharacters = 2_000;

/** A longer unit counts as repeated after this many characters, which are more than `maxRepeatedTokens`. */
const maxComparedCharacters = 1_000;

/** Returns where to cut: after the first copy of the repeated text. Undefined if nothing repeats. */
export function findRepetitionCutoff(text: string, limits: RepetitionLimits): number | undefined {
  const { characters, times } = limits;
  const sameLetter = maxSameLetters(text.slice(-1), limits);
  let { tokens = Infinity } = limits;
  for (let unit = 1; unit <= Math.min(maxUnitCharacters, text.length / 2); unit++) {
    const repeated = countRepeatedCharacters(text, unit);
    if (repeated === 0) continue;
    // Then all its multiples repeat on purpose too: a drawn line, or rows of zeros.
    if (repeated > tokens && isRepeatedOnPurpose(text.slice(-unit))) tokens = Infinity;
    if (hasRepeatedWords(text, unit, repeated, tokens)) return findCut(text, unit, repeated);
    const isDrawn = Array.from(text.slice(-unit)).every((character) => separatorPattern.test(character));
    const least = isDrawn ? 10 * characters : unit === 1 ? sameLetter : Math.max(characters, unit * times);
    if (repeated + unit >= least) return text.length - repeated;
    // It repeats itself on purpose, so longer units do too.
    if (repeated > maxComparedCharacters) return undefined;
  }
  if (tokens === Infinity) return undefined;
  for (let unit = maxUnitCharacters + 1; unit <= Math.min(maxLoopUnitCharacters, text.length); unit++) {
    const repeated = countRepeatedCharacters(text, unit, maxComparedCharacters);
    if (hasRepeatedWords(text, unit, repeated, tokens))
      return findCut(text, unit, countRepeatedCharacters(text, unit));
  }
  return text.endsWith('\n') ? findSameItems(text, tokens) : undefined;
}

/** Nobody repeats a letter or a question mark on purpose as often as a dash or a digit. A Chinese character or sign may be two tokens. */
function maxSameLetters(letter: string, { sameLetter, tokens = Infinity }: RepetitionLimits): number {
  // These draw lines and lead the eye to a page number.
  if (/[一〇ー・…]/.test(letter)) return sameLetter;
  if (/[\p{Script=Han}\u3040-\u30ff，。、；：！？!?]/u.test(letter))
    return Math.min(sameLetter, 0.6 * tokens);
  return /\p{L}/u.test(letter) ? Math.min(sameLetter, 4 * tokens) : sameLetter;
}

const maxCopiedCharacters = 40;

/** Whether the chat itself has the text around the cut. The model then quotes a text that repeats itself. */
export function isCopied(text: string, cut: number, messages: readonly Message[]): boolean {
  const seam = text.slice(Math.max(0, cut - maxCopiedCharacters), cut + maxCopiedCharacters);
  return messages.some((message) => {
    if (message.role === 'user') return textOf(message.content).includes(seam);
    return message.role === 'tool' && message.results.some(({ content }) => textOf(content).includes(seam));
  });
}

/** Larger models seldom go in circles, and a sampler that prevents it may change words that have to be said again. */
const maxBytesToAvoidLoops = 700_000_000;

/**
 * Whether the engine should make repetition less likely. False if the user asks for it, or if the model may quote a text that repeats itself. The
 * built-in model has few words, and a server decides itself.
 */
export function shouldAvoidLoops(
  { isSmall, file }: Pick<ModelSpec, 'isSmall' | 'file'>,
  messages: readonly Message[],
): boolean {
  if (isSmall || file.bytes === 0 || file.bytes > maxBytesToAvoidLoops) return false;
  return !asksToRepeat(messages) && !hasRepeatedSentence(messages);
}

function hasRepeatedSentence(messages: readonly Message[]): boolean {
  return messages.some((message) => {
    if (message.role === 'tool')
      return message.results.some(({ content }) => repeatsSentence(textOf(content)));
    return message.role !== 'system' && repeatsSentence(textOf(message.content));
  });
}

function repeatsSentence(text: string): boolean {
  const sentences = text
    .split(/[.!?:]["'”’)]*(?:\s|$)|[。！？：\n]/)
    .filter((one) => estimateTokens(one) >= minQuotedTokens);
  return new Set(sentences.map((one) => one.trim())).size < sentences.length;
}

const minQuotedTokens = 6;

const separatorPattern = /[-=_*.#~|\s─]/;

/** Returns how many characters at the end are the same as those `unit` characters before them: all but the first time of a loop. */
function countRepeatedCharacters(text: string, unit: number, most = Infinity): number {
  let at = text.length - 1 - unit;
  const end = Math.max(-1, at - most);
  while (at > end && text[at] === text[at + unit]) at--;
  return text.length - 1 - unit - at;
}

/** Cuts after the first copy. If the text before it ends like the copy, for example with `.\n\n`, keeps that ending. */
function findCut(text: string, unit: number, repeated: number): number {
  const at = text.length - repeated;
  if (at === unit) return at;
  const ending =
    /^[^\n]*?[.!?](?=\s|$)|^[^\n]{0,2}[。！？]/.exec(text.slice(at, at + maxSharedEnding))?.[0] ?? '';
  return at + ending.length;
}

function hasRepeatedWords(text: string, unit: number, repeated: number, tokens: number): boolean {
  // No text has more tokens than characters.
  if (repeated < tokens || isRepeatedOnPurpose(text.slice(-unit))) return false;
  if (estimateTokens(text.slice(-repeated)) < tokens) return false;
  return repeated >= unit || isParagraphAgain(text, unit, repeated);
}

/**
 * A paragraph counts as soon as its second copy is long enough. In code and lists we wait for a whole copy, because entries share long parts.
 */
function isParagraphAgain(text: string, unit: number, repeated: number): boolean {
  const again = text.length - repeated;
  const first = again - unit;
  const isLine = first === 0 || text.slice(Math.max(0, first - 1), first + maxSharedEnding).includes('\n');
  return (
    isLine && !/[<>{};=|]|```/.test(text.slice(first, again)) && (text.match(/^```/gm)?.length ?? 0) % 2 === 0
  );
}

/** The ends of two paragraphs may have this much in common: the end of a word, a full stop and a blank line. */
const maxSharedEnding = 12;

/** True if the unit is the row of a table, or has no words: `0, 0, 0`, `<td></td>` and `null` are data. A sum without words is not. */
function isRepeatedOnPurpose(unit: string): boolean {
  if (unit.trim() === '' || /^[^\S\n]*\|/m.test(unit)) return true;
  // The unit may begin in the middle of a word.
  const at = Math.max(0, unit.search(/[\s<]/));
  const words = `${unit.slice(at)}${unit.slice(0, at)}`.replace(
    /<\/?[a-z][^<>]*>|\b(?:null|none|true|false|nan|undefined|n\/a)\b/gi,
    '',
  );
  return !/\p{L}/u.test(words) && !/\d[^=]*=|=[^=]*\d/.test(words);
}

/** A rough number of tokens: one per digit, Chinese character and run of a sign, and one per five letters of a word. */
function estimateTokens(text: string): number {
  const { length: signs } = text.match(/\d|([^\p{L}\s])\1*|\p{Script=Han}|[\u3040-\u30ff]/gu) ?? [];
  const words = text.match(/[^\P{L}\p{Script=Han}\u3040-\u30ff]+/gu) ?? [];
  return signs + words.reduce((sum, { length }) => sum + Math.ceil(length / 5), 0);
}

const minSameItems = 4;

/** Finds a numbered list whose last items are all the same. Their numbers differ, so the text does not repeat itself exactly. */
function findSameItems(text: string, tokens: number): number | undefined {
  const lines = text.slice(-maxLoopUnitCharacters).trimEnd().split('\n');
  const items: { start: number; text: string }[] = [];
  let start = Math.max(0, text.length - maxLoopUnitCharacters);
  for (const line of lines) {
    const item = /^\s*\d+[.)、:：]\s*(\S.*)$/.exec(line)?.[1]?.trimEnd();
    if (item !== undefined) items.push({ start, text: item });
    else if (line.trim() !== '') items.length = 0;
    start += line.length + 1;
  }
  const last = items.at(-1);
  if (!last || isRepeatedOnPurpose(last.text)) return undefined;
  const others = items.findLastIndex((item) => item.text !== last.text);
  const same = items.slice(others + 1);
  const isLoop = same.length >= minSameItems && (same.length - 1) * estimateTokens(last.text) >= tokens / 2;
  return isLoop ? same[1]?.start : undefined;
}

/** What the page says in the place of a very small model, which cannot be trusted to speak of itself. */
import { textOf } from '../contracts/text-of';
import type { Message } from '../contracts/message';
import { picturesOf } from '../contracts/shown-pictures';
import type { ToolSpec } from '../contracts/tool';
import type { Intent } from './intent';
import { queryOf } from './query-of';
import { languageOf, type ReplyLanguage } from '../text/language';
import { toldOfSelf } from './told-of-self';
import { readBeyond, readLeft, readTalk } from './read-intent';
import type { PageWords } from './words';
import { wordsOf } from './vocabulary';
import { english } from './words-en';
import { otherLanguages } from './words-other';

export interface PageReply {
  text: string;
  /** Questions that the person can press; the tools that are on answer them. */
  suggestions: readonly string[];
  /** It says that a larger model may do it. */
  isBeyond?: boolean;
}

export interface PageReplyOptions {
  /** Of the model in whose place it is said. */
  modelName: string;
  /** Those that are on in the chat. */
  tools: readonly ToolSpec[];
  /** Of the screen: for a message that has no letters. */
  language: ReplyLanguage;
}

const mostSuggestions = 4;
/** These are pressed on from; after thanks or good night nobody wants to be asked to do something. */
const suggesting: ReadonlySet<Intent> = new Set<Intent>([
  'greeting',
  'how-are-you',
  'identity',
  'ability',
  'bored',
  'nonsense',
  'opinion',
  'question',
  'statement',
  'unclear',
  'languages',
  'offline',
  'insult',
]);

/** A larger model may do these. */
const forLarger: ReadonlySet<Intent> = new Set<Intent>([
  ...(['joke', 'story', 'writing', 'translation', 'summary', 'rewriting', 'pasted', 'code'] as const),
  ...(['recipe', 'plan', 'chat', 'view', 'advice', 'explanation', 'why', 'question', 'beyond'] as const),
]);
/** What a message wants that was read so, the model may know better: it was taught what is beyond it. */
const isVague: ReadonlySet<Intent> = new Set<Intent>([
  'statement',
  'ability',
  'identity',
  'unclear',
  'question',
]);
const namesLarger = /\b(?:larger|bigger|cleverer) (?:models?|ones?)\b|更大的|大模型|大(?:一点|一些|些)的/i;
/** A search may answer these. */
const searchable: ReadonlySet<Intent> = new Set<Intent>(['question', 'explanation', 'recipe']);

/** Before the model is asked: undefined where the message may want a tool. */
export function replyToTalk(history: readonly Message[], options: PageReplyOptions): PageReply | undefined {
  const text = newestQuestion(history);
  if (text === undefined) return undefined;
  const told = toldOfSelf(history);
  if (told !== undefined) {
    return { text: wordsOf(languageHere(history) ?? options.language).told(told), suggestions: [] };
  }
  const talk = readTalk(text);
  if (talk) return write(talk, text, history, options);
  const language = languageOf(text);
  if (language !== undefined && language !== 'en' && language !== 'zh') {
    return {
      text: otherLanguages[language](options.modelName),
      suggestions: suggestionsOf(options.tools, wordsOf(options.language)),
      isBeyond: true,
    };
  }
  // A custom tool may be for just that, and what is to be looked up is no text to work on.
  const isForTool = hasCustomTool(options.tools) || isToLookUp.test(text);
  const beyond = isForTool ? undefined : readBeyond(text);
  if (beyond === 'recipe' && canSearch(options.tools)) return undefined;
  return beyond && write(beyond, text, history, options);
}

/** A picture goes with the newest question: what is asked is most likely about it. */
export function replyToPicture(
  history: readonly Message[],
  { modelName, language }: PageReplyOptions,
): PageReply | undefined {
  const pictures = picturesOf(history.at(-1));
  if (pictures.length === 0) return undefined;
  return { text: wordsOf(languageHere(history) ?? language).unseen(modelName), suggestions: [] };
}

/** A request for the weather that names no place: the next message does. */
export function askWhichPlace(history: readonly Message[], { language }: PageReplyOptions): PageReply {
  return { text: wordsOf(languageHere(history) ?? language).whichPlace, suggestions: [] };
}

/** None of the readings that were shown was meant. */
export function askToRephrase(history: readonly Message[], { language }: PageReplyOptions): PageReply {
  return { text: wordsOf(languageHere(history) ?? language).rephrase, suggestions: [] };
}

const isToLookUp = /https?:|www\.|\b(?:search|look up|google)\b|搜|百度|上网|网上|找|查一?[下查]/i;

/** Intents for which the gallery has a tool: the reply says where to find it. */
const ofGallery: ReadonlySet<Intent> = new Set<Intent>(['units', 'money', 'chance']);

function hasCustomTool(tools: readonly ToolSpec[]): boolean {
  return tools.some(({ name }) => !(name in english.abilities));
}

function canSearch(tools: readonly ToolSpec[]): boolean {
  return tools.some(({ name }) => name === 'web_search');
}

/** What is said in place of a reply in which the model called no tool; `said` is what it wrote, which may name a larger model. */
export function replyInstead(history: readonly Message[], options: PageReplyOptions, said = ''): PageReply {
  const text = newestQuestion(history) ?? '';
  const read = readBeyond(text) ?? readLeft(text);
  const left = isVague.has(read) && namesLarger.test(said) ? 'beyond' : read;
  // The tool that would be named may be on already, under whatever name.
  const isOn = ofGallery.has(left) && hasCustomTool(options.tools);
  return write(isOn ? 'unclear' : left, text, history, options);
}

function write(
  intent: Intent,
  text: string,
  history: readonly Message[],
  { modelName, tools, language }: PageReplyOptions,
): PageReply {
  const words = wordsOf(languageHere(history) ?? language);
  const query = searchable.has(intent) ? queryOf(text) : '';
  const search = query !== '' && canSearch(tools) ? [words.searchFor(query)] : [];
  if (intent === 'question' && search.length > 0) return { text: words.searchInstead, suggestions: search };
  return {
    text: words.replies[intent](modelName, can(tools, words)),
    suggestions: search.length > 0 || !suggesting.has(intent) ? search : suggestionsOf(tools, words),
    ...(forLarger.has(intent) && { isBeyond: true }),
  };
}

function can(tools: readonly ToolSpec[], { abilities, can, noTools }: PageWords): string {
  if (tools.length === 0) return noTools;
  const known = tools.flatMap(({ name }) => abilities[name] ?? []);
  const others = tools.filter(({ name }) => !(name in abilities)).map(({ title }) => title);
  return can(known, others.slice(0, 3));
}

/** Custom tools first: they are what is special here. */
function suggestionsOf(tools: readonly ToolSpec[], { examples }: PageWords): string[] {
  const own = tools.flatMap(({ name, examples: given = [] }) => {
    const request = name in examples ? undefined : given.find(({ request }) => request !== '')?.request;
    return request === undefined ? [] : [request];
  });
  const builtIn = tools.flatMap(({ name }) => examples[name] ?? []);
  return [...own.slice(0, 2), ...builtIn].slice(0, mostSuggestions);
}

/** Of the newest message that has letters; undefined where none has, or it is in another language. */
export function languageHere(history: readonly Message[]): ReplyLanguage | undefined {
  for (const message of history.toReversed()) {
    const language = message.role === 'user' ? languageOf(textOf(message.content)) : undefined;
    if (language === 'en' || language === 'zh') return language;
  }
  return undefined;
}

function newestQuestion(history: readonly Message[]): string | undefined {
  const last = history.at(-1);
  return last?.role === 'user' ? textOf(last.content) : undefined;
}

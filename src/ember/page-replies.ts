/** Replies that the page writes instead of the small model, which cannot reliably talk about itself. */
import { statementsIn } from '../agent/compaction/rule-summary';
import { type AssistantMessage, type Message, pageWriterId } from '../contracts/message';
import { picturesOf } from '../contracts/attachment';
import type { PageLanguage, PageReplyContext } from '../contracts/small-model-policy';
import { textOf } from '../contracts/message-parts';
import type { ToolSpec } from '../contracts/tool';
import { languageOf } from '../text/language';
import { searchTerms } from '../text/search-terms';
import en from './en.json';
import otherLanguages from './other-languages.json';
import { fillTemplate, expandPattern, type PatternName, type Phrases, phrasesIn, patternOf } from './phrases';
import {
  type Intent,
  findNewestQuestion,
  requestsIn,
  searchQueryOf,
  readUnsupportedIntent,
  readFallbackIntent,
  readSmallTalk,
} from './read-intent';
import { normaliseText } from './weather-requests';

export interface PageReply {
  text: string;
  /** Questions that the user can click. The enabled tools can answer them. */
  suggestions: readonly string[];
  isBeyond?: boolean;
}

export type PageReplyOptions = Omit<PageReplyContext, 'tools'> & { tools: readonly ToolSpec[] };

export function toPageMessage({ text, suggestions, isBeyond }: PageReply, said?: string): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    writer: pageWriterId,
    ...(suggestions.length > 0 && { suggestions: [...suggestions] }),
    ...(isBeyond && { isBeyond }),
    ...(said !== undefined && { instead: said }),
    finishReason: 'stop',
  };
}

/** Replies to small talk without a model. Undefined if the message may need a tool. */
export function replyToSmallTalk(history: readonly Message[], options: PageReplyOptions) {
  const text = findNewestQuestion(history);
  if (text === undefined) return undefined;
  const statement = findStatementAboutUser(history);
  const phrases = phrasesForHistory(history, options);
  if (statement !== undefined) return toPlainReply(fillTemplate(phrases.told, { sentence: statement }));
  const talk = readSmallTalk(text);
  if (talk) return writeReply(talk, text, history, options);
  const language = languageOf(text);
  if (language !== undefined && language !== 'en' && language !== 'zh') {
    return {
      text: fillTemplate(otherLanguages[language], { model: options.modelName }),
      suggestions: pickSuggestions(options.tools, phrasesIn(options.language)),
      isBeyond: true,
    };
  }
  // Leave the request to a custom tool that may handle it, or to the search if the user asks to look something up.
  const isForTool = hasCustomTool(options.tools) || patternOf('asks-to-look-up').test(text);
  const beyond = isForTool ? undefined : readUnsupportedIntent(text);
  if (beyond === 'recipe' && canSearch(options.tools)) return undefined;
  return beyond && writeReply(beyond, text, history, options);
}

export function replyToPicture(history: readonly Message[], options: PageReplyOptions) {
  if (picturesOf(history.at(-1)).length === 0) return undefined;
  return toPlainReply(fillTemplate(phrasesForHistory(history, options).unseen, { model: options.modelName }));
}

/** The page's words for somebody in a crisis, which no model should make up. Undefined for other messages. */
export function replyToCrisis(history: readonly Message[], options: PageReplyOptions): PageReply | undefined {
  const text = requestsIn(history).at(-1) ?? '';
  return patternOf('is-in-crisis').test(text) ? writeReply('crisis', text, history, options) : undefined;
}

/** Replies to greetings, thanks and questions about what the user said, in place of a model that cannot talk well. */
export function replyToGreeting(
  history: readonly Message[],
  options: PageReplyOptions,
): PageReply | undefined {
  const text = findNewestQuestion(history) ?? '';
  const talk = readSmallTalk(text);
  if (talk && greetings.has(talk)) return writeReply(talk, text, history, options);
  const statement = findStatementAboutUser(history);
  if (statement === undefined) return undefined;
  return toPlainReply(fillTemplate(phrasesForHistory(history, options).told, { sentence: statement }));
}

const greetings = new Set<Intent>(['greeting', 'how-are-you', 'thanks', 'good-night', 'goodbye']);

export function replyWithQuestion(
  history: readonly Message[],
  options: PageReplyOptions,
  what: 'whichPlace' | 'rephrase',
): PageReply {
  return toPlainReply(phrasesForHistory(history, options)[what]);
}

/** The reply if the model called no tool. `said`: the model's own text, which may recommend a larger model. */
export function replyWithoutCall(history: readonly Message[], options: PageReplyOptions, said = '') {
  const text = findNewestQuestion(history) ?? '';
  const read = readUnsupportedIntent(text) ?? readFallbackIntent(text);
  const left = vagueIntents.has(read) && patternOf('names-larger-model').test(said) ? 'beyond' : read;
  const isOn = galleryIntents.has(left) && hasCustomTool(options.tools);
  return writeReply(isOn ? 'unclear' : left, text, history, options);
}

/** Language of the newest user message in English or Chinese, because the page replies only in these. Undefined if there is none. */
export function languageOfHistory(history: readonly Message[]): PageLanguage | undefined {
  for (const message of history.toReversed()) {
    const language = message.role === 'user' ? languageOf(textOf(message.content)) : undefined;
    if (language === 'en' || language === 'zh') return language;
  }
  return undefined;
}

const maxSuggestions = 4;
/** Suggestions help after these intents, but not after thanks or good night. */
const intentsWithSuggestions = new Set<Intent>([
  ...(['greeting', 'how-are-you', 'identity', 'ability', 'bored', 'nonsense', 'opinion'] as const),
  ...(['question', 'statement', 'unclear', 'languages', 'offline', 'insult'] as const),
]);
const intentsForLargerModel = new Set<Intent>([
  ...(['joke', 'story', 'writing', 'translation', 'summary', 'rewriting', 'pasted', 'code'] as const),
  ...(['recipe', 'plan', 'chat', 'view', 'advice', 'explanation', 'why', 'question', 'beyond'] as const),
]);
/** For these intents, believe the model if it recommends a larger model: training taught it what it cannot do. */
const vagueIntents = new Set<Intent>(['statement', 'ability', 'identity', 'unclear', 'question']);
const searchableIntents = new Set<Intent>(['question', 'explanation', 'recipe']);
/** For these intents, the reply says which tool of the gallery can help. */
const galleryIntents = new Set<Intent>(['units', 'money', 'chance']);

function writeReply(intent: Intent, text: string, history: readonly Message[], options: PageReplyOptions) {
  const { modelName, tools } = options;
  const phrases = phrasesForHistory(history, options);
  const query = searchableIntents.has(intent) ? searchQueryOf(text) : '';
  const search = query !== '' && canSearch(tools) ? [fillTemplate(phrases.searchFor, { query })] : [];
  if (intent === 'question' && search.length > 0) return { text: phrases.searchInstead, suggestions: search };
  return {
    text: fillTemplate(phrases.replies[intent], { model: modelName, can: describeAbilities(tools, phrases) }),
    suggestions:
      search.length > 0 || !intentsWithSuggestions.has(intent) ? search : pickSuggestions(tools, phrases),
    ...(intentsForLargerModel.has(intent) && { isBeyond: true }),
  };
}

function describeAbilities(tools: readonly ToolSpec[], phrases: Phrases): string {
  if (tools.length === 0) return phrases.noTools;
  const { can, use, marks } = phrases;
  const abilities: TextByTool = phrases.abilities;
  const known = tools.flatMap(({ name }) => abilities[name] ?? []);
  const others = tools.filter(({ name }) => !(name in abilities)).map(({ title }) => title);
  const join = (items: readonly string[]) =>
    items.length < 2
      ? items.join('')
      : `${items.slice(0, -1).join(marks.list)}${marks.and}${items.at(-1) ?? ''}`;
  const useOthers = others.length > 0 ? [fillTemplate(use, { tools: join(others.slice(0, 3)) })] : [];
  return fillTemplate(can, { list: join([...known, ...useOthers]) });
}

type TextByTool = Readonly<Record<string, string>>;

/** Custom tools come first, because the user chose them. */
function pickSuggestions(tools: readonly ToolSpec[], phrases: Phrases): string[] {
  const examples: TextByTool = phrases.examples;
  const own = tools.flatMap(({ name, examples: given = [] }) => {
    const request = name in examples ? undefined : given.find(({ request }) => request !== '')?.request;
    return request === undefined ? [] : [request];
  });
  const builtIn = tools.flatMap(({ name }) => examples[name] ?? []);
  return [...own.slice(0, 2), ...builtIn].slice(0, maxSuggestions);
}

function hasCustomTool(tools: readonly ToolSpec[]): boolean {
  return tools.some(({ name }) => !(name in en.says.abilities));
}

function canSearch(tools: readonly ToolSpec[]): boolean {
  return tools.some(({ name }) => name === 'web_search');
}

function toPlainReply(text: string): PageReply {
  return { text, suggestions: [] };
}

function phrasesForHistory(history: readonly Message[], { language }: PageReplyOptions): Phrases {
  return phrasesIn(languageOfHistory(history) ?? language);
}

/** Kinds of personal facts. We match by kind, because question and answer may share no word: `Where do I live?`, `I'm from Oslo`. */
const userFactKinds = ['name', 'age', 'home', 'work'] as const;

export function findStatementAboutUser(history: readonly Message[]): string | undefined {
  const question = normaliseText(findNewestQuestion(history) ?? '').toLowerCase();
  const text = question.replace(/[\s?.!。,，]+$/u, '');
  const asked = text.replace(questionOpenerPattern(), '').trim();
  if (text === '' || text.length > 100) return undefined;
  const said = statementsIn(history.slice(0, -1))
    .filter(({ weight }) => weight === 3)
    .map(({ text }) => text);
  const forms = [asked, asked.replace(patternOf('self.ending'), '')];
  const kind = userFactKinds.find((one) => forms.some((form) => patternOf(`self.asks-${one}`).test(form)));
  if (kind) {
    const says = patternOf(`self.says-${kind}`);
    return said.findLast((sentence) => says.test(sentence.replaceAll('’', "'")));
  }
  const isWorded = (name: PatternName) => patternOf(name).test(asked);
  const isAsked = isWorded('self.asks') || (text !== asked && isWorded('self.begins-own'));
  if (!isAsked || isWorded('self.asks-more')) return undefined;
  const wanted = extractComparableTerms(asked);
  if (wanted.length === 0) return undefined;
  return said.findLast((sentence) => {
    const there = new Set(extractComparableTerms(sentence));
    return wanted.every((term) => there.has(term));
  });
}

const questionOpenerPattern = () => expandPattern(String.raw`^(?:{self-openers}[,\s]+)*{self-questions}?`);

/** Splits Chinese into single characters: a question and its answer often share characters, but no words. */
function extractComparableTerms(text: string): string[] {
  const generic = (genericTerms ??= new Set(searchTerms(en.lists['self-generic'])));
  const terms = searchTerms(text.replace(patternOf('self.unsearched'), ' '));
  const own = terms.filter((term) => !generic.has(term));
  if (!own.some((term) => /\p{Script=Han}/u.test(term))) return own;
  return text.replace(patternOf('self.unsearched-letters'), '').match(/\p{Script=Han}/gu) ?? [];
}

let genericTerms: ReadonlySet<string> | undefined;
